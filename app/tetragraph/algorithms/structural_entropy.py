"""Structural entropy of a tree over a weighted graph, computed by its definition.

A tree is an array of levels, ``(height - 1, n)``: row 0 contains for each node the number of its community just below
the root, the last row that of the community whose children are the nodes themselves. Every community is contained in
one of the level above. A number without nodes is unused.

Source:
    SeRAG (2026), eq. (1) and (7); docs/encoding-tree.md, sections 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.arrays import Floats, Ints, Labels, Longs
from tetragraph.errors import InvalidInput

Rows: TypeAlias = NDArray[np.integer]

QUANTUM = 2.0**-20
"""Unit of weights: sums of its multiples are exact below 2³² in any order."""


@dataclass(frozen=True)
class WeightedGraph:
    """An undirected graph without loops, each edge in the rows of both ends; see :func:`weighted_graph`.

    Attributes:
        bounds: ``(n + 1,)`` start of the row of each node, and the end of the last.
        neighbours: ``(m2,)`` neighbours of the nodes, ascending in each row.
        weights: ``(m2,)`` weights of the edges, positive multiples of :data:`QUANTUM`.
    """

    bounds: Longs
    neighbours: Ints
    weights: Floats

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def degrees(self) -> Floats:
        """``(n,)`` sum of the weights of each node."""
        totals = np.r_[0.0, np.cumsum(self.weights)]
        return np.diff(totals[self.bounds])

    @cached_property
    def volume(self) -> float:
        """Sum of the degrees."""
        return float(self.weights.sum())


def weighted_graph(first: Rows, second: Rows, weights: Floats, size: int) -> WeightedGraph:
    """Build a graph from pairs, each given once, with quantised weights; pairs of weight 0 are left out.

    Args:
        first: ``(m,)`` one end of each pair, 0 to ``size - 1``.
        second: ``(m,)`` other end of each pair, different from the first.
        weights: ``(m,)`` weights, at least 0, with a sum below 2³¹.
        size: Number of nodes, n.

    Raises:
        InvalidInput: an end, a weight or a pair breaks its rule.

    >>> graph = weighted_graph(np.array([2, 0]), np.array([1, 1]), np.array([0.5, 0.25]), 3)
    >>> graph.neighbours.tolist(), graph.degrees.tolist()
    ([1, 0, 2, 1], [0.25, 0.75, 0.5])
    """
    _check(first, second, weights, size)
    ends = (np.minimum(first, second).astype(np.int32), np.maximum(first, second).astype(np.int32))
    upper = sparse.coo_array((round_to_quantum(weights), ends), shape=(size, size)).tocsr()
    if upper.nnz < len(weights):
        raise InvalidInput(f"each pair must be given once, got {len(weights)} of which {upper.nnz} differ")
    upper.eliminate_zeros()
    both = (upper + upper.T).tocsr()
    both.sort_indices()
    return WeightedGraph(both.indptr.astype(np.int64), both.indices.astype(np.int32), both.data)


def round_to_quantum(weights: Floats) -> Floats:
    """Round weights to multiples of :data:`QUANTUM`, so that their sums are exact.

    >>> round_to_quantum(np.array([1 / 3])) / QUANTUM
    array([349525.])
    """
    return np.rint(weights / QUANTUM) * QUANTUM


def _check(first: Rows, second: Rows, weights: Floats, size: int) -> None:
    if not len(first) == len(second) == len(weights):
        raise InvalidInput(f"ends and weights must be equally many, got {len(first)}, {len(second)}, {len(weights)}")
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise InvalidInput(f"weights must be finite and at least 0, got {weights[wrong][:3].tolist()}")
    for ends in (first, second):
        outside = (ends < 0) | (ends >= size)
        if outside.any():
            raise InvalidInput(f"ends must be 0 to {size - 1}, got {ends[outside][:3].tolist()}")
    if (first == second).any():
        raise InvalidInput(f"a pair must have two ends, got {first[first == second][:3].tolist()} with themselves")


@dataclass(frozen=True, slots=True)
class LevelMeasures:
    """Sizes, weights and entropies of the communities of a level, one row per label; rows of unused labels are 0.

    Attributes:
        parents: ``(c,)`` community of the level above; 0, the root, on the first level.
        sizes: ``(c,)`` number of nodes.
        volumes: ``(c,)`` sum of the degrees of the nodes.
        cuts: ``(c,)`` sum of the weights that leave the community.
        entropies: ``(c,)`` share of the community in the entropy of the tree, in bits.
    """

    parents: Labels
    sizes: Labels
    volumes: Floats
    cuts: Floats
    entropies: Floats


def structural_entropy(graph: WeightedGraph, levels: Labels) -> float:
    """Return the mean number of bits that encode the end of a random step along an edge, given a tree.

    Args:
        graph: Weighted graph of n nodes.
        levels: ``(height - 1, n)`` levels; see the docstring of this module.

    Returns:
        At least 0, at most :func:`one_dimensional_entropy`; 0 for a graph without edges.

    Raises:
        InvalidInput: the levels do not belong to this graph, or are not nested.

    Source:
        SeRAG (2026), eq. (1).

    >>> pairs = weighted_graph(np.array([0, 2]), np.array([1, 3]), np.ones(2), 4)
    >>> structural_entropy(pairs, np.array([[0, 0, 1, 1]])), one_dimensional_entropy(pairs)
    (1.0, 2.0)
    """
    measures = tree_measures(graph, levels)
    above = measures[-1].volumes[levels[-1]] if measures else np.full(len(graph), graph.volume)
    leaves = entropy_terms(graph.degrees, graph.degrees, above).sum() / (graph.volume or 1.0)
    return float(leaves + sum(level.entropies.sum() for level in measures))


def one_dimensional_entropy(graph: WeightedGraph) -> float:
    """Return the entropy of the tree without communities: that of the distribution of degrees."""
    return structural_entropy(graph, np.empty((0, len(graph)), dtype=np.int64))


def tree_measures(graph: WeightedGraph, levels: Labels) -> list[LevelMeasures]:
    """Compute volume, cut and entropy of every community, level by level from the root.

    Raises:
        InvalidInput: the levels do not belong to this graph, or are not nested.

    Source:
        SeRAG (2026), eq. (1) and (7).
    """
    check_levels(graph, levels)
    measures: list[LevelMeasures] = []
    for number, labels in enumerate(levels):
        volumes, cuts = community_measures(graph, labels)
        parents = np.zeros(len(volumes), dtype=np.int64)
        if number:
            parents[labels] = levels[number - 1]
        above = measures[-1].volumes[parents] if number else np.full(len(volumes), graph.volume)
        sizes = np.bincount(labels, minlength=len(volumes))
        entropies = entropy_terms(cuts, volumes, above) / (graph.volume or 1.0)
        measures.append(LevelMeasures(parents, sizes, volumes, cuts, entropies))
    return measures


def community_measures(graph: WeightedGraph, labels: Labels) -> tuple[Floats, Floats]:
    """Compute volume and cut of each community.

    Args:
        graph: Weighted graph of n nodes.
        labels: ``(n,)`` community of each node, at least 0.

    Returns:
        Two arrays, as long as the largest number + 1.

    Source:
        SeRAG (2026), eq. (7).
    """
    volumes: Floats = np.bincount(labels, graph.degrees).astype(np.float64)
    leaves = np.repeat(labels, np.diff(graph.bounds))
    crosses = leaves != labels[graph.neighbours]
    cuts: Floats = np.bincount(leaves[crosses], graph.weights[crosses], len(volumes)).astype(np.float64)
    return volumes, cuts


def check_levels(graph: WeightedGraph, levels: Labels) -> None:
    """Check that levels are a tree over the graph.

    Raises:
        InvalidInput: wrong number of nodes, a negative label, or a community inside two of the level above.
    """
    if levels.ndim != 2 or levels.shape[1] != len(graph):
        raise InvalidInput(f"levels must be (height - 1, {len(graph)}) numbers, got {levels.shape}")
    if levels.size and levels.min() < 0:
        raise InvalidInput(f"communities must be numbered from 0, got {levels.min()}")
    for number, (above, below) in enumerate(pairwise(levels), start=1):
        parents = np.zeros(below.max(initial=-1) + 1, dtype=np.int64)
        parents[below] = above
        if (parents[below] != above).any():
            raise InvalidInput(f"a community must lie in one of the level above, those of level {number} do not")


def entropy_terms(cuts: Floats, volumes: Floats, above: Floats) -> Floats:
    """Compute ``-g log2(vol / vol of the parent)`` of each part of a tree; 0 where it has no volume.

    Source:
        SeRAG (2026), the terms of eq. (1) and (8) before they are divided by a volume.
    """
    shares = np.divide(volumes, above, out=np.ones_like(volumes), where=volumes > 0)
    terms: Floats = np.abs(cuts * np.log2(shares))
    return terms
