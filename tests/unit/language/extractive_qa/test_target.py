"""Answers that a question allows by their form."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.answers import read_answer
from tetragraph.language.extractive_qa.target import read_target
from tetragraph.model import Chunk

TEXT = "Halvik is a town in Norway. Its mayor Ida Brandt opened the bridge in 1931. Halvik has two harbours."
CHUNK = Chunk("c", "c", "Halvik", "Halvik", TEXT, 0, 0, len(TEXT), 9)


@pytest.mark.parametrize(
    ("question", "text", "allowed"),
    [
        ("How many harbours has Halvik?", "two", True),
        ("How many harbours has Halvik?", "thousands of harbours", True),
        ("How many harbours has Halvik?", "1,200", True),
        ("How many harbours has Halvik?", "Ida Brandt", False),
        ("What is the population of Halvik?", "Norway", False),
        ("What is the airport code of Halvik?", "HVK", True),
        ("In what year was the bridge opened?", "1931", True),
        ("In what year was the bridge opened?", "Ida Brandt", False),
        ("When was the bridge opened?", "the Middle Ages", True),
        ("Who opened the bridge?", "Ida Brandt", True),
    ],
)
def test_numbers_and_years_are_written_as_such(question: str, text: str, allowed: bool) -> None:
    assert read_target(question, ()).allows(text) == allowed


@pytest.mark.parametrize(
    ("question", "answer"),
    [("How many harbours has Halvik?", "two"), ("In what year did Ida Brandt open the bridge?", "1931")],
)
def test_the_answer_has_the_form_that_is_asked_for(question: str, answer: str) -> None:
    reading = read_answer(question, [CHUNK])
    assert reading.text == answer
    assert all(candidate.text != "Ida Brandt" for candidate in reading.explanation.candidates)


def test_a_question_for_a_reason_gets_a_sentence_without_confidence() -> None:
    reading = read_answer("Why was the bridge of Halvik opened?", [CHUNK])
    assert (reading.explanation.rule, reading.confidence) == ("sentence", 0.05)
