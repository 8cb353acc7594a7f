"""Asks a language model to write a chunk that could contain the answer to a question."""

from __future__ import annotations

from typing import Final

from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import fence, load
from tetragraph.llm import Operation, Request

_REPLY: Final = 160
"""Limit of a reply in tokens, which small models reach by repeating themselves."""
_EXPECTED: Final = 90


def passage_request(question: str) -> Request:
    """The request for the chunk."""
    return load("self_query").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)


def write_passage(operation: Operation, question: str) -> str:
    """Write a chunk in one line; it serves as a query, may be false, and is never shown as an answer.

    If the reply was cut off, only its complete sentences are used, unless it has only one.

    Raises:
        LlmError: the operation failed.

    Source:
        SeRAG (2026), section 3.3 and appendix A.1 (the self-query).
    """
    reply = operation.complete(passage_request(question))
    passage = one_line(reply.text)
    sentences = sentence_spans(passage)
    return passage[: sentences[-2][1]] if reply.finish == "length" and len(sentences) > 1 else passage
