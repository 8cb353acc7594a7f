"""Information gain of one chunk over another, from names, terms and embeddings, without a language model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.nearest_neighbours import similarities
from tetragraph.arrays import CSR, Floats, Rows, Vectors

_BLOCK = 20_000
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Statements:
    """Features of ``n`` chunks. Matrices contain ones and zeros.

    Attributes:
        vectors: ``(n, dimension)`` embeddings of length 1.
        mentions: ``(n, entities)`` names in the text, except those in the chunk's own titles.
        describes: ``(n, entities)`` names in the chunk's titles.
        terms: ``(n, terms)`` stems of content words.
    """

    vectors: Vectors
    mentions: CSR
    describes: CSR
    terms: CSR


@dataclass(frozen=True, slots=True)
class GainWeights:
    """Constants of :func:`information_gain`; those of news sum to 1, those of anchors are below 1.

    Attributes:
        entities: Weight of the share of names that are new.
        terms: Weight of the share of terms that are new.
        residual: Weight of the part of the embedding that is not common to both.
        described: Strength of a name that the base mentions and the other chunk describes.
        describing: Strength of a name that the base describes and the other chunk mentions.
        shared: Strength of a name that both have.
        similarity: Strength of the cosine similarity.
        scale: Factor of the product of news and anchor, chosen so that all levels occur.
    """

    entities: float = 0.4
    terms: float = 0.3
    residual: float = 0.3
    described: float = 0.9
    describing: float = 0.3
    shared: float = 0.3
    similarity: float = 0.05
    scale: float = 1.3


GAIN_WEIGHTS = GainWeights()


def incidence(rows: Rows, columns: Rows, shape: tuple[int, int]) -> CSR:
    """Build a matrix of ones and zeros from the positions of its ones; a pair may be given twice."""
    matrix = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    return matrix


def self_information(holders: NDArray[np.integer], size: int) -> Floats:
    """Compute the information of each feature: ``log(1 + n / number of chunks that have it)``, in nats.

    Args:
        holders: Number of chunks with the feature; 0 counts as 1.
        size: Number of chunks, n.

    >>> self_information(np.array([1, 3]), 3).round(3).tolist()
    [1.386, 0.693]
    """
    found: Floats = np.log1p(size / np.maximum(holders, 1))
    return found


def information_gain(statements: Statements, base: Rows, other: Rows, weights: GainWeights = GAIN_WEIGHTS) -> Floats:
    """Compute the information that each chunk ``other`` adds to ``base``: news weighted by their common subject.

    ``gain = min(1, scale * news * anchor)``. News is the weighted mean of three shares: of the other chunk's
    names (by self-information) that the base lacks, of its terms that the base lacks, and of its vector (1 - cos²).
    The anchor is ``1 - product of (1 - strength)`` over the ways in which the two are about the same thing.

    Args:
        statements: Features of the chunks.
        base: ``(m,)`` rows of the chunks already read.
        other: ``(m,)`` rows of the chunks to judge.
        weights: Constants of the formula.

    Returns:
        ``(m,)`` in 0 to 1; 0 for a chunk judged against itself.

    Source:
        Replaces the language model in iG²RAG (2025), eq. (2) and (3).
    """
    names = ((statements.mentions + statements.describes) > 0).astype(np.float64).tocsr()
    size = names.shape[0]
    information = self_information(names.sum(axis=0), size)
    term_information = self_information(statements.terms.sum(axis=0), size)
    certainty = information / np.log1p(size)
    gains = np.empty(len(base))
    for start in range(0, len(base), _BLOCK):
        pair = base[start : start + _BLOCK], other[start : start + _BLOCK]
        cosine = np.clip(similarities(statements.vectors, *pair), 0.0, 1.0)
        news = (
            weights.entities * _new_share(names, information, *pair)
            + weights.terms * _new_share(statements.terms, term_information, *pair)
            + weights.residual * (1 - cosine**2)
        )
        gains[start : start + _BLOCK] = news * _anchor(statements, names, certainty, cosine, *pair, weights)
    return np.minimum(1.0, weights.scale * gains).round(_DECIMALS)


def _new_share(features: CSR, information: Floats, base: Rows, other: Rows) -> Floats:
    """Compute the share of the other chunk's information that the base lacks; 0 where it has no features."""
    total = np.asarray(features[other] @ information)
    common = np.asarray(features[base].multiply(features[other]) @ information)
    share: Floats = 1 - np.divide(common, total, out=np.ones(len(total)), where=total > 0)
    return np.clip(share, 0.0, 1.0)


def _anchor(
    statements: Statements,
    names: CSR,
    certainty: Floats,
    cosine: Floats,
    base: Rows,
    other: Rows,
    weights: GainWeights,
) -> Floats:
    ways = (
        (weights.described, statements.mentions[base], statements.describes[other]),
        (weights.describing, statements.describes[base], statements.mentions[other]),
        (weights.shared, names[base], names[other]),
    )
    doubt = 1 - weights.similarity * cosine
    for strength, first, second in ways:
        doubt *= 1 - strength * _strongest(first.multiply(second), certainty)
    return 1 - doubt


def _strongest(common: CSR, certainty: Floats) -> Floats:
    """Return the highest certainty among the common names of each row; 0 where there are none."""
    found: Floats = (common @ sparse.diags_array(certainty)).max(axis=1).toarray().ravel()
    return found
