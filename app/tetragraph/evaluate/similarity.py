"""Similarity of retrieved and gold knowledge, from the vectors that the corpus stores.

Source: BiG-RAG, section 6.1.3 (R-S). Deviation: the paper embeds both texts as a whole, longer than what most embedders
read; here the vector of several chunks is the mean of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tetragraph.arrays import Floats, Vectors
from tetragraph.evaluate.metrics import covers
from tetragraph.evaluate.model import Found, GoldQuestion, Run
from tetragraph.evaluate.run_methods import EvaluatedCorpus


def find_gold_means(subject: EvaluatedCorpus, questions: Sequence[GoldQuestion]) -> dict[str, Floats]:
    """``(dimension,)`` mean vector of the chunks that contain gold, by question id.

    A question without such a chunk is left out.
    """
    documents: dict[str, list[Found]] = {gold.document: [] for question in questions for gold in question.gold}
    for place in subject.find_places(sorted(documents)):
        documents[place.document].append(place)
    wanted = {
        question.id: sorted(
            {one.chunk for gold in question.gold for one in documents[gold.document] if covers(one, gold)}
        )
        for question in questions
    }
    vectors = subject.find_vectors(sorted({chunk for chunks in wanted.values() for chunk in chunks}))
    return {question: _mean(chunks, vectors) for question, chunks in wanted.items() if chunks}


def score_similarity(
    subject: EvaluatedCorpus, run: Run, gold: Mapping[str, Floats], ks: Sequence[int]
) -> dict[str, dict[str, float]]:
    """``r_s@k`` by question id: cosine between the mean vectors of the first k chunks and of the gold, −1 to 1.

    A question for which nothing was found scores 0.

    Args:
        subject: Corpus that was searched.
        run: Run of which every chunk is one of the corpus.
        gold: Result of :func:`find_gold_means`.
        ks: Ranks at which the ranking is cut.
    """
    found = {question: [one.chunk for one in run.rankings.get(question, ())] for question in gold}
    vectors = subject.find_vectors(sorted({chunk for chunks in found.values() for chunk in chunks}))
    return {
        question: {f"r_s@{k}": _cosine(_mean(chunks[:k], vectors), gold[question]) if chunks else 0.0 for k in ks}
        for question, chunks in found.items()
    }


def _mean(chunks: Sequence[str], vectors: Mapping[str, Vectors]) -> Floats:
    mean: Floats = np.mean([vectors[chunk] for chunk in chunks], axis=0, dtype=np.float64)
    return mean


def _cosine(one: Floats, other: Floats) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0
