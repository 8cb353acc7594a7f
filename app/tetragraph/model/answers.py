"""Answers to questions: what was answered, which passages carry it, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tetragraph.model import Chunk, Evidence
from tetragraph.model.usage import NOTHING, Usage

AnswerKind = Literal["generated", "extractive"]


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a passage that carry an answer: ``quote`` is exactly ``chunk.text[start:end]``.

    Attributes:
        chunk: Id of the chunk.
        document: Id of its document.
        title: Of the chunk.
    """

    chunk: str
    document: str
    title: str
    start: int
    end: int
    quote: str

    @classmethod
    def of(cls, chunk: Chunk, start: int, end: int) -> Citation:
        """The citation of a stretch of a chunk's text."""
        return cls(chunk.id, chunk.document_id, chunk.title, start, end, chunk.text[start:end])


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that was asked on the way to an answer.

    Attributes:
        question: In the model's words.
        answer: Of the model; empty where what was found does not tell.
        chunks: Ids of the chunks that were found for it, best first.
    """

    question: str
    answer: str
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its evidence.

    Attributes:
        text: One line; empty where the evidence does not carry an answer.
        kind: ``generated`` in a language model's words, or ``extractive``: a stretch of a passage, found without one.
        citations: What the answer rests on, each checked against its passage; of an extractive one the sentence that it
            stands in.
        dropped_citations: Quotes of the model that stand in none of the passages.
        insufficient: Whether the evidence does not carry the answer: the model says so (then there is no text), or
            none of its quotes could be found (then the text is only its claim).
        evidence: What was found. Where follow-up questions were asked, their passages stand behind those of the
            question, each once, and scores can be compared within one search only.
        steps: The follow-up questions, in order.
        usage: What the language model cost, in searches too.
        manifest: Of the search, and how the answer was made.
        notes: Said in words: of the search, and every way in which the answer is not what was asked for.
        session: Id of the session that keeps how it came about; empty where none does.
    """

    question: str
    text: str
    kind: AnswerKind
    citations: tuple[Citation, ...]
    dropped_citations: int
    insufficient: bool
    evidence: Evidence
    steps: tuple[FollowUp, ...] = ()
    usage: Usage = NOTHING
    manifest: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    session: str = ""
