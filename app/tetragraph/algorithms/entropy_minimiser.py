"""Trees of minimal structural entropy, built from scratch or from an earlier tree.

The result depends only on the graph and the ranks of its nodes: with ranks that follow from the nodes' identity, it
does not depend on the order of the nodes.

Source:
    SeRAG (2026), eq. (2); docs/encoding-tree.md, section 3.
"""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.structural_entropy import Rows, WeightedGraph, check_levels
from tetragraph.arrays import Labels
from tetragraph.errors import InvalidInput

VISITS = 1024
"""Visits per changed node: enough for all but one change in thousands; a rare one may affect the whole graph."""


def minimise_entropy(
    graph: WeightedGraph,
    *,
    height: int = 2,
    order: Rows | None = None,
    start: Labels | None = None,
    rounds: int = 3,
) -> Labels:
    """Find a tree of the given height with minimal structural entropy, approximately.

    Args:
        graph: Weighted graph of n nodes.
        height: Steps from the root to a node, at least 1. Entropy never rises with the height, so it cannot select one.
        order: ``(n,)`` rank of each node, 0 to n - 1: order of visits, which also breaks ties. Its row by default.
        start: ``(h - 1, n)`` tree of at most this height to start from; the result has no higher entropy.
        rounds: Largest number of passes from nodes to communities and back, at least 1.

    Returns:
        ``(height - 1, n)`` communities, connected and numbered by their node of the smallest rank. A node without
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
    if min(height, rounds) < 1:
        raise InvalidInput(f"height and rounds must be at least 1, got {height} and {rounds}")
    levels = np.empty((0, len(graph)), dtype=np.int64) if start is None else np.asarray(start, dtype=np.int64)
    check_levels(graph, levels)
    if len(levels) >= height:
        raise InvalidInput(f"the tree to begin from must not be higher than {height}, got {len(levels) + 1}")
    from tetragraph.algorithms import entropy_levels  # slow: imports compiled loops

    ranks = _ranks(order, len(graph))
    ranked = entropy_levels.reorder(graph, ranks)
    levels = np.ascontiguousarray(levels[:, np.argsort(ranks)])
    if len(levels):
        levels = entropy_levels.settle_levels(ranked, levels, rounds)
    while len(levels) < height - 1:
        levels = entropy_levels.add_level(ranked, levels, rounds)
    return levels[:, ranks]


def levels_above(
    graph: WeightedGraph, labels: Labels, height: int, *, order: Rows | None = None, rounds: int = 3
) -> Labels:
    """Compute the upper levels of a tree, each grouped from the one below; keeps the lowest, as after :func:`repair`.

    Args:
        graph: Weighted graph of n nodes.
        labels: ``(n,)`` communities of the lowest level.
        height: Height of the whole tree, at least 2.
        order: ``(n,)`` rank of each node, see :func:`minimise_entropy`.
        rounds: Largest number of passes, see :func:`minimise_entropy`.

    Returns:
        ``(height - 2, n)`` communities of the upper levels.

    Raises:
        InvalidInput: an argument breaks its rule.

    >>> from tetragraph.algorithms.structural_entropy import weighted_graph
    >>> path = weighted_graph(np.arange(3), np.arange(1, 4), np.ones(3), 4)
    >>> levels_above(path, np.array([0, 5, 7, 9]), 3).tolist()
    [[0, 0, 1, 1]]
    """
    check_levels(graph, labels[None, :])
    if min(height - 1, rounds) < 1:
        raise InvalidInput(f"height must be at least 2 and rounds 1, got {height} and {rounds}")
    from tetragraph.algorithms import entropy_levels  # slow: imports compiled loops

    ranks = _ranks(order, len(graph))
    ranked = entropy_levels.reorder(graph, ranks)
    levels = [labels[np.argsort(ranks)]]
    while len(levels) < height - 1:
        levels.insert(0, entropy_levels.find_level(ranked, below=levels[0], rounds=rounds))
    return np.array(levels)[:-1, ranks]


def repair(
    graph: WeightedGraph, labels: Labels, dirty: Rows, *, order: Rows | None = None, budget: int | None = None
) -> tuple[Labels, Labels]:
    """Update communities after a change: move new and dirty nodes to their best community, then affected neighbours.

    The entropy never exceeds that of the given communities with each new node alone. Communities may become
    disconnected when a connecting node is deleted; :func:`minimise_entropy` with the result as its start splits them.

    Args:
        graph: Weighted graph of n nodes after the change.
        labels: ``(n,)`` community of each node, -1 for new ones.
        dirty: Other nodes to visit, such as the neighbours of new and of deleted ones.
        order: ``(n,)`` rank of each node, see :func:`minimise_entropy`.
        budget: Largest number of visits; :data:`VISITS` for each new or dirty node by default.

    Returns:
        ``(n,)`` communities, and the nodes that are still queued, ascending. A community keeps its number while it has
        a member; new ones are numbered from the largest number + 1 on.

    Raises:
        InvalidInput: an argument breaks its rule.

    Source:
        docs/encoding-tree.md, section 4.

    >>> from tetragraph.algorithms.structural_entropy import weighted_graph
    >>> pairs = weighted_graph(np.array([0, 2]), np.array([1, 3]), np.ones(2), 4)
    >>> repair(pairs, np.array([3, -1, -1, -1]), np.array([0]))
    (array([3, 3, 4, 4]), array([], dtype=int64))
    """
    _check_repair(graph, labels, dirty, budget)
    from tetragraph.algorithms import entropy_levels  # slow: imports compiled loops

    ranks = _ranks(order, len(graph))
    nodes = np.argsort(ranks)
    given = labels[nodes]
    is_new, is_dirty = given < 0, np.zeros(len(graph), dtype=bool)
    is_dirty[ranks[dirty]] = True
    numbers = np.unique(given[~is_new])
    reserved = len(numbers)
    start = np.where(is_new, reserved + np.cumsum(is_new) - 1, np.searchsorted(numbers, given))
    queue = np.r_[np.flatnonzero(is_new), np.flatnonzero(is_dirty & ~is_new)]
    budget = VISITS * len(queue) if budget is None else budget
    found, left = entropy_levels.repair_communities(
        entropy_levels.reorder(graph, ranks), start, queue, budget, reserved
    )
    added, places = np.unique(found[found >= reserved], return_index=True)
    following = given.max(initial=-1) + 1 + np.argsort(np.argsort(places))
    renumbered = np.r_[numbers, following][np.searchsorted(np.r_[np.arange(reserved), added], found)]
    return renumbered[ranks], np.sort(nodes[left])


def _check_repair(graph: WeightedGraph, labels: Labels, dirty: Rows, budget: int | None) -> None:
    if labels.shape != (len(graph),) or labels.min(initial=-1) < -1:
        raise InvalidInput(f"labels must be {len(graph)} numbers of at least -1, got {labels.shape}")
    if len(dirty) and not 0 <= dirty.min() <= dirty.max() < len(graph):
        raise InvalidInput(f"dirty nodes must be 0 to {len(graph) - 1}, got {dirty.min()} to {dirty.max()}")
    if budget is not None and budget < 0:
        raise InvalidInput(f"budget must be at least 0, got {budget}")


def _ranks(order: Rows | None, size: int) -> Labels:
    ranks = np.arange(size) if order is None else np.asarray(order, dtype=np.int64)
    if ranks.shape != (size,) or not np.array_equal(np.sort(ranks), np.arange(size)):
        raise InvalidInput(f"order must hold each rank from 0 to {size - 1} once, got {ranks.shape} ranks")
    return ranks
