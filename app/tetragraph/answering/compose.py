"""From evidence to an answer: in a language model's words, or as a stretch of a passage."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeVar

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

Piece = TypeVar("Piece")
CONTEXT_TOKENS: Final = 3000
"""Of evidence that a model is shown, where nobody says how many."""
_MARKS: Final = 20
"""Tokens of the marks round a passage, about."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How an answer is made.

    Attributes:
        generate: Whether a language model words it; by default where one is set. Without one it is a stretch of a
            passage.
        iterations: How many searches at the most: the question's, and one for each follow-up question of the model.
        context_tokens: How much of the evidence the model is shown, estimated at 4 characters a token.
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


class AnswerIterator(Iterator[Piece]):
    """What is made piece by piece and ends with an answer: iterate over the pieces, then read ``.answer``.

    Args:
        making: Gives the pieces, and returns the answer.
        no_answer: What to say where the pieces ended with an error.
    """

    def __init__(self, making: Generator[Piece, None, Answer], no_answer: str) -> None:
        self._making = making
        self._no_answer = no_answer
        self._answer: Answer | None = None

    def __next__(self) -> Piece:
        try:
            return next(self._making)
        except StopIteration as end:
            self._answer = self._answer or end.value
            raise

    @property
    def answer(self) -> Answer:
        """The answer; what has not been read of the pieces is made and passed over.

        Raises:
            InvalidInput: they ended with an error.
        """
        for _ in self:
            pass
        if self._answer is None:
            raise InvalidInput(self._no_answer)
        return self._answer


def is_generated(settings: Settings, options: AskOptions) -> bool:
    """Whether a language model is to word the answer.

    Raises:
        LlmNotConfigured: it is, and none is set.
    """
    has_model = settings.llm is not None
    if options.generate and not has_model:
        raise not_configured()
    return has_model if options.generate is None else options.generate


def extract_answer(evidence: Evidence, options: AskOptions, most: int | None = None) -> Answer:
    """The likeliest stretch of a passage.

    Args:
        evidence: What was found.
        options: For the manifest.
        most: How many of the passages are read, the best ones; all when left out.
    """
    span = find_span(evidence.question, [hit.chunk for hit in evidence.hits[:most]], evidence.chain)
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
        manifest={**evidence.manifest, "answer": manifest("extractive", options)},
        notes=evidence.notes,
    )


def generate_answer(evidence: Evidence, graph: str, options: AskOptions, llm: LazyOperation, most: int) -> Answer:
    """An answer in a language model's words, from passages and an anchor graph.

    Where budget or time do not suffice it is the likeliest stretch of a passage, and a note says so.

    Args:
        evidence: What was found in all steps, ``D``.
        graph: The final graph as text, ``G_k``; empty for none.
        options: How the answer is made.
        llm: Asks the model.
        most: How many passages are read where no model words the answer.

    Raises:
        LlmUnavailable, LlmRefused, UnusableReply: the model gives no answer.

    Source:
        GraphAnchor (2026), equation 5.
    """
    passages = truncate_to_tokens([hit.chunk for hit in evidence], options.context_tokens)
    notes = list(evidence.notes)
    if len(passages) < len(evidence):
        limit = f"{options.context_tokens} tokens"
        notes.append(f"{len(passages)} of {len(evidence)} passages were shown to the model: {limit} hold no more")
    try:
        reply = llm().structured(answer_request(evidence.question, passages, graph=graph), AnswerReply)
    except (BudgetExhausted, DeadlineExceeded) as error:
        found = extract_answer(evidence, options, most)
        return replace(found, notes=(*evidence.notes, f"the answer is a stretch of a passage: {error}"))
    told = check_reply(reply, passages)
    return Answer(
        evidence.question,
        told.text,
        "generated",
        told.citations,
        told.dropped,
        not told.is_sufficient,
        evidence,
        usage=llm.usage,
        manifest={**evidence.manifest, "answer": manifest("generated", options), **llm.record},
        notes=tuple(dict.fromkeys((*notes, *llm.notes))),
    )


def truncate_to_tokens(passages: Sequence[Chunk], tokens: int) -> list[Chunk]:
    """The first passages that a number of tokens holds, by estimate; at least a beginning of the first one.

    A passage that is cut keeps its offsets: what is cited of it stands in the whole one, too.
    """
    kept: list[Chunk] = []
    left = int(tokens * CHARACTERS)
    for passage in passages:
        left -= len(shown(passage)) + int(_MARKS * CHARACTERS)
        if left < 0:
            break
        kept.append(passage)
    if passages and not kept:
        room = max(len(passages[0].text) + left, 1)
        kept.append(replace(passages[0], text=passages[0].text[:room]))
    return kept


def manifest(kind: AnswerKind, options: AskOptions) -> dict[str, Any]:
    """How an answer was made."""
    return {"kind": kind, **asdict(options)}
