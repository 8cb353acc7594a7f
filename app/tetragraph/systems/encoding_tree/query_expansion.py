"""Expansion of a question: by a passage that a language model writes, and by what the first hits mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from tetragraph.arrays import Floats, Vectors
from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps.self_query import write_passage
from tetragraph.stores.corpus import Question
from tetragraph.systems.encoding_tree.index import TreeIndex
from tetragraph.systems.encoding_tree.options import Expansion

FIRST_HITS = 3
SHARPNESS = 25.0
"""Sharpness of the shares of the first hits: a hit whose score is .1 lower has a twelfth of the share."""
CONFIDENCE = 0.5
"""Weight of a name that a first hit mentions, relative to one in the question."""
WRITTEN: Final[frozenset[Expansion]] = frozenset({"self_query", "both"})
"""Expansions by a passage."""
FOLLOWED: Final[frozenset[Expansion]] = frozenset({"first_hits", "both"})
"""Expansions by what the first hits mention."""


@dataclass(frozen=True, slots=True)
class FirstHit:
    """A chunk found by the question alone: its row and its score."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class ExpandedQuestion:
    """The vector and the entities of a search.

    Attributes:
        vector: ``(dimension,)`` of length 1 (``h_q``).
        sought: Weight, 0 to 1, of the chunks that describe an entity outside the question, by its index.
        shown_by: Row of the first hit that contributes most to such an entity, by its index.
        passage: Passage that a language model wrote for the question; empty without one.
    """

    vector: Vectors
    sought: Mapping[int, float] = field(default_factory=dict)
    shown_by: Mapping[int, int] = field(default_factory=dict)
    passage: str = ""


def write(question: Question, expansion: Expansion, note: Callable[[str], None]) -> ExpandedQuestion:
    """The question with the joint embedding of itself and a passage that a language model writes for it.

    An expansion without a passage leaves the question as it is, and so does a reply that cannot be used, with a note.

    Args:
        question: The question with its vector.
        expansion: Expansion of the search.
        note: Receives the result notes.

    Raises:
        LlmError: no model is configured, or it did not answer within the budget.

    Source:
        SeRAG (2026), section 3.3, appendix A.1 and eq. (10).
    """
    if expansion not in WRITTEN:
        return ExpandedQuestion(question.vector)
    try:
        passage = write_passage(question.llm(), question.text)
    except UnusableReply as error:
        note(f"the language model's passage could not be used, the question was searched for without it: {error}")
        return ExpandedQuestion(question.vector)
    return ExpandedQuestion(question.embed(f"{question.text}\n{passage}"), passage=passage)


def follow(index: TreeIndex, hits: Sequence[FirstHit], expanded: ExpandedQuestion) -> ExpandedQuestion:
    """Also search for entities that the first hits mention: the next step of a multi-hop question.

    First hits are weighted by the exponential of their scores, entities by their information. Deviation
    from the paper, in which a model writes a passage: see :func:`write`.

    Args:
        index: Index of the corpus.
        hits: Hits of the question alone, best first; the first :data:`FIRST_HITS` count.
        expanded: The question, perhaps with a passage.
    """
    hits = hits[:FIRST_HITS]
    if not hits:
        return expanded
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
    return replace(expanded, sought=sought, shown_by={entity: row for entity, (_, row) in shown.items()})
