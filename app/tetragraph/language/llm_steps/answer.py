"""Asks a language model for an answer from passages, and binds what it quotes to them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.prompts import Fenced, Prompt, fence, fences, load
from tetragraph.llm import Request
from tetragraph.llm.structured import with_schema
from tetragraph.model import Chunk
from tetragraph.model.answers import Citation, FollowUp

_REPLY: Final = 500
"""Tokens of the longest reply."""
_EXPECTED: Final = 120
_MOST_QUOTES: Final = 8
_LONGEST_QUOTE: Final = 1000
LONGEST_ANSWER: Final = 2000
"""Characters; a reply is what a stranger's server sends, of any length."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Characters that move the cursor of a terminal or change the direction of its text."""


class Quote(BaseModel):
    """Words that are said to stand in a passage."""

    passage: int
    words: str


class AnswerReply(BaseModel):
    """A reply; the quotes come first, so that a model looks before it answers."""

    quotes: list[Quote]
    sufficient: bool
    answer: str


class FollowUpReply(AnswerReply):
    """A reply that may ask on instead."""

    follow_up: str


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A reply, checked.

    Attributes:
        text: The answer in one line; empty where the model says that the passages do not carry it.
        citations: The quotes that were found, each once, in the order of the reply.
        dropped: How many were not.
        is_sufficient: Whether there is an answer, and a quote for it.
        follow_up: What is to be looked up next; empty for nothing.
    """

    text: str
    citations: tuple[Citation, ...]
    dropped: int
    is_sufficient: bool
    follow_up: str = ""


def answer_request(
    question: str, passages: Sequence[Chunk], steps: Sequence[FollowUp] = (), graph: str = ""
) -> Request:
    """Request for an :class:`AnswerReply`.

    Args:
        question: The question.
        passages: What the answer has to come from; the reply calls them by their numbers, from 1.
        steps: What was asked and answered before.
        graph: An anchor graph as text, which shows how the passages hang together; empty for none.

    Source:
        With a graph GraphAnchor (2026), equation 5.
    """
    if graph:
        asked = _request(load("answer_from_graph"), question, passages, steps, graph=fence("graph", graph))
    else:
        asked = _request(load("answer"), question, passages, steps)
    return with_schema(asked, AnswerReply)


def follow_up_request(question: str, passages: Sequence[Chunk], steps: Sequence[FollowUp] = ()) -> Request:
    """Request for a :class:`FollowUpReply`; see :func:`answer_request`."""
    return with_schema(_request(load("follow_up"), question, passages, steps), FollowUpReply)


def check_reply(reply: AnswerReply, passages: Sequence[Chunk]) -> CheckedAnswer:
    """Check a reply: bind its quotes to the chunks, and put its texts in one line.

    A quote is looked for in the passage that the reply names, then in the others. An answer that the model itself
    takes for insufficient is left out.

    Args:
        reply: As the model gave it.
        passages: Those of the request, in order.
    """
    found = [_bind(quote, passages) for quote in reply.quotes[:_MOST_QUOTES]]
    citations = tuple(dict.fromkeys(citation for citation in found if citation))
    text = one_line(reply.answer) if reply.sufficient else ""
    return CheckedAnswer(
        text,
        citations,
        len(reply.quotes) - sum(citation is not None for citation in found),
        bool(text and citations),
        one_line(reply.follow_up) if isinstance(reply, FollowUpReply) and not reply.sufficient else "",
    )


def one_line(text: str) -> str:
    """A model's words as one line of a reasonable length, without control characters."""
    return " ".join(without_control(text[:LONGEST_ANSWER]).split())


def without_control(text: str) -> str:
    """A text without the characters that command a terminal."""
    return _CONTROL.sub("", text)


def shown(passage: Chunk) -> str:
    """A passage as a model reads it: its title in a line of its own, then its text."""
    return "\n".join(part for part in (passage.title or passage.document_title, passage.text) if part)


def _request(
    prompt: Prompt, question: str, passages: Sequence[Chunk], steps: Sequence[FollowUp], **more: Fenced
) -> Request:
    known = [f"{step.question}\n{step.answer or 'The passages that were found do not tell.'}" for step in steps]
    values: Mapping[str, Fenced] = {
        "passages": fences("passage", [shown(passage) for passage in passages]),
        "known": fences("known", known),
        "question": fence("question", question),
        **more,
    }
    return prompt.request(_REPLY, values, expected=_EXPECTED)


def _bind(quote: Quote, passages: Sequence[Chunk]) -> Citation | None:
    if len(quote.words) > _LONGEST_QUOTE:
        return None
    named = passages[quote.passage - 1 : quote.passage] if quote.passage > 0 else ()
    for passage in (*named, *passages):
        place = find_quotation(passage.text, quote.words)
        if place:
            return Citation.of(passage, *place)
    return None
