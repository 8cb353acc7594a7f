"""How much more, or less, relevant than a text the texts most similar to it are.

Texts that are similar are relevant to the same questions. Where many texts are about equally relevant, those among
relevant ones are therefore the better hits.

Source:
    Diaz (2005), "Regularizing ad hoc retrieval scores"; docs/evidence-walk.md, section 5.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Floats, Rows, Vectors

CANDIDATES = 300
"""Number of texts that are compared with one another, the most relevant ones."""
NEIGHBOURS = 5
"""Number of neighbours of a text."""
_AMONG = 50
"""Number of texts over which the flatness is taken."""
_SHARPNESS = 30.0
"""Slope of the softmax whose perplexity measures the flatness."""


def neighbour_support(relevance: Floats, vectors: Callable[[Rows], Vectors]) -> Floats:
    """Mean relevance of the nearest neighbours less that of the text itself, times the flatness of all relevance.

    The flatness is ``1 - 1 / perplexity`` of ``softmax(30 relevance)`` over the 50 most relevant texts: 0 where one
    text stands out, near 1 where many are alike. Neighbours are sought among the 300 most relevant texts; ties go to
    the more relevant one.

    Args:
        relevance: ``(n,)`` relevance; ``-inf`` for texts that are left out.
        vectors: Returns the ``(rows, dimension)`` vectors, of length 1, of some texts.

    Returns:
        ``(n,)``, 0 for texts that were not compared; all 0 if these are not more than a text has neighbours.
    """
    support = np.zeros(len(relevance))
    rows = top(relevance, CANDIDATES)
    rows = rows[np.isfinite(relevance[rows])]
    if len(rows) <= NEIGHBOURS:
        return support
    own = relevance[rows]
    support[rows] = flatness(own[:_AMONG]) * (own[_nearest(vectors(rows))].mean(axis=1) - own)
    return support


def _nearest(vectors: Vectors) -> Rows:
    """``(n, NEIGHBOURS)`` most similar other rows of each row."""
    cosines = dot_products(vectors[:, None], vectors)
    np.fill_diagonal(cosines, -np.inf)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :NEIGHBOURS]


def flatness(relevance: Floats) -> float:
    """``1 - 1 / perplexity`` of the softmax of some relevance, in descending order; 0 for a single text.

    >>> flatness(np.zeros(4)), flatness(np.array([9.0, 0.0]))
    (0.75, 0.0)
    """
    shares = np.exp(_SHARPNESS * (relevance - relevance[0]))
    shares /= shares.sum()
    logs = np.log(np.maximum(shares, np.finfo(np.float64).tiny))
    return float(1 - np.exp((shares * logs).sum()))
