"""Relevance of each chunk to a question by itself: as a hit, and as a destination of the walk.

Source:
    docs/evidence-walk.md, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Flags, Floats
from tetragraph.language.lexicon.file_names import asked_words, share_named
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import COMPARED, EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.similarity import TextSimilarity


@dataclass(frozen=True, slots=True)
class Relevance:
    """Relevance of every chunk to one question.

    Attributes:
        similarities: Similarities with the whole question.
        trust: Factor on BM25, 0 to 1: the trust in the words of the question, less what a file's name has of them.
        keyword: ``(chunks,)`` weighted BM25.
        file_name: ``(chunks,)`` weighted share of the name of its file that the question has.
        total: ``(chunks,)`` ``z``, their sum; ``-inf`` for chunks that may not be found.
        destination: ``(chunks,)`` attraction of the mass of the walk: ``z``, or its mean with that of the residual
            question, which is the question without names.
        bonds: ``(mentions,)`` weight of each mention by the relevance of its sentences to the question; None if all
            are equal.
    """

    similarities: TextSimilarity
    trust: float
    keyword: Floats
    file_name: Floats
    total: Floats
    destination: Floats
    bonds: Floats | None


def compute_relevance(
    index: Index,
    question: Question,
    reading: QuestionTerms,
    options: EvidenceOptions,
    is_allowed: Flags,
) -> Relevance:
    """Compare a question with every chunk.

    ``d(p) = (cos(q, p) + max over sentences cos(q, s)) / 2`` and
    ``z = d + trust (1 - max F) keyword BM25 / max BM25 + file_name F``; a mention weighs
    ``exp(sharpness max cos(q, s))`` over its sentences; the walk is attracted by
    ``z / 2 + (z - d + cos(residual, p)) / 2`` if the question names an entity.

    Args:
        index: Index of the corpus, or of a part of it.
        question: The question with its vector.
        reading: Terms and entities of the question.
        options: Search options.
        is_allowed: ``(chunks,)`` whether a chunk may be found.
    """
    passages = index.passages if options.sentences else index.passages.without_sentences()
    similarities = passages.compare(question.vector, COMPARED)
    shares = compare_file_names(index, question.text) if options.file_name else np.zeros(len(index.documents))
    trust = reading.trust * (1 - float(shares[is_allowed].max(initial=0.0)))
    keyword = trust * options.keyword * index.postings.relative_score(reading.terms)
    file_name = options.file_name * shares
    total = np.where(is_allowed, similarities.similarity + keyword + file_name, -np.inf)
    destination = total
    residual = without_names(question.text, reading)
    if options.residual and residual:
        near = passages.compare_passages(question.embed(residual))
        destination = (total + near + keyword + file_name) / 2
    bonds = np.exp(options.sharpness * passages.best_of_all_mentions(similarities)) if passages.has_sentences else None
    return Relevance(similarities, trust, keyword, file_name, total, destination, bonds)


def compare_file_names(index: Index, question: str) -> Floats:
    """``(chunks,)`` share F of the words of a file's name that a question has; 0 where a document has another title."""
    if not index.file_names:
        return np.zeros(len(index.documents))
    asked = asked_words(question)
    shares = np.array([share_named(name, asked) if name else 0.0 for name in index.file_names])
    return shares[index.documents]


def without_names(text: str, reading: QuestionTerms) -> str:
    """The residual question: its words without the names of entities; empty if there is no name or no other word."""
    ends = [0, *(end for _, end in reading.spans)]
    starts = [*(start for start, _ in reading.spans), len(text)]
    rest = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return " ".join(rest.split()) if reading.spans else ""
