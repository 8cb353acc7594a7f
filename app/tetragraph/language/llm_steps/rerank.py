"""Asks a language model which passages help most with a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema

_FRAME: Final = 10
_ENTRY: Final = 3
"""Tokens of a reply, about: those around the numbers, and those of a number."""
_ROOM: Final = 3
"""How many times longer a reply may be: it may be indented, and models differ in their tokens."""


class Order(BaseModel):
    """A reply."""

    order: list[int]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Passages in the order that a model gave them.

    Attributes:
        places: All places of the passages, from 0; those that the reply left out stand last, in their old order.
        missing: How many it left out.
        unknown: How many of its numbers belong to no passage, or came before.
    """

    places: tuple[int, ...]
    missing: int = 0
    unknown: int = 0


def request(question: str, passages: Sequence[str]) -> Request:
    """Request for the order of chunks.

    Args:
        question: The question.
        passages: As they were found; the reply calls them by their numbers, from 1.
    """
    expected = _FRAME + _ENTRY * len(passages)
    values: dict[str, Fenced | int] = {"passages": fences("passage", passages), "question": fence("question", question)}
    values["count"] = len(passages)
    return with_schema(load("rerank").request(_ROOM * expected, values, expected=expected), Order)


def read(reply: Order, count: int) -> Reranked:
    """Read a reply about ``count`` chunks.

    >>> read(Order(order=[3, 3, 7, 1]), 3)
    Reranked(places=(2, 0, 1), missing=1, unknown=2)
    """
    known = list(dict.fromkeys(number - 1 for number in reply.order if 1 <= number <= count))
    rest = [place for place in range(count) if place not in known]
    return Reranked((*known, *rest), len(rest), len(reply.order) - len(known))


def rerank(operation: Operation, question: str, passages: Sequence[str]) -> Reranked:
    """The passages, the most helpful first. Of fewer than two nothing is asked.

    Raises:
        UnusableReply: the reply is no list of numbers, also when asked for again.
        LlmError: what else the operation raises.
    """
    if len(passages) < 2:
        return Reranked(tuple(range(len(passages))))
    return read(operation.structured(request(question, passages), Order), len(passages))
