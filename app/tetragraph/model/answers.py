"""Answers to questions, with the chunks that support them and the usage of the language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tetragraph.model import Chunk, Evidence, FoundFact
from tetragraph.model.display import html_table, shorten, to_plain
from tetragraph.model.pictures import draw_hits
from tetragraph.model.usage import NOTHING, Usage

AnswerKind = Literal["generated", "extractive"]
MIN_CONFIDENCE: Final = 0.25
"""Default confidence below which there is no extractive answer; see docs/answers.md."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote from a chunk that supports an answer: ``quote`` is exactly ``chunk.text[start:end]``.

    Attributes:
        chunk: Id of the chunk.
        document: Id of its document.
        title: Title of the chunk.
        source: Origin of the document, such as its file.
        page: Number of the page on which the chunk begins, from 1; None where it is unknown.
        place: Where the chunk stands, for display, as in :attr:`Chunk.place`.
        offset: Offset of the quote in the text of the document.
    """

    chunk: str
    document: str
    title: str
    start: int
    end: int
    quote: str
    source: str = ""
    page: int | None = None
    place: str = ""
    offset: int = 0

    @classmethod
    def of(cls, chunk: Chunk, start: int, end: int) -> Citation:
        """The citation of a span of a chunk's text."""
        quote = chunk.text[start:end]
        where = (chunk.source, chunk.page, chunk.place, chunk.start + start)
        return cls(chunk.id, chunk.document_id, chunk.title, start, end, quote, *where)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A follow-up question that the language model asked before its answer.

    Attributes:
        question: Question in the words of the model.
        answer: Answer of the model; empty where the chunks found do not contain one, and in the RL mode.
        chunks: Ids of the chunks found for it, best first.
        thought: Thought of the model on what was found, in the RL mode, whose queries have no answers.
    """

    question: str
    answer: str
    chunks: tuple[str, ...]
    thought: str = ""


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """A sub-question of an extractive answer, and what was taken for its answer.

    Attributes:
        question: Sub-question, with the answers of earlier ones inserted.
        answer: Likeliest answer; empty where none was found.
        weight: Probability of that answer in the search, 0 to 1; None for the last one, whose answer is the answer.
    """

    question: str
    answer: str
    weight: float | None


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """A possible answer: words of a chunk, ``chunk.text[start:end]``.

    Attributes:
        probability: Probability before calibration, 0 to 1, of all spans with these words.
        chunk: Id of the chunk.
    """

    text: str
    probability: float
    chunk: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnswerExplanation:
    """Where an extractive answer comes from.

    Attributes:
        rule: ``span`` for the likeliest span; ``sentence`` for a whole sentence; for a comparison of two entities
            ``dates``, ``numbers``, ``countries``, ``same``, ``both``, ``common`` or ``which``, after what was compared,
            or ``choice`` for the likelier name.
        reason: Values that decided, in words.
        steps: Sub-questions in order.
        candidates: Likeliest spans, best first; empty for a comparison.
    """

    rule: str
    reason: str
    steps: tuple[SubAnswer, ...]
    candidates: tuple[AnswerCandidate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """An answer with its evidence.

    Attributes:
        text: Answer in one line; empty where the evidence does not contain one, or an extractive one is not sure.
        kind: ``generated`` in the words of a language model, or ``extractive``, found without one: a span of a chunk,
            or the result of a comparison.
        citations: Quotes that support the answer, each checked against its chunk; for an extractive answer the
            sentences that it rests on, or those that come nearest if there is no text.
        dropped_citations: Quotes of the model that occur in none of the chunks.
        insufficient: Whether the evidence does not support the answer: the model reports so (then there is no text),
            none of its quotes could be found (then the text is only its claim), or the confidence in an extractive
            answer is too low (then there is no text).
        evidence: Evidence of the search. The hits of follow-up questions come after those of the question, each once;
            scores are comparable within one search only.
        steps: Follow-up questions, in order.
        usage: Language model usage of searches and answer.
        manifest: Manifest of the search, and of how the answer was generated.
        notes: Warnings in words: those of the search, and every way in which the answer differs from the request.
        session: Id of the session that stores its steps; empty without a session.
        facts: Facts that the language model read, best first; empty where it read none.
        confidence: Probability that the likeliest extractive answer is right, 0 to 1, calibrated on questions with
            known answers; None for a generated answer.
        explanation: Origin of an extractive answer; None for a generated one.
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
    facts: tuple[FoundFact, ...] = ()
    confidence: float | None = None
    explanation: AnswerExplanation | None = None

    def __repr__(self) -> str:
        kind = f"{self.kind}, insufficient" if self.insufficient else self.kind
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"Answer({shorten(self.text)!r}, {kind}, {len(self.citations)} citations{sure})"

    def to_dict(self) -> dict[str, Any]:
        """All fields as types of JSON: what ``tetragraph ask --json`` prints."""
        found: dict[str, Any] = to_plain(self)
        return found

    def _repr_html_(self) -> str:
        rows = [
            (number, one.quote, one.title, one.source or one.document) for number, one in enumerate(self.citations, 1)
        ]
        doubt = ["insufficient: the evidence does not support an answer"] if self.insufficient else []
        sure = [] if self.confidence is None else [f"confidence: {self.confidence:.0%}"]
        below = [*doubt, *sure, *(f"note: {note}" for note in self.notes)]
        table = html_table(f"{self.text or 'no answer'} ({self.kind})", ("", "quote", "title", "place"), rows, below)
        cited = {one.chunk for one in self.citations}
        hits = [hit for hit in self.evidence if hit.chunk.id in cited]
        return table + draw_hits(hits, answer=self.text, others=self.evidence.hits)
