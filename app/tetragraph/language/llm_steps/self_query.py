"""Asks a language model for a passage that could hold the answer to a question."""

from __future__ import annotations

from typing import Final

from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import fence, load
from tetragraph.llm import Operation, Request

_REPLY: Final = 160
"""Tokens; a small model that repeats itself goes on to the end."""
_EXPECTED: Final = 90


def passage_request(question: str) -> Request:
    """Request for the passage."""
    return load("self_query").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)


def write_passage(operation: Operation, question: str) -> str:
    """The passage in one line, true or not: it is searched with, and nobody takes it for an answer.

    Of one that was cut off the whole sentences are taken, unless it has but one.

    Raises:
        LlmError: what the operation raises.

    Source:
        SeRAG (2026), section 3.3 and appendix A.1 (the self-query).
    """
    reply = operation.complete(passage_request(question))
    passage = one_line(reply.text)
    sentences = sentence_spans(passage)
    return passage[: sentences[-2][1]] if reply.finish == "length" and len(sentences) > 1 else passage
