"""Questions are analysed once."""

from __future__ import annotations

import pytest

from hidden_spacy import hide_spacy
from tetragraph.language.questions import reading
from tetragraph.language.questions.reading import read_question


def test_a_question_is_parsed_once() -> None:
    question = "Where was the director of Silver Harbour born on a Monday?"
    assert read_question(question, [(26, 40)]) is read_question(question, ((26, 40),))
    assert read_question(question, [(26, 40)]) is not read_question(question, ())


def test_what_another_reader_takes_from_the_tree_stays_in_it() -> None:
    found = read_question("Anna Lindqvist studied at a university that was founded when?", ())
    assert found.tree
    assert sum(map(len, found.tree.children)) == len(found.tree.words) - len(found.tree.roots)
    assert len(found.steps) == 2


def test_a_reading_without_a_parser_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    question = "When was Anna Lindqvist's employer founded?"
    assert read_question(question, ()).tree
    hide_spacy(monkeypatch)
    assert not reading.has_parser()
    assert read_question(question, ()).tree is None


def test_a_question_with_a_word_of_thousands_of_marks_is_not_parsed() -> None:
    found = read_question("Who wrote " + '"' * 9_000 + "?", ())
    assert found.tree is None
    assert len(found.steps) == 1


def test_kinship_of_two_steps_is_two_steps() -> None:
    found = read_question("Who is Anna Lindqvist's paternal grandmother?", ())
    assert [step.text for step in found.steps] == ["Anna Lindqvist's father", "#1's mother"]
    assert found.text == "Who is Anna Lindqvist's father's mother?"
    assert [found.text[slice(*name)] for name in found.names] == ["Anna Lindqvist"]


def test_a_comparison_by_something_of_two_things_is_three_steps() -> None:
    found = read_question("Which film has the director who is older, Silver Harbour or Storm Coast?", ())
    assert [step.refers for step in found.steps] == [(), (), (1, 2)]


def test_a_date_of_birth_is_something_to_ask_for() -> None:
    found = read_question("What is the date of birth of the director of Silver Harbour?", ())
    assert [step.text for step in found.steps] == ["the director of Silver Harbour", "What is the date of birth of #1?"]


def test_a_name_goes_on_behind_a_hyphen() -> None:
    found = read_question("Who was the teacher of Lu Min-shek?", ())
    assert [found.text[slice(*name)] for name in found.names] == ["Lu Min-shek"]


def test_a_question_with_placeholders_of_its_own_is_one_step_as_it_stands() -> None:
    question = "Who is the grandfather of the #1 of Anna's aunt?"
    assert [step.text for step in read_question(question, ()).steps] == [question]
