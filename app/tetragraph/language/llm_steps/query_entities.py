"""Asks a language model for the names in a question."""

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
"""Largest number of names in one question."""


class NamesReply(BaseModel):
    """A reply."""

    names: list[str]


def names_request(question: str) -> Request:
    """The request for the names in a question."""
    prompt = load("query_entities").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)
    return with_schema(prompt, NamesReply)


def find_names(operation: Operation, question: str) -> tuple[str, ...]:
    """Find the names in a question, each once, in the order of the reply.

    A name that does not occur in the question is dropped, as the model guessed it as a final or intermediate answer.

    Raises:
        LlmError: the operation failed.

    Source:
        BiG-RAG, section 4.2.1, step 1.
    """
    reply = operation.structured(names_request(question), NamesReply)
    names = [surface(one_line(name)) for name in reply.names[:_MOST]]
    found = {normalise_name(name): name for name in names if find_quotation(question, name)}
    return tuple(name for key, name in found.items() if not STOP_WORDS.issuperset(key.split()))
