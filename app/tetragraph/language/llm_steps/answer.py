"""Asks a language model for an answer from chunks, and locates its quotes in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict

from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.prompts import Fenced, Prompt, fence, fences, load
from tetragraph.llm import Request
from tetragraph.llm.structured import with_schema
from tetragraph.model import Chunk
from tetragraph.model.answers import Citation, FollowUp

_REPLY: Final = 500
"""Limit of a reply in tokens."""
_EXPECTED: Final = 120
_MOST_QUOTES: Final = 8
_LONGEST_QUOTE: Final = 1000
LONGEST_ANSWER: Final = 2000
"""Limit in characters, as a server may send replies of any length."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Characters that move the cursor of a terminal, or change the direction of its text."""


def _in_words(value: Any) -> Any:
    """A number as text and a boolean as yes or no, as models answer with the value itself."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else value


AnswerText: TypeAlias = Annotated[str, BeforeValidator(_in_words)]


class Quote(BaseModel):
    """Words that the reply quotes from a chunk."""

    model_config = ConfigDict(json_schema_extra={"description": "Words that are said to stand in a passage."})

    passage: int
    words: str


class AnswerReply(BaseModel):
    """A reply; the quotes come first, so that a model looks before it answers."""

    quotes: list[Quote]
    sufficient: bool
    answer: AnswerText


class FollowUpReply(AnswerReply):
    """A reply that may contain a follow-up question instead of an answer."""

    model_config = ConfigDict(json_schema_extra={"description": "A reply that may ask on instead."})

    follow_up: str


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A checked reply.

    Attributes:
        text: Answer in one line; empty if the model reports that the chunks do not contain one.
        citations: Quotes that were found, each once, in the order of the reply.
        dropped: Number of quotes that were not found.
        is_sufficient: Whether there is an answer, and a quote for it.
        follow_up: Follow-up question to search for; empty for none.
    """

    text: str
    citations: tuple[Citation, ...]
    dropped: int
    is_sufficient: bool
    follow_up: str = ""


def answer_request(
    question: str, passages: Sequence[Chunk], steps: Sequence[FollowUp] = (), graph: str = "", summary: str = ""
) -> Request:
    """The request for an :class:`AnswerReply`.

    Args:
        question: The question.
        passages: Chunks from which to answer; the reply refers to them by their numbers, from 1.
        steps: Earlier follow-up questions with their answers.
        graph: An anchor graph as text, which shows how the chunks are related; empty for none.
        summary: A summary of what matters in the chunks, in place of a graph; empty for none.

    Source:
        With a graph: GraphAnchor (2026), equation 5; with a summary figure 14.
    """
    if summary:
        request = _request(load("answer_from_summary"), question, passages, steps, summary=fence("summary", summary))
        return with_schema(request, AnswerReply)
    if graph:
        request = _request(load("answer_from_graph"), question, passages, steps, graph=fence("graph", graph))
    else:
        request = _request(load("answer"), question, passages, steps)
    return with_schema(request, AnswerReply)


def notes_request(question: str, notes: str) -> Request:
    """The request for an :class:`AnswerReply` from the notes of a search alone, which its quotes call passage 1.

    Source:
        GraphAnchor (2026), section 5.2: question answering with the graph alone.
    """
    values = {"notes": fence("notes", notes), "question": fence("question", question)}
    return with_schema(load("answer_from_notes").request(_REPLY, values, expected=_EXPECTED), AnswerReply)


def follow_up_request(question: str, passages: Sequence[Chunk], steps: Sequence[FollowUp] = ()) -> Request:
    """The request for a :class:`FollowUpReply`; see :func:`answer_request`."""
    return with_schema(_request(load("follow_up"), question, passages, steps), FollowUpReply)


def check_reply(reply: AnswerReply, passages: Sequence[Chunk]) -> CheckedAnswer:
    """Check a reply: locate its quotes in the chunks, and convert its texts to single lines.

    A quote is searched for in the chunk that the reply names, then in the others. An answer that the reply itself marks
    as insufficient is left out.

    Args:
        reply: Reply of the model.
        passages: Chunks of the request, in order.
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
    """Text of a model as one line of limited length, without control characters."""
    return " ".join(without_control(text[:LONGEST_ANSWER]).split())


def without_control(text: str) -> str:
    """A text without the characters that control a terminal."""
    return _CONTROL.sub("", text)


def shown(passage: Chunk) -> str:
    """A chunk in the form for the model: its title in a line of its own, then its text."""
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
