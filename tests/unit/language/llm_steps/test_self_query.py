"""The chunk that a model writes for a question."""

from __future__ import annotations

import pytest

from scripted_llm import Reply, ScriptedLlm, last_turn
from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps import self_query
from tetragraph.llm import Operation

ASKED = "Where was the director of Silver Harbour born?"


def test_the_passage_is_one_line(llm: ScriptedLlm, operation: Operation) -> None:
    llm.answer = lambda body: "Silver Harbour is a film.\n\nAda Byron\tdirected it.\x1b[2J"
    assert self_query.write_passage(operation, ASKED) == "Silver Harbour is a film. Ada Byron directed it.[2J"
    assert f"\n{ASKED}\n</question " in last_turn(llm.requests[0])


@pytest.mark.parametrize(
    ("said", "kept"), [("She was born. It was", "She was born."), ("Born it goes", "Born it goes")]
)
def test_of_a_passage_that_was_cut_off_whole_sentences_are_taken(
    llm: ScriptedLlm, operation: Operation, said: str, kept: str
) -> None:
    llm.answer = lambda body: Reply(said, "length")
    assert self_query.write_passage(operation, ASKED) == kept


@pytest.mark.parametrize(
    "said", ["I'm sorry, but I can't help with that.", '{"quotes": [ {"passage": 1, "words": x ]]}']
)
def test_a_reply_without_a_word_of_the_question_is_no_passage(
    llm: ScriptedLlm, operation: Operation, said: str
) -> None:
    llm.answer = lambda body: said
    with pytest.raises(UnusableReply, match=r"must have a word of the question, and has none .*step 'self_query'"):
        self_query.write_passage(operation, ASKED)
    assert self_query.write_passage(operation, "What is it?") == said, "a question of stop words has none"


def test_the_same_question_is_asked_the_same_way() -> None:
    first, second = (self_query.passage_request(ASKED) for _ in range(2))
    assert first.key("model") == second.key("model")
    assert first.temperature == 0
