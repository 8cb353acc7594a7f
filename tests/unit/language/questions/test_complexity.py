"""Complexity of questions, with the real English model."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hidden_spacy import hide_spacy
from tetragraph.errors import InvalidInput
from tetragraph.language.questions.complexity import PAPER, Level, Mode, classify

LEVELS: dict[str, tuple[str, Level]] = {
    "a fact about one name": ("Who wrote Silver Harbour?", "simple"),
    "a fact about what belongs to one name": ("Who is Anna Lindqvist's mother?", "simple"),
    "a fact without a name": ("What is the boiling point of water?", "simple"),
    "two names compared": ("Which film came out first, Silver Harbour or Storm Coast?", "moderate"),
    "two names and a yes": ("Are Silver Harbour and Storm Coast both from Norway?", "moderate"),
    "a clause beside": ("Who ruled Norway when the plague came?", "moderate"),
    "a step in between": ("Where was the director of Silver Harbour born?", "complex"),
    "a clause that describes": ("Who governs the country where Lake Orrin lies?", "complex"),
    "two names compared by what is theirs": (
        "Which film has the director who died first, Silver Harbour or Storm Coast?",
        "complex",
    ),
    "a kinship of two steps": ("Who is Anna Lindqvist's paternal grandfather?", "complex"),
}


@pytest.mark.parametrize(("question", "level"), LEVELS.values(), ids=LEVELS)
def test_a_question_is(question: str, level: Level) -> None:
    assert classify(question, ()).level == level


def test_the_asking_word_and_words_in_names_mark_no_clause() -> None:
    assert classify("Who wrote When Harbours Freeze?", ()).markers == ()
    assert classify("In which year did the man who wrote Silver Harbour die?", ()).markers == ("who",)
    assert classify("Was the man who wrote Silver Harbour a Dane?", ()).markers == ("who",)


def test_known_entities_are_counted_as_names() -> None:
    question = "When did the city of bergen join the hansa?"
    assert classify(question, ()).names == 0
    question = question.replace("bergen", "Bergen").replace("hansa", "Hansa")
    assert classify(question, [(18, 24)]).names == 2


def test_the_features_of_the_paper_are_shown() -> None:
    found = classify("Who is the spouse of the director of the film that won Best Picture in 2019?", (), mode=PAPER)
    assert found.markers == ("who", "of the", "of the", "that")
    assert not found.has_possessive
    assert found.clause_depth == 1
    assert found.steps == 3
    assert found.parsed


# Each row decides by another branch of lines 14 to 19.
PAPER_LEVELS: dict[str, tuple[str, Level]] = {
    "marker and possessive": ("Who is Anna Lindqvist's mother?", "complex"),
    "marker and three clauses": (
        "Who met the man who saw the dog that bit the girl who wrote Silver Harbour?",
        "complex",
    ),
    "marker alone": ("Who wrote Silver Harbour?", "moderate"),
    "more than two names": ("Did Anna Lindqvist visit Oslo, Voss and Ghent?", "moderate"),
    "possessive alone": ("What is Anna Lindqvist's occupation?", "simple"),
    "two names": ("What film joins Anna Lindqvist to Oslo?", "simple"),
    "a marker inside a word": ("What is the whole thatch of Oslo?", "simple"),
}


@pytest.mark.parametrize(("question", "level"), PAPER_LEVELS.values(), ids=PAPER_LEVELS)
def test_algorithm_3_decides_by(question: str, level: Level) -> None:
    assert classify(question, (), mode=PAPER).level == level


def test_without_a_parser_the_words_decide_and_the_result_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_spacy(monkeypatch)
    found = classify("When was the company founded that Anna Lindqvist's mother owns?", ())
    assert not found.parsed
    assert found.clause_depth == 0
    assert found.has_possessive
    assert found.markers == ("that",)
    assert found.level == "complex"


def test_another_mode_is_refused() -> None:
    with pytest.raises(InvalidInput, match="mode must be 'paper' or 'tetragraph', got 'llm'"):
        classify("Who?", (), mode=cast(Mode, "llm"))


@given(st.text(max_size=80), st.sampled_from(["paper", "tetragraph"]))
@settings(max_examples=40, deadline=None)
def test_any_text_has_a_level(question: str, mode: Mode) -> None:
    found = classify(question, (), mode=mode)
    assert found == classify(question, (), mode=mode)
    assert mode == "paper" or (found.level == "complex") == (found.steps > 1)
