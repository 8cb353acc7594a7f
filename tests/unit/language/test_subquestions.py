"""Questions taken apart into chains, with the real English model."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.language import spacy_model
from tetragraph.language.subquestions import Step, has_parser, take_apart


def texts(question: str) -> list[str]:
    return [step.text for step in take_apart(question, ())]


def test_a_question_about_one_name_stays_as_it_is() -> None:
    question = "Who directed Silver Harbour?"
    assert take_apart(question, ()) == (Step(question, "", ()),)


def test_a_described_thing_becomes_a_step_with_its_noun() -> None:
    steps = take_apart("Where was the director of Silver Harbour born?", ())
    assert steps == (Step("the director of Silver Harbour", "director", ()), Step("Where was #1 born?", "", (1,)))


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_text_gives_a_chain_that_refers_backwards(question: str, spans: list[tuple[int, int]]) -> None:
    inside = [(start, end) for start, end in spans if start < end <= len(question)]
    steps = take_apart(question, inside)
    assert steps == take_apart(question, inside)
    for number, step in enumerate(steps, 1):
        assert all(0 < earlier < number for earlier in step.refers)
        assert len(steps) == 1 or step.text


def test_without_a_parser_a_question_is_split_once_by_its_surface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_model, "find_spec", lambda _: None)
    assert not has_parser()
    assert texts("When was Anna Lindqvist's employer founded?") == ["Anna Lindqvist's employer", "When was #1 founded?"]
    assert re.search("#1", texts("What is the capital of the country where Mount Aro is located?")[-1])
