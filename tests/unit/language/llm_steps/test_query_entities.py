"""Requests for the names in a question, and the interpretation of replies."""

from __future__ import annotations

import json

from scripted_llm import ScriptedLlm, last_turn
from tetragraph.language.llm_steps import query_entities
from tetragraph.llm import Operation

ASKED = "Did Orla Brandt's novel inspire the film Silver Harbour?"


def test_names_are_those_that_the_question_writes_each_once(llm: ScriptedLlm, operation: Operation) -> None:
    said = [
        "Orla Brandt's",
        "the film\nSilver Harbour",
        "ORLA BRANDT",
        "Elva Kron",
        "Harbour Orla",
        "film the",
        "the",
        "",
    ]
    llm.answer = lambda body: json.dumps({"names": said})
    assert query_entities.find_names(operation, ASKED) == ("ORLA BRANDT", "the film Silver Harbour")
    assert f"\n{ASKED}\n</question " in last_turn(llm.requests[0])


def test_a_question_without_names_has_none(llm: ScriptedLlm, operation: Operation) -> None:
    llm.answer = lambda body: '{"names": []}'
    assert query_entities.find_names(operation, "What is it?") == ()
