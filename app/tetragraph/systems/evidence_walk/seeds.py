"""Seeds of the walk of a question: similar chunks, chunks of the entities it names, chunks with its other names.

Source:
    docs/evidence-walk.md, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.evidence_walk import Transition, similarity_seeds
from tetragraph.arrays import Floats, Ints
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms

_COMMON_SHARE = 50
"""A name that occurs in more than one of this number of chunks yields no seeds."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """Mass at the start, by reason; each ``(chunks,)``, with a sum of 1 in all, or 0 if nothing may be reached.

    Attributes:
        similar: Mass of the chunks most similar to the question.
        named: Mass of the chunks of the entities that the question names.
        worded: Mass of the chunks that contain a name of the question that is no entity.
        shares: Entity behind ``named`` to its share of all mass.
    """

    similar: Floats
    named: Floats
    worded: Floats
    shares: Mapping[int, float]

    @property
    def total(self) -> Floats:
        """``(chunks,)`` seeds of the walk."""
        return self.similar + self.named + self.worded


def find_seeds(index: Index, reading: QuestionTerms, relevance: Floats, transition: Transition) -> Seeds:
    """Divide the mass between similarity and names.

    ``base = (1 - a) s + a b`` with ``s`` the softmax of similarity, ``b`` proportional to
    ``sum over entities idf(e)² P(p|e) + sum over unlinked names w² ez(p) / sum ez``, and ``a`` the entity share
    by the trust in the words of the question, 0 if no name of the question leads to a chunk.
    """
    similar = similarity_seeds(relevance, transition.options)
    entities = [entity for entity in reading.entities if np.isfinite(transition.entity_pull[entity])]
    weights = transition.graph.information[entities]
    named = transition.spread(entities, weights)
    worded = _unlinked_name_seeds(index.postings, reading, transition.pull)
    total = named.sum() + worded.sum()
    if total <= 0:
        return Seeds(similar, named, worded, {})
    share = transition.options.entity_share * reading.trust
    scale = share / total
    shares = dict(zip(entities, (scale * weights).tolist(), strict=True))
    return Seeds((1 - share) * similar, scale * named, scale * worded, shares)


def _unlinked_name_seeds(postings: Postings, reading: QuestionTerms, pull: Floats) -> Floats:
    mass = np.zeros(postings.rows)
    for stems in reading.rest:
        rows, weight = _holders(postings, stems)
        if rows.size and pull[rows].sum() > 0:
            mass[rows] += weight**2 * pull[rows] / pull[rows].sum()
    return mass


def _holders(postings: Postings, stems: tuple[int, ...]) -> tuple[Ints, float]:
    """Chunks with all stems of a name, otherwise those with its rarest at half weight; none for common names."""
    known = [stem for stem in stems if stem >= 0]
    if not known:
        return np.zeros(0, dtype=np.int32), 0.0
    rows: Ints = reduce(np.intersect1d, [postings.holders(stem) for stem in known])
    factor = 1.0
    weight = sum(float(postings.idf[stem]) for stem in known)
    if len(known) < len(stems) or not rows.size:
        rarest = max(known, key=lambda stem: (postings.idf[stem], -stem))
        rows, factor, weight = postings.holders(rarest), 0.5, float(postings.idf[rarest])
    if len(rows) > max(postings.corpus / _COMMON_SHARE, 1):
        return np.zeros(0, dtype=np.int32), 0.0
    return rows, factor * min(weight, float(np.log1p(postings.corpus / len(rows))))
