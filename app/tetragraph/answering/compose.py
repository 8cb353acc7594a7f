"""Composes an answer from evidence: written by a language model, or extracted from a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, get_args

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, InvalidInput
from tetragraph.language.extractive_qa import read_answer
from tetragraph.language.llm_steps.answer import (
    AnswerReply,
    CheckedAnswer,
    answer_request,
    check_reply,
    notes_request,
    shown,
)
from tetragraph.llm import LazyOperation, not_configured
from tetragraph.llm.cost import CHARACTERS
from tetragraph.model import Chunk, Evidence
from tetragraph.model.answers import MIN_CONFIDENCE, Answer, AnswerKind, Citation
from tetragraph.settings import Settings
from tetragraph.validation import check_boolean, check_integer, check_one_of, is_number

CONTEXT_TOKENS: Final = 3000
"""Default limit of the evidence that a model reads."""
LEAST_CONTEXT: Final = 50
"""Smallest limit of the evidence that a model reads."""
Context = Literal["passages", "facts", "both"]
DELIMITER_TOKENS: Final = 20
"""Approximate number of tokens of the delimiters around a chunk or a fact."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options of an answer.

    Attributes:
        generate: Whether a language model writes the answer; otherwise it is extracted from a chunk. None: whether a
            model is configured.
        iterations: Largest number of searches: one for the question, and one for each follow-up question of the model.
        context_tokens: Limit of the evidence that the model reads, estimated at 4 characters a token; at least
            ``LEAST_CONTEXT``.
        context: Evidence that the model reads: ``passages`` are the chunks of the search, ``facts`` the best facts of
            the bipartite graph, ``both`` these and then chunks.
        min_confidence: Confidence, 0 to 1, below which an extractive answer is withheld; 0 shows every one.
    """

    generate: bool | None = None
    iterations: int = 1
    context_tokens: int = CONTEXT_TOKENS
    context: Context = "passages"
    min_confidence: float = MIN_CONFIDENCE

    def __post_init__(self) -> None:
        """Check every value."""
        check_integer("iterations", self.iterations, 1)
        check_integer("context_tokens", self.context_tokens, LEAST_CONTEXT)
        if not is_number(self.min_confidence) or not 0 <= self.min_confidence <= 1:
            raise InvalidInput(f"min_confidence must be a number from 0 to 1, got {self.min_confidence!r}")
        if self.generate is not None:
            check_boolean("generate", self.generate)
        check_one_of("context", self.context, get_args(Context))
        if self.context != "passages" and (self.generate is False or self.iterations > 1):
            raise InvalidInput(
                f"with context {self.context!r} a language model answers in one go: generate must not be false and "
                f"iterations must be 1, got {self.generate!r} and {self.iterations}"
            )


def is_generated(settings: Settings, options: AskOptions) -> bool:
    """Whether a language model writes the answer.

    Raises:
        LlmNotConfigured: the options demand a model, and none is configured.
        InvalidInput: no model writes the answer, and ``iterations`` is above 1.
    """
    has_model = settings.llm is not None
    if options.generate and not has_model:
        raise not_configured()
    is_written = has_model if options.generate is None else options.generate
    if not is_written and options.iterations > 1:
        raise InvalidInput(
            f"follow-up questions need a language model: iterations must be 1 without, got {options.iterations}"
        )
    return is_written


def extract_answer(evidence: Evidence, options: AskOptions, read_at_most: int | None = None) -> Answer:
    """Read the most probable answer from the chunks, without a language model.

    Below ``options.min_confidence`` there is no text; the citations are the sentences that come nearest.

    Args:
        evidence: Result of the search.
        options: Options of the answer.
        read_at_most: Number of best chunks that are read; all when left out.
    """
    reading = read_answer(evidence.question, [hit.chunk for hit in evidence.current[:read_at_most]], evidence.chain)
    is_sure = bool(reading.text) and reading.confidence >= options.min_confidence
    quotes = reading.support if is_sure else reading.nearest
    return Answer(
        evidence.question,
        reading.text if is_sure else "",
        "extractive",
        tuple(Citation.of(*quote) for quote in quotes),
        0,
        not is_sure,
        evidence,
        usage=evidence.usage,
        manifest={**evidence.manifest, "answer": describe_method("extractive", options)},
        notes=(*evidence.notes, *reading.notes),
        confidence=reading.confidence,
        explanation=reading.explanation,
    )


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """The notes of a search in several steps: the index that a language model answers from.

    Attributes:
        graph: Final graph as text, ``G_k``; empty for none.
        summary: Final summary, in place of a graph; empty for none.
        is_alone: Whether the model answers from it without chunks.
    """

    graph: str = ""
    summary: str = ""
    is_alone: bool = False


def generate_answer(
    evidence: Evidence, index: SearchIndex, options: AskOptions, llm: LazyOperation, read_at_most: int
) -> Answer:
    """Let a language model write an answer from chunks and an index, or from the index alone.

    If budget or time do not suffice, the answer is extracted from a chunk, and a note gives the reason.

    Args:
        evidence: Evidence of all steps, ``D``.
        index: Notes of the search.
        options: Options of the answer.
        llm: Operation of the language model.
        read_at_most: Number of best chunks that are read if the answer is extracted.

    Raises:
        LlmUnavailable, LlmRefused, UnusableReply: the model gives no answer.

    Source:
        GraphAnchor (2026), equation 5.
    """
    try:
        if index.is_alone:
            checked, notes = _ask_notes(evidence.question, index, llm)
        else:
            checked, notes = _ask_passages(evidence, index, options, llm)
    except (BudgetExhausted, DeadlineExceeded) as error:
        extracted = extract_answer(evidence, options, read_at_most)
        return replace(extracted, notes=(*extracted.notes, f"the answer is extracted from a passage: {error}"))
    return Answer(
        evidence.question,
        checked.text,
        "generated",
        checked.citations,
        checked.dropped,
        not checked.is_sufficient,
        evidence,
        usage=llm.usage,
        manifest={**evidence.manifest, "answer": describe_method("generated", options), **llm.record},
        notes=tuple(dict.fromkeys((*evidence.notes, *notes, *llm.notes))),
    )


def _ask_passages(
    evidence: Evidence, index: SearchIndex, options: AskOptions, llm: LazyOperation
) -> tuple[CheckedAnswer, list[str]]:
    """Ask for an answer from chunks, and the index if there is one; with notes on chunks that are not shown."""
    read = evidence.current
    chunks = truncate_to_tokens([hit.chunk for hit in read], options.context_tokens)
    notes = []
    if len(chunks) < len(read):
        limit = f"{options.context_tokens} tokens"
        notes.append(f"{len(chunks)} of {len(read)} passages were shown to the model: {limit} hold no more")
    request = answer_request(evidence.question, chunks, graph=index.graph, summary=index.summary)
    return check_reply(llm().structured(request, AnswerReply), chunks), notes


def _ask_notes(question: str, index: SearchIndex, llm: LazyOperation) -> tuple[CheckedAnswer, list[str]]:
    """Ask for an answer from the index alone; quotes are located in it, and no chunk is cited."""
    text = index.graph or index.summary
    if not text:
        return CheckedAnswer("", (), 0, is_sufficient=False), ["the search noted nothing to answer from"]
    reply = llm().structured(notes_request(question, text), AnswerReply)
    checked = check_reply(reply, [Chunk("", "", "", "", text, 0, 0, len(text), 0)])
    return replace(checked, citations=()), ["the answer rests on the notes of the search alone: no passage is cited"]


def truncate_to_tokens(chunks: Sequence[Chunk], tokens: int) -> list[Chunk]:
    """The longest prefix of a list of chunks within an estimated number of tokens; at least the start of the first.

    A truncated chunk keeps its offsets, so that citations of it also hold for the whole chunk.
    """
    selected: list[Chunk] = []
    left = int(tokens * CHARACTERS)
    for chunk in chunks:
        left -= len(shown(chunk)) + int(DELIMITER_TOKENS * CHARACTERS)
        if left < 0:
            break
        selected.append(chunk)
    if chunks and not selected:
        room = max(len(chunks[0].text) + left, 1)
        selected.append(replace(chunks[0], text=chunks[0].text[:room]))
    return selected


def describe_method(kind: AnswerKind, options: AskOptions) -> dict[str, Any]:
    """Kind and options of an answer, for its manifest."""
    return {"kind": kind, **asdict(options)}
