"""Evidence that the other texts of a document add to the relevance of one of its texts.

A long document is cut into many texts. That several of them are relevant, or contain together what the question asks
for, is evidence for each that a comparison of single texts misses. Of a document that is a large part of the corpus
many texts are among the relevant ones by chance, so only what exceeds their expected number is evidence.

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


def expected_texts(shares: Floats) -> Floats:
    """``(n,)`` number of texts of a document that would be among the 200 most relevant by chance, at least 1.

    Args:
        shares: ``(n,)`` share of all texts that belong to the document of each text, 0 to 1.
    """
    return np.maximum(CANDIDATES * shares, 1.0)


def document_evidence(
    relevance: Floats, documents: Longs, shares: Floats, weigh: Callable[[Rows], Floats], word_weight: float
) -> Floats:
    """Evidence from the texts of each document that are among the 200 most relevant texts of all.

    It is the soft maximum of their relevance less its maximum and less the logarithm of their expected number ``m``,
    ``ln(sum exp(10 (z - max z)) / m) / 10``, from 0; and ``word_weight`` times their keyword score as one text less
    the highest of a single one, over the square root of ``m``. As one text, each term of the question counts where it
    weighs most.

    Args:
        relevance: ``(n,)`` relevance ``z``; ``-inf`` for texts that are left out.
        documents: ``(n,)`` document of each text, numbered from 0.
        shares: ``(n,)`` share of all texts that belong to the document of each; see :func:`expected_texts`.
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
    found, first, document = np.unique(documents[rows], return_index=True, return_inverse=True)
    by_chance = expected_texts(shares[rows[first]])
    soft = np.maximum(_soft_excess(relevance[rows], document) - np.log(by_chance) / _SHARPNESS, 0.0)
    total = soft + word_weight * _word_excess(weigh(rows), document) / np.sqrt(by_chance)
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
