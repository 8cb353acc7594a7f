"""Inputs and counts of the measurement of questions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from benchmarks.complexity import answer_types, shares, single_steps

STEPS = [
    {"question": "Silver Harbour >> director", "answer": "Ada Byron", "supporting": "a"},
    {"question": "When was #1 born?", "answer": "10 March 1921", "supporting": "b"},
    {"question": "Where was #1 on #2 ?", "answer": "Ghent", "supporting": "b"},
]
PASSAGES = [
    {"id": "a", "title": "Silver Harbour", "text": "Ada Byron directed it."},
    {"id": "b", "title": "Ada Byron", "text": "She was born on 10 March 1921 in Ghent. Ghent is a city in Belgium."},
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of one question."""
    (tmp_path / "README.md").touch()
    (tmp_path / "small").mkdir()
    questions = [json.dumps({"decomposition": STEPS})]
    for name, lines in (("train", questions), ("corpus", [json.dumps(row) for row in PASSAGES])):
        with gzip.open(tmp_path / "small" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines))
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path))


@pytest.mark.usefixtures("data")
def test_steps_are_asked_with_the_answers_of_earlier_ones() -> None:
    assert single_steps("small") == [
        ("When was Ada Byron born?", "10 March 1921", "b"),
        ("Where was Ada Byron on 10 March 1921 ?", "Ghent", "b"),
    ]


@pytest.mark.usefixtures("data")
def test_an_expected_type_is_right_when_the_answer_has_it() -> None:
    steps = single_steps("small")
    wrong = [("Who was Ada Byron?", "10 March 1921", "b"), ("Why was Ada Byron?", "Ghent", "b")]
    found = answer_types("small", [steps[0], *wrong])
    assert found == {"questions": 3, "told": 2 / 3, "with_known_type": 2, "first": 0.5, "admitted": 0.5}


def test_shares_are_of_all_questions() -> None:
    questions = ["Who wrote Silver Harbour?", "Where was the author of Silver Harbour born?"]
    assert shares(questions, "tetragraph") == {"questions": 2, "simple": 0.5, "moderate": 0, "complex": 0.5}
