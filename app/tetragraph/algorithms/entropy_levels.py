"""Levels of a tree, each found by grouping units: the steps of the minimiser.

Imports compiled loops: import this module where it is needed, never with the package.

Source:
    docs/encoding-tree.md, section 3.
"""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms import entropy_kernels as kernels
from tetragraph.algorithms import entropy_tree_kernels as tree_kernels
from tetragraph.algorithms.entropy_kernels import Units
from tetragraph.algorithms.graph_kernels import connected_parts, renumber, reorder_nodes
from tetragraph.algorithms.structural_entropy import WeightedGraph, structural_entropy
from tetragraph.arrays import Labels

_UNLIMITED = np.iinfo(np.int64).max
_TURNS = 10
_LEAST_GAIN = 1e-9
"""Smallest decrease of the entropy that counts as a gain, in bits."""


def tolerance(graph: WeightedGraph) -> float:
    """Return the smallest decrease of entropy times volume that counts as a gain: larger than any rounding error."""
    return 1e-12 * graph.volume


def leaf_units(graph: WeightedGraph, above: Labels | None = None) -> Units:
    """Create one unit per node; with parents given, pairs of nodes with different parents are left out.

    Args:
        graph: Graph of n nodes and at least one pair.
        above: ``(n,)`` parent of each node; the root by default.
    """
    volumes = graph.degrees
    if above is None:
        references = np.full(len(graph), np.log2(graph.volume))
        return Units(graph.bounds, graph.neighbours, graph.weights, volumes, np.zeros(len(graph)), references)
    parents = np.bincount(above, volumes)[above]
    references = np.log2(parents, out=np.zeros(len(graph)), where=parents > 0)
    stays = np.repeat(above, np.diff(graph.bounds)) == above[graph.neighbours]
    bounds = np.r_[0, np.cumsum(stays)][graph.bounds]
    return Units(bounds, graph.neighbours[stays], graph.weights[stays], volumes, np.zeros(len(graph)), references)


def find_level(
    graph: WeightedGraph,
    *,
    above: Labels | None = None,
    below: Labels | None = None,
    start: Labels | None = None,
    rounds: int = 3,
) -> Labels:
    """Find the level between two others with the lowest cost.

    Args:
        graph: Graph of n nodes.
        above: ``(n,)`` parent of each node: the level is found inside each of them. The root by default.
        below: ``(n,)`` communities that the level consists of; the nodes by default.
        start: ``(n,)`` level to start from; the one below by default.
        rounds: Largest number of passes from the units up and back.

    Returns:
        ``(n,)`` communities numbered by first node, each connected by its units; never costlier than the start.
    """
    members, count = renumber(np.arange(len(graph)) if below is None else below)
    if not graph.volume:
        return members
    units = leaf_units(graph, above)
    if below is not None:
        units = kernels.merge(units, members, count)._replace(inner=np.zeros(count))
    labels = np.arange(count)
    if start is not None:
        labels[members] = start
        labels, _ = renumber(labels)
    labels = _lower_cost(units, labels, rounds, tolerance(graph))
    return connected_parts(units.bounds, units.neighbours, labels)[members]


def split_components(graph: WeightedGraph, labels: Labels) -> Labels:
    """Split communities into connected components, numbered by first node. Never increases the cost."""
    return connected_parts(graph.bounds, graph.neighbours, labels)


def _lower_cost(units: Units, labels: Labels, rounds: int, least: float) -> Labels:
    """Group units repeatedly, until moving single units changes nothing afterwards."""
    for _ in range(rounds):
        labels = _coarsen(units, labels, least)
        labels, moves = _settle_units(units, labels, least)
        if not moves:
            break
    return labels


def _coarsen(units: Units, labels: Labels, least: float) -> Labels:
    """Move units, merge the parts of their groups into units, and repeat while their number falls."""
    merged = []
    while True:
        labels, _ = _settle_units(units, labels, least)
        parts, count = renumber(kernels.refine(units, labels, least))
        if count == len(labels):
            break
        merged.append(parts)
        units = kernels.merge(units, parts, count)
        start = np.empty(count, dtype=np.int64)
        start[parts] = labels
        labels, _ = renumber(start)
    for parts in reversed(merged):
        labels = labels[parts]
    return labels


def _settle_units(units: Units, labels: Labels, least: float) -> tuple[Labels, int]:
    """Move single units until no move gains."""
    groups = kernels.group(units, labels, 0)
    moves, _ = kernels.move_units(units, groups, np.arange(len(labels)), _UNLIMITED, least)
    return renumber(groups.labels)[0], moves


def reorder(graph: WeightedGraph, ranks: Labels) -> WeightedGraph:
    """Reorder the nodes of a graph by their ranks."""
    if np.array_equal(ranks, np.arange(len(ranks))):
        return graph
    return WeightedGraph(*reorder_nodes(graph.bounds, graph.neighbours, graph.weights, ranks))


def add_level(graph: WeightedGraph, levels: Labels, rounds: int) -> Labels:
    """Add a level to a tree at the top or at the bottom, whichever has the lower cost; never increases the cost."""
    if not len(levels):
        return find_level(graph, rounds=rounds)[None, :]
    higher = np.vstack([find_level(graph, below=levels[0], rounds=rounds), levels])
    deeper = np.vstack([levels, find_level(graph, above=levels[-1], rounds=rounds)])
    trees = [settle_levels(graph, tree, rounds) for tree in (higher, deeper)]
    return min(trees, key=lambda tree: structural_entropy(graph, tree))


def settle_levels(graph: WeightedGraph, levels: Labels, rounds: int) -> Labels:
    """Regroup the levels of a tree one by one until none gains; keeps the height, never increases the cost."""
    if len(levels) == 1:
        return find_level(graph, start=levels[0], rounds=rounds)[None, :]
    entropy = structural_entropy(graph, levels)
    for _ in range(_TURNS):
        levels = _regroup(graph, levels)
        before, entropy = entropy, structural_entropy(graph, levels)
        if before - entropy < _LEAST_GAIN:
            break
    return levels


def _regroup(graph: WeightedGraph, levels: Labels) -> Labels:
    """Move nodes between all communities; then regroup the communities of each level, from the lowest up."""
    if not graph.volume:
        return np.array([split_components(graph, labels) for labels in levels])
    tree = tree_kernels.tree_of(leaf_units(graph), np.array([renumber(labels)[0] for labels in levels]))
    tree_kernels.move_leaves(leaf_units(graph), tree, tolerance(graph))
    turned = np.array([split_components(graph, labels) for labels in tree_kernels.levels_of(tree)])
    for level in range(len(turned) - 2, -1, -1):
        above = turned[level - 1] if level else None
        turned[level] = find_level(graph, above=above, below=turned[level + 1], start=turned[level], rounds=1)
    return turned


def repair_communities(
    graph: WeightedGraph, labels: Labels, queue: Labels, budget: int, reserved: int
) -> tuple[Labels, Labels]:
    """Move the queued nodes, and the neighbours that these moves affect, to their best communities.

    Args:
        graph: Graph of n nodes.
        labels: ``(n,)`` communities, below ``reserved + n``.
        queue: Nodes to visit first, none twice.
        budget: Largest number of visits.
        reserved: Numbers of new communities start here.

    Returns:
        ``(n,)`` communities, and the nodes that are still queued.
    """
    if not graph.volume:
        return labels, np.empty(0, dtype=np.int64)
    units = leaf_units(graph)
    groups = kernels.group(units, labels.copy(), reserved)
    _, is_waiting = kernels.move_units(units, groups, queue, budget, tolerance(graph))
    return groups.labels, np.flatnonzero(is_waiting)
