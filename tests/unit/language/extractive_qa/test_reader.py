"""The span of a chunk that answers a question: its type, its chunk, and its exact text."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.language import spacy_model
from tetragraph.language.extractive_qa import Span, candidates, find_span
from tetragraph.language.extractive_qa.sentences import MOST, rank_sentences
from tetragraph.language.extractive_qa.target import read_target
from tetragraph.model import ChainStep, Chunk

PAGES = {
    "Halvik": "Halvik is a fishing town in the north of Sund County. Its harbour was built in 1874 by Orla Brandt.",
    "Orla Brandt": "Orla Brandt was an engineer. He was born in Lisbon on 3 May 1840 and had 17 children.",
    "Tomas Reyer": "Tomas Reyer was a painter. He was born in Vienna on 12 June 1861.",
}


def chunk(title: str, text: str) -> Chunk:
    return Chunk(f"c-{title}", title.lower(), title, title, text, 0, 0, len(text), 9)


PASSAGES = [chunk(title, text) for title, text in PAGES.items()]


def words(span: Span | None) -> str:
    assert span is not None
    return span.chunk.text[span.start : span.end]


@pytest.fixture(params=["with spaCy", "without spaCy"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without spaCy":
        monkeypatch.setattr(candidates, "installed_model", lambda: None)
    elif not spacy_model.installed_model():
        pytest.skip("spaCy is not installed")


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the harbour of Halvik built?", "1874"),
        ("When was Orla Brandt born?", "3 May 1840"),
        ("How many children did Orla Brandt have?", "17"),
    ],
)
def test_the_answer_is_of_the_type_that_the_question_asks_for(question: str, answer: str) -> None:
    assert words(find_span(question, PASSAGES)) == answer


def test_a_question_for_yes_or_no_is_answered_by_the_sentence_that_tells() -> None:
    span = find_span("Was Tomas Reyer a painter?", PASSAGES)
    assert words(span) == "Tomas Reyer was a painter."


def test_a_number_sign_of_the_question_itself_is_no_placeholder() -> None:
    asked = "Which book did #1 write with #2?"
    chain = (ChainStep(asked, refers=(), bridges=(), passages=()),)
    assert read_target(asked, chain) == read_target(asked, ())


def test_without_a_sentence_there_is_no_answer() -> None:
    assert find_span("Who?", []) is None
    assert find_span("Who?", [chunk("Halvik", "  \n ")]) is None


def test_a_sentence_without_names_dates_and_numbers_is_the_answer_as_a_whole() -> None:
    assert words(find_span("What does it do?", [chunk("x", "it rains a lot here.")])) == "it rains a lot here."


def test_rare_words_and_the_answering_passage_rank_sentences() -> None:
    ranked = rank_sentences("Who built the harbour?", "Who built the harbour?", PASSAGES, {})
    assert ranked[0].text.startswith("Its harbour was built")
    assert len(ranked) <= MOST
    led = rank_sentences("?", "?", PASSAGES, {"c-Tomas Reyer": 0.9})
    assert led[0].chunk.id == "c-Tomas Reyer"


_SCORES = """
from tetragraph.language.extractive_qa.sentences import rank_sentences
from tetragraph.model import Chunk

words = [first + last for first in ("harbour", "mill", "tower", "quarry", "chapel") for last in ("ast", "eld", "ovik")]
texts = [" ".join(words[number::step]) for number in range(5) for step in (1, 2, 3)]
passages = [Chunk(f"c{i}", f"d{i}", "s", words[i], f"{text}.", 0, 0, 0, 9) for i, text in enumerate(texts)]
ranked = rank_sentences(" ".join(words), " ".join(words[::2]), passages, {}, most=None)
print([(one.chunk.id, one.score.hex(), one.share.hex()) for one in ranked])
"""


def test_scores_of_sentences_depend_on_no_order_of_a_set() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _SCORES],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in range(4)
    }
    assert len(printed) == 1


def test_sentences_with_one_score_stay_in_the_order_of_their_places() -> None:
    twice = chunk("x", "It rains. It snows. It rains.")
    ranked = rank_sentences("Who?", "Who?", [twice], {})
    assert [one.start for one in ranked] == [0, 10, 20]


@pytest.mark.usefixtures("reader")
def test_candidates_are_names_dates_and_numbers_without_what_surrounds_them() -> None:
    text = "In 1902 the Reyer Academy's director, Mina Holt, had 1,200.50 crowns."
    [found] = candidates.find_candidates([text])
    stretches = [text[one.start : one.end] for one in found]
    assert "1902" in stretches
    assert "Reyer Academy" in stretches
    assert "Mina Holt" in stretches
    assert any(stretch.startswith("1,200.50") for stretch in stretches)
    assert all(not stretch.lower().startswith("the ") for stretch in stretches)


@settings(max_examples=30)
@given(st.text(max_size=60), st.lists(st.text(max_size=80), max_size=3))
def test_a_span_is_always_inside_its_passage(question: str, texts: list[str]) -> None:
    span = find_span(question, [chunk(str(number), text) for number, text in enumerate(texts)])
    if span is None:
        assert not any(text.strip() for text in texts)
    else:
        assert span.sentence[0] <= span.start < span.end <= span.sentence[1] <= len(span.chunk.text)
