"""A set as texts for a system without ids, and the conversion of its rankings to documents."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.peers.material import Material, Passage, load, to_found

from tetragraph.errors import InvalidInput

FIRST, TWIN, OTHER = Passage("a", "Oslo", "A city."), Passage("b", "Oslo", "A city."), Passage("c", "", "A river.")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder."""
    (tmp_path / "README.md").touch()
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path))
    return tmp_path


def write(folder: Path, name: str, *rows: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_a_set_is_read_with_its_dev_questions_and_with_train_where_there_are_no_others(data: Path) -> None:
    write(data / "towns", "corpus", {"id": "a", "title": "Oslo", "text": "A city."})
    write(data / "towns", "train", {"id": "q1", "question": "What?", "supporting": ["a"]})
    assert load("towns").split == "train"
    write(data / "towns", "dev", {"id": "q2", "question": "Where?", "supporting": []})
    found = load("towns")
    assert (found.split, [question.id for question in found.questions]) == ("dev", ["q2"])
    assert found.passages == (FIRST,)


def test_an_unknown_set_is_refused_with_those_that_there_are(data: Path) -> None:
    write(data / "towns", "corpus")
    with pytest.raises(InvalidInput, match="one of towns, got 'rivers'"):
        load("rivers")


def test_a_passage_is_the_string_that_tetragraph_embeds() -> None:
    assert (FIRST.whole, OTHER.whole) == ("Oslo. A city.", "A river.")


def test_equal_passages_are_given_once_and_ranked_one_after_the_other() -> None:
    given = Material("towns", "dev", (FIRST, OTHER, TWIN), ())
    assert list(given.distinct) == ["Oslo. A city.", "A river."]
    found = to_found([("A river.", 2.0), ("Oslo. A city.", 0.5)], given.distinct)
    assert [(one.document, one.title, one.score) for one in found] == [
        ("c", "", 2.0),
        ("a", "Oslo", 0.5),
        ("b", "Oslo", 0.5),
    ]


def test_a_string_that_was_never_given_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"the passages it was given, got 'A lake\.'"):
        to_found([("A lake.", 1.0)], Material("towns", "dev", (FIRST,), ()).distinct)
