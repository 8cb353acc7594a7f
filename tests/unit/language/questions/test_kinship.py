"""Compound kinships as two simple ones."""

from __future__ import annotations

import pytest

from tetragraph.language.questions.kinship import write_out
from tetragraph.language.questions.names import find_names

WRITTEN = {
    "of a father's side": ("Who is Anna's paternal grandmother?", "Who is Anna's father's mother?"),
    "of a mother's side": ("Who is the maternal grandfather of Anna?", "Who is the father of the mother of Anna?"),
    "of no side": ("Where did Anna's grandfather die?", "Where did Anna's parent's father die?"),
    "by marriage": ("Who is the mother-in-law of Anna?", "Who is the mother of the spouse of Anna?"),
    "with another apostrophe": ("Who was Anna’s uncle?", "Who was Anna’s parent's brother?"),
    "twice": ("Was Anna's uncle Emil's uncle?", "Was Anna's parent's brother Emil's parent's brother?"),
}


@pytest.mark.parametrize(("question", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_a_kinship_is_written_out(question: str, expected: str) -> None:
    names = find_names(question, ())
    text, moved = write_out(question, names)
    assert text == expected
    assert [text[slice(*name)] for name in moved] == [question[slice(*name)] for name in names]


@pytest.mark.parametrize(
    "question", ["Who wrote a grandfather clock?", "Who is Anna's mother?", "Who owns the aunts of it?"]
)
def test_other_words_stay(question: str) -> None:
    assert write_out(question, [])[0] == question


def test_a_name_stays_as_it_is() -> None:
    question = "Who wrote The Aunt of Ghent and Anna's aunt?"
    text, _ = write_out(question, [(10, 27), (32, 36)])
    assert text == "Who wrote The Aunt of Ghent and Anna's parent's sister?"
