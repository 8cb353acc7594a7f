"""The chunk that a model writes for a question."""

from __future__ import annotations

import pytest

from scripted_llm import Reply, ScriptedLlm, last_turn
from tetragraph.language.llm_steps import self_query
from tetragraph.llm import Operation

ASKED = "Where was the director of Silver Harbour born?"


def test_the_passage_is_one_line(llm: ScriptedLlm, operation: Operation) -> None:
    llm.answer = lambda body: "Silver Harbour is a film.\n\nAda Byron\tdirected it.\x1b[2J"
    assert self_query.write_passage(operation, ASKED) == "Silver Harbour is a film. Ada Byron directed it.[2J"
    assert f"\n{ASKED}\n</question " in last_turn(llm.requests[0])


@pytest.mark.parametrize(("said", "kept"), [("It is. It was", "It is."), ("It goes on", "It goes on")])
def test_of_a_passage_that_was_cut_off_whole_sentences_are_taken(
    llm: ScriptedLlm, operation: Operation, said: str, kept: str
) -> None:
    llm.answer = lambda body: Reply(said, "length")
    assert self_query.write_passage(operation, ASKED) == kept


def test_the_same_question_is_asked_the_same_way() -> None:
    first, second = (self_query.passage_request(ASKED) for _ in range(2))
    assert first.key("model") == second.key("model")
    assert first.temperature == 0
