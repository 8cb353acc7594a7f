"""How far the names of a question guide its search, and the weights that follow from it.

A walk along names finds what a question of several steps needs. A question that names nothing, or only what most of its
corpus is about, is one about a topic: similarity, keywords and the relevance of similar chunks decide there.

Source:
    docs/evidence-walk.md, section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.arrays import Floats
from tetragraph.language.questions.decompose import Step
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms

_NAMED_ONLY = 0.3
"""Guidance of names that title no chunk, in a question of one step."""
_WALK_WITHOUT = 0.1
"""Factor on the weight of the walk without guidance; 1 with full guidance, as all of these."""
_KEYWORD_WITHOUT = 3.3
"""Factor on the weight of BM25 without guidance, in a question of at least :data:`_MANY_WORDS` words."""
_MANY_WORDS = 4
"""Number of words below which that factor is larger: a question of one or two words is about texts that have them."""
_DOCUMENT_WITH = 0.5
"""Factor on the weight of the document with full guidance; 1 without."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the parts of a score, for one question.

    Attributes:
        guidance: 0 for a question without names, 1 for one whose names lead from chunk to chunk.
        walk: Weight of the logarithm of the mass of the walk.
        keyword: Factor on the weighted BM25 of the relevance.
        document: Weight of the words in the other chunks of a document.
        support: Weight of the support by similar chunks. It decides among chunks that share the subject of a question;
            one whose words the corpus lacks says less of it, so trust in these words is a factor.
        terms: ``(terms,)`` information of each term of the question for the coverage; 1 in all if all count in full,
            and the trust in its words is 1.
    """

    guidance: float
    walk: float
    keyword: float
    document: float
    support: float
    terms: Floats

    @classmethod
    def choose(
        cls, postings: Postings, reading: QuestionTerms, steps: Sequence[Step], options: EvidenceOptions
    ) -> Self:
        """The weights for a question.

        Args:
            postings: Postings of the index.
            reading: Terms and names of the question.
            steps: Sub-questions.
            options: Search options.
        """
        guidance = find_guidance(reading, steps)
        keyword = _KEYWORD_WITHOUT * _MANY_WORDS / min(max(reading.words, 1), _MANY_WORDS)
        return cls(
            guidance,
            options.walk * _between(_WALK_WITHOUT, 1.0, guidance),
            _between(keyword, 1.0, guidance),
            options.document * _between(1.0, _DOCUMENT_WITH, guidance),
            options.support * (1 - guidance) * reading.trust,
            _weigh_terms(postings, reading, guidance),
        )


def find_guidance(reading: QuestionTerms, steps: Sequence[Step]) -> float:
    """0 if no name is certain; 1 if one titles a chunk, or the question has several steps; otherwise .3."""
    if not reading.name_terms:
        return 0.0
    return 1.0 if reading.is_titled or len(steps) > 1 else _NAMED_ONLY


def _weigh_terms(postings: Postings, reading: QuestionTerms, guidance: float) -> Floats:
    """Share of each term in the information of the question; those outside names count by the guidance."""
    information = postings.idf[list(reading.terms)]
    total = float(information.sum())
    weights = np.where(np.isin(reading.terms, reading.name_terms), 1.0, guidance)
    found: Floats = reading.trust * information * weights / total if total else information
    return found


def _between(without: float, full: float, guidance: float) -> float:
    return without + (full - without) * guidance
