"""Questions that deny, and sentences that do."""

from __future__ import annotations

import pytest

from tetragraph.language.questions.negation import has_denial, is_denying


@pytest.mark.parametrize(
    "question",
    [
        "When was the Heron Bridge not opened?",
        "Which bridge doesn't cross the Ouse?",
        "Who has never been absent?",
        "The Heron Bridge was not opened in which year?",
        "What isn't known?",
        "Who cannot attend?",
    ],
)
def test_the_main_clause_denies(question: str) -> None:
    assert is_denying(question)


@pytest.mark.parametrize(
    "question",
    [
        "When was the Heron Bridge opened?",
        "Who was the man that did not vote?",
        "In the film that never came out, who played the cook?",
        "Who was not only a painter but a poet?",
        "Who may travel, whether or not they have a ticket?",
        "Who wrote Never Let Me Go?",
        'Who sang "do not go"?',
        "It was opened when, wasn't it?",
        "The bridge was not opened until when?",
        "Where, if not in Sund, was he born?",
    ],
)
def test_the_main_clause_states(question: str) -> None:
    assert not is_denying(question)


def test_a_sentence_denies_by_a_word_or_by_the_opposite_of_one_of_the_question() -> None:
    assert has_denial("Contractors may not take paid leave.", "Who may not take paid leave?")
    assert has_denial("It has NO lock and doesn’t float.", "")
    assert has_denial("The amount is unpaid.", "Which invoice is not paid?")
    assert has_denial("All cities were destroyed with the exception of Sund.", "Which cities were not destroyed?")
    assert not has_denial("The university is under repair.", "Which invoice is not paid?")
