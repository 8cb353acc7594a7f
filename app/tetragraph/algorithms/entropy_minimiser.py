"""Trees of minimal structural entropy, from nothing or from an earlier tree.

The result depends on the graph and the ranks of its nodes alone: with ranks that follow from the nodes' identity, it is
the same in whatever order they were brought in.

Source:
    SeRAG (2026), eq. (2); design of the algorithms, section 4.
"""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.structural_entropy import Labels, Rows, WeightedGraph, check_levels
from tetragraph.errors import InvalidInput


def minimise_entropy(
    graph: WeightedGraph,
    *,
    height: int = 2,
    order: Rows | None = None,
    start: Labels | None = None,
    rounds: int = 3,
) -> Labels:
    """A tree of the given height with little structural entropy.

    Args:
        graph: Weighted, of n nodes.
        height: Steps from the root to a node, at least 1. Entropy never rises with it, so it cannot choose it.
        order: ``(n,)`` rank of each node, 0 to n - 1: who is visited first, and wins ties. Its row by default.
        start: ``(h - 1, n)`` a tree of at most this height to begin from; the result is never worse.
        rounds: How often to go from nodes to communities and back at the most, at least 1.

    Returns:
        ``(height - 1, n)``; communities are connected, and numbered by their node of the smallest rank. A node without
        neighbours is a community of its own.

    Raises:
        InvalidInput: an argument breaks its rule.

    Source:
        SeRAG (2026), eq. (2).

    >>> from tetragraph.algorithms.structural_entropy import weighted_graph
    >>> pairs = weighted_graph(np.array([0, 2]), np.array([1, 3]), np.ones(2), 4)
    >>> minimise_entropy(pairs).tolist()
    [[0, 0, 1, 1]]
    """
    if height < 1 or rounds < 1:
        raise InvalidInput(f"height and rounds must be at least 1, got {height} and {rounds}")
    levels = np.empty((0, len(graph)), dtype=np.int64) if start is None else np.asarray(start, dtype=np.int64)
    check_levels(graph, levels)
    if len(levels) >= height:
        raise InvalidInput(f"the tree to begin from must not be higher than {height}, got {len(levels) + 1}")
    from tetragraph.algorithms import entropy_levels  # compiled loops take long to import

    ranks = _ranks(order, len(graph))
    ranked = entropy_levels.ranked(graph, ranks)
    levels = levels[:, np.argsort(ranks)]
    if len(levels):
        levels = entropy_levels.settled(ranked, levels, rounds)
    while len(levels) < height - 1:
        levels = entropy_levels.grown(ranked, levels, rounds)
    return levels[:, ranks]


def _ranks(order: Rows | None, size: int) -> Labels:
    ranks = np.arange(size) if order is None else np.asarray(order, dtype=np.int64)
    if ranks.shape != (size,) or not np.array_equal(np.sort(ranks), np.arange(size)):
        raise InvalidInput(f"order must hold each rank from 0 to {size - 1} once, got {ranks.shape} ranks")
    return ranks
