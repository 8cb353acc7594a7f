"""Comparisons of two entities by a related one."""

from __future__ import annotations

import pytest

from tetragraph.language.questions.compared import compare
from tetragraph.language.questions.names import find_names
from tetragraph.language.questions.steps import Step


def compared(question: str) -> list[str]:
    return [step.text for step in compare(question, find_names(question, ()))]


A, B = "the director of Silver Harbour", "the director of Storm Coast"
COMPARED = {
    "who has it": (
        "Which film has the director who died first, Silver Harbour or Storm Coast?",
        "Which film has the director who died first, #1 or #2?",
    ),
    "whose it is": (
        "Which film whose director is younger, Silver Harbour or Storm Coast?",
        "Which film whose director is younger, #1 or #2?",
    ),
    "of what it is": (
        "Are the directors of films Silver Harbour and Storm Coast both from Ghent?",
        "Are #1 and #2 both from Ghent?",
    ),
    "of what it is, said twice": (
        "Do director of film Silver Harbour and director of film Storm Coast share the same nationality?",
        "Do #1 and #2 share the same nationality?",
    ),
    "what follows": (
        "Do both Silver Harbour and Storm Coast have the directors from the same country?",
        "Do both #1 and #2 have the directors from the same country?",
    ),
}


@pytest.mark.parametrize(("question", "last"), COMPARED.values(), ids=COMPARED)
def test_both_sides_are_asked_for_first(question: str, last: str) -> None:
    assert compared(question) == [A, B, last]


def test_the_last_step_needs_both_sides() -> None:
    question = "Which film has the director who died first, Silver Harbour or Storm Coast?"
    first, second, last = compare(question, find_names(question, ()))
    assert (first, second) == (Step(A, "director", ()), Step(B, "director", ()))
    assert last.refers == (1, 2)


@pytest.mark.parametrize(
    "question",
    [
        "Which film came out first, Silver Harbour or Storm Coast?",
        "Are Ada Byron and Emil Voss both directors?",
        "Who is the director of Silver Harbour and Storm Coast?",
        "Which film has the longer end, Silver Harbour or Storm Coast?",
        "Who is the director of Silver Harbour?",
    ],
)
def test_what_compares_the_things_themselves_is_left_alone(question: str) -> None:
    assert compared(question) == []
