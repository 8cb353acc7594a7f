"""How relevant each passage is to a question by itself: as a hit, and as a place for the walk to go to.

Source:
    docs/evidence-walk.md, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Flags, Floats
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.index import QuestionTerms
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import COMPARED, EvidenceOptions
from tetragraph.systems.evidence_walk.similarity import TextSimilarity


@dataclass(frozen=True, slots=True)
class Relevance:
    """Of every passage to one question.

    Attributes:
        closeness: To the question as a whole.
        keyword: ``(passages,)`` weighted BM25.
        total: ``(passages,)`` ``z = similarity + keyword``; ``-inf`` for passages that may not be found.
        destination: ``(passages,)`` what draws the walk's mass: ``z``, or its mean with that of the residual
            question, which asks without the names.
        bonds: ``(mentions,)`` weight of each mention: how much the sentences that it stands in bear on the question;
            None where all count the same.
    """

    closeness: TextSimilarity
    keyword: Floats
    total: Floats
    destination: Floats
    bonds: Floats | None

    def parts(self, row: int) -> dict[str, float]:
        """What ``z`` of a passage is made of."""
        whole, best = float(self.closeness.whole[row]) / 2, float(self.closeness.best[row]) / 2
        return {"similarity": whole, "sentence": best, "keyword": float(self.keyword[row])}


def judge(
    index: Index,
    question: Question,
    reading: QuestionTerms,
    options: EvidenceOptions,
    is_allowed: Flags,
) -> Relevance:
    """Compare a question with every passage.

    ``d(p) = (cos(q, p) + max over sentences cos(q, s)) / 2`` and ``z = d + keyword BM25 / max BM25``; a mention
    weighs ``exp(sharpness max cos(q, s))`` over its sentences; the walk is drawn by
    ``z / 2 + (cos(residual, p) + keyword) / 2`` where the question names an entity.

    Args:
        index: Of the corpus.
        question: With its vector.
        reading: Of the question.
        options: Of the search.
        is_allowed: ``(passages,)`` which may be found.
    """
    passages = index.passages if options.sentences else index.passages.without_sentences()
    closeness = passages.compare(question.vector, COMPARED)
    keyword = options.keyword * index.postings.relative_score(reading.terms)
    total = np.where(is_allowed, closeness.similarity + keyword, -np.inf)
    destination = total
    residual = without_names(question.text, reading)
    if options.residual and residual:
        near = passages.compare_passages(question.embed(residual))
        destination = (total + near + keyword) / 2
    bonds = np.exp(options.sharpness * passages.best_of_all_mentions(closeness)) if passages.has_sentences else None
    return Relevance(closeness, keyword, total, destination, bonds)


def without_names(text: str, reading: QuestionTerms) -> str:
    """The residual question: the words beside the names of entities; empty where there is no name or nothing beside."""
    ends = [0, *(end for _, end in reading.spans)]
    starts = [*(start for start, _ in reading.spans), len(text)]
    rest = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return " ".join(rest.split()) if reading.spans else ""
