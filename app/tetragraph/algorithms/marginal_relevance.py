"""Maximal marginal relevance: chunks similar to the question and dissimilar to those selected before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tetragraph.arrays import Floats, Longs
from tetragraph.errors import InvalidInput


class Marginal(NamedTuple):
    """Chunks in order of selection; ``(count,)`` each.

    Attributes:
        order: Indices of the chunks.
        relevance: ``trade_off`` times the similarity to the question.
        redundancy: ``1 - trade_off`` times the largest similarity to those selected before. Relevance minus redundancy
            never rises along the order.
    """

    order: Longs
    relevance: Floats
    redundancy: Floats


def marginal_relevance(relevance: Floats, similarity: Floats, count: int, trade_off: float) -> Marginal:
    """Select the chunk of the largest marginal relevance repeatedly; ties go to the first.

    Args:
        relevance: ``(n,)`` similarity to the question, -1 to 1.
        similarity: ``(n, n)`` similarity between chunks, -1 to 1.
        count: Number of chunks to select; all if there are fewer.
        trade_off: λ, 0 to 1: at 1 only relevance counts, at 0 only diversity.

    Raises:
        InvalidInput: ``trade_off`` is not between 0 and 1.

    Source:
        Carbonell and Goldstein (1998), section 2; the baseline of iG²RAG (2025), appendix C.3. Deviation: negative
        similarities between chunks count as 0.

    >>> near = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> marginal_relevance(np.array([0.8, 0.7, 0.4]), near, 2, 0.5).order.tolist()
    [0, 2]
    """
    if not 0 <= trade_off <= 1:
        raise InvalidInput(f"trade_off must be between 0 and 1, got {trade_off!r}")
    gain = trade_off * relevance
    nearest = np.zeros(len(relevance))
    chosen: list[int] = []
    redundancy: list[float] = []
    for _ in range(min(count, len(relevance))):
        values = gain - (1 - trade_off) * nearest
        values[chosen] = -np.inf
        best = int(np.argmax(values))
        chosen.append(best)
        redundancy.append((1 - trade_off) * float(nearest[best]))
        nearest = np.maximum(nearest, similarity[best])
    order = np.array(chosen, dtype=np.int64)
    return Marginal(order, gain[order], np.array(redundancy))
