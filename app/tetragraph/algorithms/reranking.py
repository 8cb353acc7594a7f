"""Adds the scores of a second ranking to those of a first one, at the same spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Floats, Labels


@dataclass(frozen=True, slots=True)
class Addends:
    """Addends of a reranking to the scores of hits.

    Attributes:
        values: ``(n,)`` addends in units of the first score, 0 or more.
        questions: ``(n,)`` number of the question that each hit answers best, in comparison with the other hits.
    """

    values: Floats
    questions: Labels


def rerank_addends(scores: Floats, judged: Floats, weight: float) -> Addends:
    """Scale the scores of a reranker to the spread of those of a method.

    Each row of ``judged`` is scaled to mean 0 and standard deviation 1 over the hits. A hit gets the highest value of
    its column, if that is above 0, times ``weight`` and the standard deviation of ``scores``. So a hit can only rise:
    a passage that is a step on the way to an answer is below the mean of every question, and no worse for that.

    Args:
        scores: ``(n,)`` scores of the method; where all are equal, their deviation counts as 1.
        judged: ``(questions, n)`` scores of the reranker.
        weight: Weight relative to the score of the method, 0 or more.

    >>> rerank_addends(np.array([4.0, 2.0]), np.array([[-5.0, 5.0]]), 0.5).values.tolist()
    [0.0, 0.5]
    """
    if not len(scores):
        return Addends(np.zeros(0), np.zeros(0, dtype=np.int64))
    spread = judged.std(axis=1, keepdims=True)
    scaled = np.divide(judged - judged.mean(axis=1, keepdims=True), spread, out=np.zeros_like(judged), where=spread > 0)
    unit = weight * (float(scores.std()) or 1.0)
    return Addends(unit * np.maximum(scaled.max(axis=0), 0.0), scaled.argmax(axis=0))
