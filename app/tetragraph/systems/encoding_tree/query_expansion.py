"""How a question is made to say more than its words: a port, with what needs no model behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from tetragraph.arrays import Floats, Vectors
from tetragraph.language.llm_steps.self_query import write_passage
from tetragraph.stores.corpus import Question
from tetragraph.systems.encoding_tree.index import TreeIndex

FIRST_HITS = 3
SHARPNESS = 25.0
"""Sharpness of the shares of the first hits: equal scores share equally, at .1 less a hit has a twelfth."""
CONFIDENCE = 0.5
"""How much a name that a first hit mentions counts, beside one in the question."""


@dataclass(frozen=True, slots=True)
class FirstHit:
    """A chunk that the question alone finds: its row and its score."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class ExpandedQuestion:
    """The vector and the entities of a search.

    Attributes:
        vector: ``(dimension,)`` of length 1 (``h_q``).
        sought: Place of an entity, not in the question, to how much a chunk that describes it is wanted, 0 to 1.
        shown_by: Place of such an entity to the row of the first hit that shows it most.
        passage: What a language model wrote for the question; empty where none was asked.
    """

    vector: Vectors
    sought: Mapping[int, float] = field(default_factory=dict)
    shown_by: Mapping[int, int] = field(default_factory=dict)
    passage: str = ""


class QueryExpansion(Protocol):
    """Gives what is searched with.

    Source:
        SeRAG (2026), section 3.3 and appendix A.1.
    """

    def __call__(
        self, index: TreeIndex, question: Question, first_hits: Callable[[], Sequence[FirstHit]], /
    ) -> ExpandedQuestion:
        """Enhance a question; ``first_hits`` gives what the question alone finds, best first."""


def by_first_hits(
    index: TreeIndex, question: Question, first_hits: Callable[[], Sequence[FirstHit]]
) -> ExpandedQuestion:
    """Also ask for what the first hits mention: the next step of a question that asks in several.

    The first hits share by the exponential of their scores; what they mention counts by its information. Deviation
    from the paper, which has a model write a passage: see :func:`by_self_query`.
    """
    hits = list(first_hits())[:FIRST_HITS]
    if not hits:
        return ExpandedQuestion(question.vector)
    scores = np.array([hit.score for hit in hits])
    shares: Floats = np.exp(SHARPNESS * (scores - scores.max()))
    shares /= shares.sum()
    sought: dict[int, float] = {}
    shown: dict[int, tuple[float, int]] = {}
    for hit, share in zip(hits, shares.tolist(), strict=True):
        bounds = index.mentions.indptr[hit.row : hit.row + 2]
        for entity in index.mentions.indices[slice(*bounds)].tolist():
            weight = CONFIDENCE * share * float(index.information[entity])
            sought[entity] = sought.get(entity, 0.0) + weight
            shown[entity] = max(shown.get(entity, (0.0, hit.row)), (weight, hit.row), key=lambda found: found[0])
    return ExpandedQuestion(question.vector, sought, {entity: row for entity, (_, row) in shown.items()})


def by_self_query(_: TreeIndex, question: Question, __: Callable[[], Sequence[FirstHit]]) -> ExpandedQuestion:
    """Compare with the question and a passage that a language model writes for it, together.

    Raises:
        LlmError: none is set, it did not answer within the budget, or its reply has no text.

    Source:
        SeRAG (2026), appendix A.1 and eq. (10).
    """
    passage = write_passage(question.llm(), question.text)
    return ExpandedQuestion(question.embed(f"{question.text}\n{passage}"), passage=passage)


def by_both(index: TreeIndex, question: Question, first_hits: Callable[[], Sequence[FirstHit]]) -> ExpandedQuestion:
    """Compare with question and passage, and ask for what the first hits of the question alone mention."""
    written = by_self_query(index, question, first_hits)
    return replace(by_first_hits(index, question, first_hits), vector=written.vector, passage=written.passage)


ENHANCEMENTS: Mapping[str, QueryExpansion] = {
    "first_hits": by_first_hits,
    "self_query": by_self_query,
    "both": by_both,
}
