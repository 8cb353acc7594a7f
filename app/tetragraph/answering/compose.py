"""Composes an answer from evidence: written by a language model, or extracted from a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, InvalidInput
from tetragraph.language.extractive_qa import find_span
from tetragraph.language.llm_steps.answer import (
    AnswerReply,
    answer_request,
    check_reply,
    shown,
)
from tetragraph.llm import LazyOperation, not_configured
from tetragraph.llm.cost import CHARACTERS
from tetragraph.model import Chunk, Evidence
from tetragraph.model.answers import Answer, AnswerKind, Citation
from tetragraph.settings import Settings
from tetragraph.validation import check_integer

CONTEXT_TOKENS: Final = 3000
"""Default limit of the evidence that a model reads."""
_MARKS: Final = 20
"""Approximate number of tokens of the delimiters around a chunk."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options of an answer.

    Attributes:
        generate: Whether a language model writes the answer; otherwise it is extracted from a chunk. None: whether a
            model is configured.
        iterations: Largest number of searches: one for the question, and one for each follow-up question of the model.
        context_tokens: Limit of the evidence that the model reads, estimated at 4 characters a token; at least 50.
    """

    generate: bool | None = None
    iterations: int = 1
    context_tokens: int = CONTEXT_TOKENS

    def __post_init__(self) -> None:
        """Check every value."""
        check_integer("iterations", self.iterations, 1)
        check_integer("context_tokens", self.context_tokens, 50)
        if self.generate not in (None, True, False):
            raise InvalidInput(f"generate must be true, false or none, got {self.generate!r}")
        if self.generate is False and self.iterations > 1:
            raise InvalidInput(
                f"follow-up questions need a language model: iterations must be 1 without, got {self.iterations}"
            )


def is_generated(settings: Settings, options: AskOptions) -> bool:
    """Whether a language model writes the answer.

    Raises:
        LlmNotConfigured: the options demand a model, and none is configured.
    """
    has_model = settings.llm is not None
    if options.generate and not has_model:
        raise not_configured()
    return has_model if options.generate is None else options.generate


def extract_answer(evidence: Evidence, options: AskOptions, read_at_most: int | None = None) -> Answer:
    """Extract the most probable answer, word for word, from the text of a chunk.

    Args:
        evidence: Result of the search.
        options: Options of the answer, for its manifest.
        read_at_most: Number of best chunks that are read; all when left out.
    """
    span = find_span(evidence.question, [hit.chunk for hit in evidence.hits[:read_at_most]], evidence.chain)
    citations = (Citation.of(span.chunk, *span.sentence),) if span else ()
    return Answer(
        evidence.question,
        " ".join(span.chunk.text[span.start : span.end].split()) if span else "",
        "extractive",
        citations,
        0,
        span is None,
        evidence,
        usage=evidence.usage,
        manifest={**evidence.manifest, "answer": describe_method("extractive", options)},
        notes=evidence.notes,
    )


def generate_answer(
    evidence: Evidence, graph: str, options: AskOptions, llm: LazyOperation, read_at_most: int
) -> Answer:
    """Let a language model write an answer from chunks and an anchor graph.

    If budget or time do not suffice, the answer is extracted from a chunk, and a note gives the reason.

    Args:
        evidence: Evidence of all steps, ``D``.
        graph: Final graph as text, ``G_k``; empty for none.
        options: Options of the answer.
        llm: Operation of the language model.
        read_at_most: Number of best chunks that are read if the answer is extracted.

    Raises:
        LlmUnavailable, LlmRefused, UnusableReply: the model gives no answer.

    Source:
        GraphAnchor (2026), equation 5.
    """
    chunks = truncate_to_tokens([hit.chunk for hit in evidence], options.context_tokens)
    notes = list(evidence.notes)
    if len(chunks) < len(evidence):
        limit = f"{options.context_tokens} tokens"
        notes.append(f"{len(chunks)} of {len(evidence)} passages were shown to the model: {limit} hold no more")
    try:
        reply = llm().structured(answer_request(evidence.question, chunks, graph=graph), AnswerReply)
    except (BudgetExhausted, DeadlineExceeded) as error:
        extracted = extract_answer(evidence, options, read_at_most)
        return replace(extracted, notes=(*evidence.notes, f"the answer is extracted from a passage: {error}"))
    checked = check_reply(reply, chunks)
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
        notes=tuple(dict.fromkeys((*notes, *llm.notes))),
    )


def truncate_to_tokens(chunks: Sequence[Chunk], tokens: int) -> list[Chunk]:
    """The longest prefix of a list of chunks within an estimated number of tokens; at least the start of the first.

    A truncated chunk keeps its offsets, so that citations of it also hold for the whole chunk.
    """
    selected: list[Chunk] = []
    left = int(tokens * CHARACTERS)
    for chunk in chunks:
        left -= len(shown(chunk)) + int(_MARKS * CHARACTERS)
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
