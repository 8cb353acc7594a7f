"""Selection of the decomposition, and its fallback if a language model's steps are not a chain."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scripted_llm import ScriptedLlm
from tetragraph.errors import LlmNotConfigured, LlmUnavailable
from tetragraph.language.questions.decompose import take_apart
from tetragraph.llm import LanguageModel, Operation
from tetragraph.settings import Settings
from tetragraph.stores.corpus import Question
from tetragraph.systems.question_decomposition import Decomposed, decompose, fill_variables

ASKED = "Where was the director of Silver Harbour born?"
VECTOR = np.ones(1, dtype=np.float32)


def question(operation: Operation | None = None) -> Question:
    asked = Question(ASKED, VECTOR, lambda _: VECTOR)
    return Question(ASKED, VECTOR, lambda _: VECTOR, lambda: operation) if operation else asked


def saying(*questions: str) -> str:
    return json.dumps({"steps": [{"question": one, "answer": "person"} for one in questions]})


def test_the_model_is_asked_only_where_it_is_wanted(llm: ScriptedLlm, operation: Operation) -> None:
    assert decompose(question(operation), (), "parser") == Decomposed(take_apart(ASKED, ()))
    assert not llm.calls
    with pytest.raises(LlmNotConfigured):
        decompose(question(), (), "llm")


def test_a_number_sign_of_the_question_itself_is_no_placeholder() -> None:
    steps = take_apart("When was #1 taken by #2?", ())
    assert [fill_variables(steps, step) for step in steps] == ["When was #1 taken by #2?"]


def test_the_models_steps_are_told(llm: ScriptedLlm, operation: Operation) -> None:
    llm.answer = lambda body: saying("Who directed Silver Harbour?", "Where was #1 born?")
    apart = decompose(question(operation), (), "llm")
    assert (apart.is_prompted, apart.fault) == (True, "")
    assert apart.trace() == {
        "steps": [
            {"text": "Who directed Silver Harbour?", "answer": "person", "refers": []},
            {"text": "Where was #1 born?", "answer": "person", "refers": [1]},
        ]
    }


@pytest.mark.parametrize("said", [saying("Who directed #2?", "Where was #1 born?"), "I would rather not."])
def test_where_they_are_no_chain_the_parsers_are_taken_and_that_is_said(
    llm: ScriptedLlm, operation: Operation, said: str
) -> None:
    llm.answer = lambda body: said
    apart = decompose(question(operation), (), "llm")
    assert apart.steps == take_apart(ASKED, ())
    assert apart.fault.startswith("the language model's steps could not be used, those of the parser were: ")
    assert apart.trace() == {}


def test_a_model_that_is_away_is_no_reason_to_go_on(settings: Settings) -> None:
    away = settings.model_copy(update={"llm": "away", "llm_base_url": "http://127.0.0.1:9/v1", "llm_retries": 0})
    with pytest.raises(LlmUnavailable):
        decompose(question(LanguageModel.open(away).operation("test")), (), "llm")
