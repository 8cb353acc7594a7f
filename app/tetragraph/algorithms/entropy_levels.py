"""Levels of a tree, each found by grouping units: the parts of the minimiser.

Imports compiled loops: import it where it is used, not at import of the package.

Source:
    docs/encoding-tree.md, section 3.
"""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms import entropy_kernels as kernels
from tetragraph.algorithms import entropy_tree_kernels as tree_kernels
from tetragraph.algorithms.entropy_kernels import Units
from tetragraph.algorithms.graph_kernels import connected_parts, permute, renumber
from tetragraph.algorithms.structural_entropy import WeightedGraph, structural_entropy
from tetragraph.arrays import Labels

_UNLIMITED = np.iinfo(np.int64).max
_TURNS = 10
_LEAST_GAIN = 1e-9
"""In bits."""


def tolerance(graph: WeightedGraph) -> float:
    """Amount by which a move must lower entropy times volume: above rounding errors."""
    return 1e-12 * graph.volume


def leaf_units(graph: WeightedGraph, above: Labels | None = None) -> Units:
    """The nodes as units; if their parents are given, without the pairs of different parents.

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
    inside = np.repeat(above, np.diff(graph.bounds)) == above[graph.neighbours]
    bounds = np.r_[0, np.cumsum(inside)][graph.bounds]
    return Units(bounds, graph.neighbours[inside], graph.weights[inside], volumes, np.zeros(len(graph)), references)


def find_level(
    graph: WeightedGraph,
    *,
    above: Labels | None = None,
    below: Labels | None = None,
    start: Labels | None = None,
    rounds: int = 3,
) -> Labels:
    """The cheapest level between two others.

    Args:
        graph: Graph of n nodes.
        above: ``(n,)`` parent of each node: the level is found inside each of them. The root by default.
        below: ``(n,)`` communities that the level consists of; the nodes by default.
        start: ``(n,)`` level to start from; the one below by default.
        rounds: Largest number of passes from the units up and back.

    Returns:
        ``(n,)`` numbered by first node, each community connected by its units; never worse than the start.
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


def split_into_components(graph: WeightedGraph, labels: Labels) -> Labels:
    """Communities split into their connected components, numbered by first node. Never raises the cost."""
    return connected_parts(graph.bounds, graph.neighbours, labels)


def _lower_cost(units: Units, labels: Labels, rounds: int, least: float) -> Labels:
    """Group in rounds, until moving single units changes nothing."""
    for _ in range(rounds):
        labels = _move_and_merge(units, labels, least)
        labels, moves = _move_units(units, labels, least)
        if not moves:
            break
    return labels


def _move_and_merge(units: Units, labels: Labels, least: float) -> Labels:
    """Move units and merge them into the parts of their groups; repeat with the parts while their number falls."""
    merged = []
    while True:
        labels, _ = _move_units(units, labels, least)
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


def _move_units(units: Units, labels: Labels, least: float) -> tuple[Labels, int]:
    """Move single units until no move lowers the cost."""
    groups = kernels.group(units, labels, 0)
    moves, _ = kernels.move_units(units, groups, np.arange(len(labels)), _UNLIMITED, least)
    return renumber(groups.labels)[0], moves


def sort_by_rank(graph: WeightedGraph, ranks: Labels) -> WeightedGraph:
    """The graph with the nodes in the order of their ranks."""
    if np.array_equal(ranks, np.arange(len(ranks))):
        return graph
    return WeightedGraph(*permute(graph.bounds, graph.neighbours, graph.weights, ranks))


def add_level(graph: WeightedGraph, levels: Labels, rounds: int) -> Labels:
    """A tree with one more level, no worse than the given one: the better of a new top and a new bottom level."""
    if not len(levels):
        return find_level(graph, rounds=rounds)[None, :]
    higher = np.vstack([find_level(graph, below=levels[0], rounds=rounds), levels])
    deeper = np.vstack([levels, find_level(graph, above=levels[-1], rounds=rounds)])
    trees = [improve_tree(graph, tree, rounds) for tree in (higher, deeper)]
    return min(trees, key=lambda tree: structural_entropy(graph, tree))


def improve_tree(graph: WeightedGraph, levels: Labels, rounds: int) -> Labels:
    """A tree of the same height, no worse than the given one: every level is found again until that gains nothing."""
    if len(levels) == 1:
        return find_level(graph, start=levels[0], rounds=rounds)[None, :]
    entropy = structural_entropy(graph, levels)
    for _ in range(_TURNS):
        levels = _improve_levels(graph, levels)
        before, entropy = entropy, structural_entropy(graph, levels)
        if before - entropy < _LEAST_GAIN:
            break
    return levels


def _improve_levels(graph: WeightedGraph, levels: Labels) -> Labels:
    """Move nodes between all communities; then regroup the communities of each level, from the lowest up."""
    if not graph.volume:
        return np.array([split_into_components(graph, labels) for labels in levels])
    tree = tree_kernels.tree_of(leaf_units(graph), np.array([renumber(labels)[0] for labels in levels]))
    tree_kernels.move_leaves(leaf_units(graph), tree, tolerance(graph))
    improved = np.array([split_into_components(graph, labels) for labels in tree_kernels.levels_of(tree)])
    for level in range(len(improved) - 2, -1, -1):
        above = improved[level - 1] if level else None
        improved[level] = find_level(graph, above=above, below=improved[level + 1], start=improved[level], rounds=1)
    return improved


def repair_communities(
    graph: WeightedGraph, labels: Labels, queue: Labels, budget: int, reserved: int
) -> tuple[Labels, Labels]:
    """Communities after the nodes of the queue, and the neighbours of those that moved, have found their best.

    Args:
        graph: Graph of n nodes.
        labels: ``(n,)`` communities, below ``reserved + n``.
        queue: Nodes to visit first, each once.
        budget: Largest number of visits.
        reserved: Numbers below it are not given to new communities.

    Returns:
        The communities, and the nodes that still wait for a visit.
    """
    if not graph.volume:
        return labels, np.empty(0, dtype=np.int64)
    units = leaf_units(graph)
    groups = kernels.group(units, labels.copy(), reserved)
    _, is_waiting = kernels.move_units(units, groups, queue, budget, tolerance(graph))
    return groups.labels, np.flatnonzero(is_waiting)
