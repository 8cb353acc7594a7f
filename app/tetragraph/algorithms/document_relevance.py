"""Evidence that the other texts of a document add to the relevance of one of its texts.

A long document is cut into many texts. That several of them are relevant, or contain together what the question asks
for, is evidence for each that a comparison of single texts misses.

Source:
    docs/evidence-walk.md, section 5.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Floats, Longs, Rows

CANDIDATES = 200
"""Number of texts that count as relevant, the most relevant ones."""
_SHARPNESS = 10.0
"""Slope of the soft maximum."""


def document_evidence(
    relevance: Floats, documents: Longs, weigh: Callable[[Rows], Floats], word_weight: float
) -> Floats:
    """Evidence from the texts of each document that are among the 200 most relevant texts of all.

    It is the soft maximum of their relevance less its maximum, ``ln(sum exp(10 (z - max z))) / 10``, and
    ``word_weight`` times their keyword score as one text less the highest of a single one. As one text, each term of
    the question counts where it weighs most.

    Args:
        relevance: ``(n,)`` relevance ``z``; ``-inf`` for texts that are left out.
        documents: ``(n,)`` document of each text, numbered from 0.
        weigh: Returns the ``(terms, texts)`` contributions of the terms of the question to the keyword score of texts,
            which is at most about 1.
        word_weight: Weight of the words.

    Returns:
        ``(n,)`` from 0, the same for all texts of a document; 0 for documents of which at most one text is relevant.
    """
    rows = top(relevance, CANDIDATES)
    rows = np.sort(rows[np.isfinite(relevance[rows])])
    if not rows.size:
        return np.zeros(len(relevance))
    found, document = np.unique(documents[rows], return_inverse=True)
    total = _soft_excess(relevance[rows], document) + word_weight * _word_excess(weigh(rows), document)
    evidence = np.zeros(int(documents.max()) + 1)
    evidence[found] = total
    return evidence[documents]


def _soft_excess(relevance: Floats, document: Longs) -> Floats:
    highest = _highest(relevance, document)
    shares = np.exp(_SHARPNESS * (relevance - highest[document]))
    excess: Floats = np.log(np.bincount(document, shares)) / _SHARPNESS
    return excess


def _word_excess(weights: Floats, document: Longs) -> Floats:
    together = np.zeros(int(document.max()) + 1)
    own = np.zeros(len(document))
    for row in weights:
        together += _highest(row, document)
        own += row
    return np.maximum(together - _highest(own, document), 0.0)


def _highest(values: Floats, document: Longs) -> Floats:
    """``(documents,)`` highest value of the texts of each document."""
    highest = np.full(int(document.max()) + 1, -np.inf)
    np.maximum.at(highest, document, values)
    return highest
