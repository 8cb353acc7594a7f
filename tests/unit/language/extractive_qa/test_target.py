"""Answers that a question allows by their form, and the wordings of a final sub-question."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.answers import read_answer
from tetragraph.language.extractive_qa.target import final_questions, read_target
from tetragraph.model import Bridge, ChainStep, Chunk

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


@pytest.mark.parametrize(
    ("question", "text", "part"),
    [
        ("What year was the bridge opened?", "12 June 1931", "1931"),
        ("What year was Halvik founded?", "about 480 BC", "480 BC"),
        ("What year was the bridge opened?", "1931 to 1934", "1931 to 1934"),
        ("When was the bridge opened?", "12 June 1931", "12 June 1931"),
    ],
)
def test_a_question_for_a_year_is_answered_by_the_year_of_a_date(question: str, text: str, part: str) -> None:
    assert text[slice(*read_target(question, ()).answering_part(text))] == part


def test_the_year_of_a_date_is_the_answer_and_the_sentence_is_cited() -> None:
    text = "The bridge of Halvik was opened on 12 June 1931 by Ida Brandt."
    chunk = Chunk("c", "c", "Halvik", "Halvik", text, 0, 0, len(text), 9)
    reading = read_answer("In what year was the bridge of Halvik opened?", [chunk])
    assert reading.text == "1931"
    first = reading.explanation.candidates[0]
    assert text[first.start : first.end] == "1931"
    assert reading.support == ((chunk, 0, len(text)),)


def test_a_final_sub_question_is_worded_with_each_of_the_two_likeliest_answers() -> None:
    bridges = (Bridge("i", "Ida Brandt", 0.6), Bridge("k", "Karl Moe", 0.2), Bridge("l", "Lars Nim", 0.2))
    chain = [ChainStep("the mayor of Halvik", (), bridges, ()), ChainStep("Where was #1 born?", (1,), (), ())]
    wordings = dict(final_questions("?", chain))
    assert wordings == pytest.approx({"Where was Ida Brandt born?": 0.75, "Where was Karl Moe born?": 0.25})


def test_an_unlikely_answer_gives_no_wording() -> None:
    bridges = (Bridge("i", "Ida Brandt", 0.96), Bridge("k", "Karl Moe", 0.04))
    chain = [ChainStep("the mayor of Halvik", (), bridges, ()), ChainStep("Where was #1 born?", (1,), (), ())]
    assert final_questions("?", chain) == [("Where was Ida Brandt born?", 1.0)]
    assert final_questions("?", chain[:1]) == [("the mayor of Halvik", 1.0)]
    assert final_questions("Who?", ()) == [("Who?", 1.0)]
