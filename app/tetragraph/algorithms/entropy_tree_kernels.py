"""A compiled loop that moves nodes in a tree of any height, by the effect on the cost of every level.

A community costs ``X log2(V / V_root)``, with ``X`` twice the weight of the pairs whose lowest common community it is.
Moving a node changes ``X`` and ``V`` only of the communities above its old and its new place.

Source:
    docs/encoding-tree.md, sections 2 and 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tetragraph.algorithms.entropy_kernels import NEW, Units, call, cost, line_up, next_in
from tetragraph.algorithms.graph_kernels import compiled
from tetragraph.arrays import Floats, Labels


class Tree(NamedTuple):
    """The communities of every level; the bottom level is the last.

    Attributes:
        labels: ``(n,)`` community of each node on the bottom level.
        parents: ``(levels, n + 1)`` parent of each community, its number on the level above.
        volumes: ``(levels, n + 1)`` volume of each community.
        between: ``(levels, n + 1)`` twice the weight of the pairs whose lowest common community it is.
        sizes: ``(n + 1,)`` number of nodes in each community of the bottom level.
        free: ``(n + 1,)`` stack of numbers for new communities of the bottom level.
        room: ``(1,)`` height of that stack.
    """

    labels: Labels
    parents: Labels
    volumes: Floats
    between: Floats
    sizes: Labels
    free: Labels
    room: Labels


@compiled
def tree_of(units: Units, levels: Labels) -> Tree:
    """Convert levels, ``(height - 1, n)``, each numbered from 0 without gaps, to a tree."""
    height, size = levels.shape
    parents = np.zeros((height, size + 1), dtype=np.int64)
    volumes, between = np.zeros((height, size + 1)), np.zeros((height, size + 1))
    sizes = np.zeros(size + 1, dtype=np.int64)
    for node in range(size):
        sizes[levels[-1, node]] += 1
        for level in range(height):
            volumes[level, levels[level, node]] += units.volumes[node]
            if level:
                parents[level, levels[level, node]] = levels[level - 1, node]
        for edge in range(units.bounds[node], units.bounds[node + 1]):
            other, level = units.neighbours[edge], height - 1
            while level >= 0 and levels[level, node] != levels[level, other]:
                level -= 1
            if level >= 0:
                between[level, levels[level, node]] += units.weights[edge]
    free, room = np.empty(size + 1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for label in range(size, -1, -1):
        if not sizes[label]:
            free[room[0]] = label
            room[0] += 1
    return Tree(levels[-1].copy(), parents, volumes, between, sizes, free, room)


@compiled
def levels_of(tree: Tree) -> Labels:
    """Return the ``(height - 1, n)`` communities of the nodes."""
    levels = np.empty((len(tree.parents), len(tree.labels)), dtype=np.int64)
    for node, label in enumerate(tree.labels):
        for level in range(len(tree.parents) - 1, -1, -1):
            levels[level, node] = label
            label = tree.parents[level, label]
    return levels


@compiled
def gather_paths(units: Units, tree: Tree, node: int, weight_to: Floats, touched: Labels) -> int:
    """Add the node's weights to ``weight_to`` on every level.

    Returns:
        Number of bottom-level communities in ``touched``: the node's own, and those of its neighbours.
    """
    touched[0], found = tree.labels[node], 1
    bottom = len(tree.parents) - 1
    for edge in range(units.bounds[node], units.bounds[node + 1]):
        label = tree.labels[units.neighbours[edge]]
        if weight_to[bottom, label] == 0 and label != touched[0]:
            touched[found] = label
            found += 1
        for level in range(bottom, -1, -1):
            weight_to[level, label] += units.weights[edge]
            label = tree.parents[level, label]
    return found


@compiled
def forget_paths(tree: Tree, weight_to: Floats, touched: Labels) -> None:
    """Reset ``weight_to`` to 0."""
    for label in touched:
        for level in range(len(tree.parents) - 1, -1, -1):
            weight_to[level, label] = 0.0
            label = tree.parents[level, label]


@compiled
def shift(tree: Tree, label: int, volume: float, weight_to: Floats, sign: int) -> None:
    """Add a node to a community of the bottom level and to all above it, or remove it with ``sign`` -1."""
    tree.sizes[label] += sign
    below = 0.0
    for level in range(len(tree.parents) - 1, -1, -1):
        tree.volumes[level, label] += sign * volume
        tree.between[level, label] += sign * 2 * (weight_to[level, label] - below)
        below = weight_to[level, label]
        label = tree.parents[level, label]


@compiled
def added_cost(tree: Tree, level: int, label: int, volume: float, weight_to: Floats, reference: float) -> float:
    """Compute the cost of adding an unassigned node below a community, alone or in a community of the bottom level."""
    total, below = 0.0, 0.0
    for here in range(level, -1, -1):
        between, present = tree.between[here, label], tree.volumes[here, label]
        joined = between + 2 * (weight_to[here, label] - below)
        total += cost(joined, present + volume, reference) - cost(between, present, reference)
        below = weight_to[here, label]
        label = tree.parents[here, label]
    return total


@compiled
def best_place(
    tree: Tree, volume: float, weight_to: Floats, touched: Labels, reference: float, tolerance: float
) -> tuple[int, int]:
    """Find the cheapest bottom-level community for an unassigned node, or NEW, and its parent.

    Args:
        tree: Tree without the node.
        volume: Volume of the node.
        weight_to: ``(levels, n + 1)`` weight of the node to each community.
        touched: Candidate communities, whose parents are candidates for a new one; the node's own first.
        reference: log2 of the root's volume.
        tolerance: Gain over its own place that another place must exceed.
    """
    bottom = len(tree.parents) - 1
    own = touched[0]
    best, parent = own, tree.parents[bottom, own]
    least = added_cost(tree, bottom, own, volume, weight_to, reference) - tolerance
    for label in touched:
        above = tree.parents[bottom, label]
        added = added_cost(tree, bottom, label, volume, weight_to, reference)
        if added < least or (added == least and best != own and label < best):
            best, parent, least = label, above, added
        added = added_cost(tree, bottom - 1, above, volume, weight_to, reference)
        if added < least:
            best, parent, least = NEW, above, added
    return best, parent


@compiled
def move_leaves(units: Units, tree: Tree, tolerance: float) -> int:
    """Move nodes to their best place in the tree until no move gains.

    Args:
        units: Nodes of the graph.
        tree: Tree of at least height 3; changed in place.
        tolerance: Decrease of the cost that a move must exceed.

    Returns:
        Number of moves.
    """
    size, bottom = len(tree.labels), len(tree.parents) - 1
    line, moves = line_up(units, np.arange(size)), 0
    weight_to, touched = np.zeros(tree.volumes.shape), np.empty(size + 1, dtype=np.int64)
    while line.place[1]:
        node = next_in(line)
        own, volume = tree.labels[node], units.volumes[node]
        found = gather_paths(units, tree, node, weight_to, touched)
        shift(tree, own, volume, weight_to, -1)
        target, parent = best_place(tree, volume, weight_to, touched[:found], units.references[node], tolerance)
        if target == NEW:
            tree.room[0] -= 1
            target = tree.free[tree.room[0]]
            tree.parents[bottom, target] = parent
        shift(tree, target, volume, weight_to, 1)
        forget_paths(tree, weight_to, touched[:found])
        if target != own:
            tree.labels[node] = target
            if not tree.sizes[own]:
                tree.free[tree.room[0]] = own
                tree.room[0] += 1
            call(line, units, tree.labels, node)
            moves += 1
    return moves
