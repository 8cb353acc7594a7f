"""Asks a language model to rank chunks by their use for a question."""

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
"""Approximate tokens of a reply: around the numbers, and for each number."""
_ROOM: Final = 3
"""Ratio of the longest to the expected reply, as replies may be indented and tokenizers differ."""


class Order(BaseModel):
    """A reply."""

    order: list[int]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Ranking of chunks by a model.

    Attributes:
        places: All places of the chunks, from 0; those missing in the reply come last, in their old order.
        missing: Number of chunks missing in the reply.
        unknown: Number of entries that refer to no chunk, or to an earlier one.
    """

    places: tuple[int, ...]
    missing: int = 0
    unknown: int = 0


def request(question: str, passages: Sequence[str]) -> Request:
    """The request for a ranking.

    Args:
        question: The question.
        passages: Chunks in the order of the search; the reply refers to them by their numbers, from 1.
    """
    expected = _FRAME + _ENTRY * len(passages)
    values: dict[str, Fenced | int] = {"passages": fences("passage", passages), "question": fence("question", question)}
    values["count"] = len(passages)
    return with_schema(load("rerank").request(_ROOM * expected, values, expected=expected), Order)


def read(reply: Order, count: int) -> Reranked:
    """Interpret a reply on ``count`` chunks.

    >>> read(Order(order=[3, 3, 7, 1]), 3)
    Reranked(places=(2, 0, 1), missing=1, unknown=2)
    """
    known = list(dict.fromkeys(number - 1 for number in reply.order if 1 <= number <= count))
    rest = [place for place in range(count) if place not in known]
    return Reranked((*known, *rest), len(rest), len(reply.order) - len(known))


def rerank(operation: Operation, question: str, passages: Sequence[str]) -> Reranked:
    """Rank chunks, the most helpful first; fewer than two chunks are returned without a call.

    Raises:
        UnusableReply: the reply is not a list of numbers, even after a correction request.
        LlmError: the operation failed otherwise.
    """
    if len(passages) < 2:
        return Reranked(tuple(range(len(passages))))
    return read(operation.structured(request(question, passages), Order), len(passages))
