"""Vectors of communities: means of their nodes' vectors, weighted by each node's share of the structural entropy."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from tetragraph.algorithms.structural_entropy import WeightedGraph, entropy_terms, tree_measures
from tetragraph.arrays import Floats, Labels, Vectors
from tetragraph.errors import InvalidInput

_COLUMNS = 64
"""Number of columns that are converted to double precision at a time."""
_NOTHING = 1e-9
"""A mean of unit vectors shorter than this is a rounding error of 0."""


def consolidate(graph: WeightedGraph, levels: Labels, vectors: Vectors) -> list[Vectors]:
    """Compute the vector of every community: the direction of the weighted mean of its nodes' vectors.

    Args:
        graph: Weighted graph of n nodes.
        levels: ``(height - 1, n)`` communities of the nodes, see :mod:`.structural_entropy`.
        vectors: ``(n, dimension)``, vectors of the nodes, rows of length 1.

    Returns:
        ``(c, dimension)`` for each level from the root, rows of length 1. Where all weights are 0, as in a community
        of one node, nodes have equal weights; where the mean is 0, the vector of the first node is used. Rows of
        unused labels are 0.

    Raises:
        InvalidInput: the levels are not a tree over the graph, or there is not one vector per node.

    Source:
        SeRAG (2026), eq. (8) and (9). Deviation: the paper does not define the vector of a community without weights.

    >>> from tetragraph.algorithms.structural_entropy import weighted_graph
    >>> path = weighted_graph(np.array([0, 1]), np.array([1, 2]), np.ones(2), 3)
    >>> consolidate(path, np.array([[0, 0, 1]]), np.eye(3, dtype=np.float32))[0].round(2)
    array([[0.8 , 0.59, 0.  ],
           [0.  , 0.  , 1.  ]], dtype=float32)
    """
    if vectors.ndim != 2 or len(vectors) != len(graph):
        raise InvalidInput(f"vectors must be one for each of {len(graph)} nodes, got {vectors.shape}")
    weights = structural_weights(graph, levels)
    return [_directions(labels, own, vectors) for labels, own in zip(levels, weights, strict=True)]


def structural_weights(graph: WeightedGraph, levels: Labels) -> list[Floats]:
    """Compute for each level from the root the ``(n,)`` weight of each node in its own community.

    Weights are those of eq. (8) times the volume of the community, which eq. (9) cancels: sums over the path of
    ``-g log2(vol / vol of the parent)``.
    """
    weights = np.zeros(len(graph))
    volumes, cuts = graph.degrees, graph.degrees
    result = []
    for labels, level in zip(levels[::-1], tree_measures(graph, levels)[::-1], strict=True):
        above = level.volumes[labels]
        weights = weights + entropy_terms(cuts, volumes, above)
        result.append(weights)
        volumes, cuts = above, level.cuts[labels]
    return result[::-1]


def _directions(labels: Labels, weights: Floats, vectors: Vectors) -> Vectors:
    """``(c, dimension)`` weighted means of the vectors of each community, scaled to length 1."""
    weights = np.where(np.bincount(labels, weights)[labels] > 0, weights, 1.0)
    totals = np.bincount(labels, weights)
    sums = _sums(labels, weights, vectors)
    numbers, firsts = np.unique(labels, return_index=True)
    is_nothing = np.linalg.norm(sums[numbers], axis=1) <= _NOTHING * totals[numbers]
    sums[numbers[is_nothing]] = vectors[firsts[is_nothing]]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    directions: Vectors = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0).astype(np.float32)
    return directions


def _sums(labels: Labels, weights: Floats, vectors: Vectors) -> Floats:
    """``(c, dimension)`` weighted sums of the vectors of each community."""
    shape = (labels.max(initial=-1) + 1, len(labels))
    matrix = sparse.csr_array((weights, (labels, np.arange(len(labels)))), shape=shape)
    sums = np.empty((shape[0], vectors.shape[1]))
    for start in range(0, vectors.shape[1], _COLUMNS):
        columns = slice(start, start + _COLUMNS)
        sums[:, columns] = matrix @ vectors[:, columns].astype(np.float64)
    return sums
