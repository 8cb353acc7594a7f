"""The interrogative word of a question."""

from __future__ import annotations

import pytest

from tetragraph.language.questions.asking import asking_word, is_yes_or_no

ASKING = {
    "the first word": ("Who wrote the book that Anna read?", "Who"),
    "after a preposition": ("In which city was the man who wrote it born?", "which"),
    "in a later sentence": ("Oslo and Voss are towns. Where was the man who founded both born?", "Where"),
    "what, wherever it stands": ("The town where Anna was born has what mayor?", "what"),
    "what, before a clause": ("Anna Lindqvist owns what ship which sank?", "what"),
    "the last of those that open clauses, too": ("The man who lives where Anna died was born when?", "when"),
}


@pytest.mark.parametrize(("question", "word"), ASKING.values(), ids=ASKING)
def test_a_question_asks_with(question: str, word: str) -> None:
    found = asking_word(question)
    assert found
    assert question[slice(*found)] == word
    assert found == (question.rindex(word), question.rindex(word) + len(word))


@pytest.mark.parametrize("text", ["Was the man who wrote it born in Ghent?", "the director of Silver Harbour", ""])
def test_what_yes_answers_and_what_asks_nothing_has_no_such_word(text: str) -> None:
    assert asking_word(text) is None


def test_a_long_row_of_full_stops_is_searched_once() -> None:
    assert asking_word("." * 1_000_000) is None  # many hours, if each mark began a search to the end


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Will Brandt married whom?", "whom"),
        ("May Moe was born where?", "where"),
        ("Will Moe leads which club?", "which"),
    ],
)
def test_a_first_name_like_a_verb_makes_no_question_of_yes_or_no(question: str, word: str) -> None:
    found = asking_word(question)
    assert found
    assert question[slice(*found)] == word
    assert not is_yes_or_no(question)


@pytest.mark.parametrize(
    "question", ["Will Moe marry Ida?", "May Contractors say who built it?", "Will you say where?"]
)
def test_a_verb_before_a_name_asks_for_yes_or_no(question: str) -> None:
    assert is_yes_or_no(question)
