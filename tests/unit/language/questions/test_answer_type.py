"""The type of entity that a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.phrases import CONCEPT, NUMBER
from tetragraph.language.questions.answer_type import ExpectedAnswer, expected_type

QUESTIONS = {
    "who": ("Who painted Grey Dawn?", "PERSON"),
    "whom, at the end": ("#1 was named after whom?", "PERSON"),
    "where": ("Where was #1 born?", "PLACE"),
    "where, of studies": ("Where did #1 study?", "ORGANIZATION"),
    "when": ("When was #1 founded?", "DATE"),
    "when, at the end": ("#1 was founded when?", "DATE"),
    "how many": ("How many bridges are in #2?", NUMBER),
    "what and a noun": ("What year did #1 retire?", "DATE"),
    "which and a described noun": ("In which small Belgian town did #1 die?", "PLACE"),
    "which and a verb": ("Which river crosses Ghent?", "PLACE"),
    "what, and a verb that is a noun elsewhere": ("What network hosts #1?", "ORGANIZATION"),
    "what, and a verb in the past": ("What battle caused #1?", "EVENT"),
    "many things by their kind": ("Which pop singers met #1?", "PERSON"),
    "which, at the end": ("#1 is signed to which record label?", "ORGANIZATION"),
    "which and a noun before a clause": ("Which country the director of Silver Harbour is from?", "PLACE"),
    "what is": ("What is the capital of #1?", "PLACE"),
    "what is somebody's": ("What is #1's occupation?", CONCEPT),
    "what is the name of": ("What is the name of the airport in #1?", "PLACE"),
    "somebody's name": ("What is Anna's spouse's name?", "PERSON"),
    "a noun that describes another": ("Which film director met #1?", "PERSON"),
    "who is, and a noun of organisations": ("Who is the publisher of #1?", "ORGANIZATION"),
    "a film": ("Which film has the director who died first, #1 or #2?", "WORK"),
    "a nationality": ("What nationality is #1?", "GROUP"),
    "a language": ("the native language of #1", "LANGUAGE"),
    "a noun by its ending": ("Which trombonist joined #1?", "PERSON"),
}


@pytest.mark.parametrize(("text", "expected"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_asks_for(text: str, expected: str) -> None:
    assert expected_type(text).type == expected


@pytest.mark.parametrize(
    "text",
    [
        "Was Ada Byron born in Ghent?",
        "Why did #1 leave?",
        "How did #1 leave?",
        "What did #1 mean?",
        "What kind of university did #1 attend?",
        "",
    ],
)
def test_what_cannot_be_told_is_empty(text: str) -> None:
    assert expected_type(text) == ExpectedAnswer()


PHRASES = {
    "of": ("the director of Jaws", "PERSON"),
    "an owner": ("Tall Pines's composer", "PERSON"),
    "a placeholder that owns": ("#1's mother", "PERSON"),
    "a clause": ("the city where #1 was born", "PLACE"),
    "a superlative": ("the smallest country in the league", "PLACE"),
    "many": ("the bands of #1", "ORGANIZATION"),
}


@pytest.mark.parametrize(("text", "expected"), PHRASES.values(), ids=PHRASES)
def test_a_description_is_of(text: str, expected: str) -> None:
    assert expected_type(text).type == expected


def test_a_known_head_decides_alone() -> None:
    assert expected_type("the city where Anna was born", "performer").types == ("PERSON", "ORGANIZATION")
    assert expected_type("the city where Anna was born", "Directors").word == "directors"
    assert expected_type("the city where Anna was born", "thing") == ExpectedAnswer()


def test_an_entity_of_an_unknown_type_may_be_the_answer() -> None:
    performer = expected_type("the performer of #1")
    assert [kind for kind in ("PERSON", "ORGANIZATION", "PLACE", "") if performer.admits(kind)] == [
        "PERSON",
        "ORGANIZATION",
        "",
    ]
    assert ExpectedAnswer().admits("PLACE")


@given(st.text(max_size=60), st.text(max_size=10))
def test_any_text_gets_types_that_entities_have(text: str, head: str) -> None:
    found = expected_type(text, head)
    assert set(found.types) <= {*TYPES.values(), NUMBER, CONCEPT}
    assert found == expected_type(text, head)
