"""Asks a language model what a question names."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from tetragraph.language.lexicon.names import normalise_name, surface
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import fence, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema

_REPLY: Final = 200
_EXPECTED: Final = 25
_MOST: Final = 20
"""Names of one question."""


class NamesReply(BaseModel):
    """A reply."""

    names: list[str]


def names_request(question: str) -> Request:
    """Request for the names in a question."""
    prompt = load("query_entities").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)
    return with_schema(prompt, NamesReply)


def find_names(operation: Operation, question: str) -> tuple[str, ...]:
    """The names in a question, each once, in the order of the reply.

    A name that the question does not write is left out: it is the model's guess, at an answer or on the way to one.

    Raises:
        LlmError: what the operation raises.

    Source:
        BiG-RAG, section 4.2.1, step 1.
    """
    reply = operation.structured(names_request(question), NamesReply)
    names = [surface(one_line(name)) for name in reply.names[:_MOST]]
    found = {normalise_name(name): name for name in names if find_quotation(question, name)}
    return tuple(name for key, name in found.items() if not STOP_WORDS.issuperset(key.split()))
