"""Compiled loops over graphs, and the decorator that compiles them.

The only module that imports numba, which is slow: import this module where it is needed, never with the package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from tetragraph.arrays import Floats, Ints, Labels

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function on its first call; the machine code is cached on disk."""
    return cast("F", njit(cache=True)(function))


def compiled_sums(function: F) -> F:
    """Compile a function whose sums may be reordered, so that their last bits depend on the processor.

    It releases the interpreter while it runs.
    """
    return cast("F", njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})(function))


@compiled
def renumber(labels: Labels) -> tuple[Labels, int]:
    """Renumber groups 0, 1 … by their first unit; returns them and their number."""
    numbers = np.full(labels.max() + 1 if len(labels) else 0, -1)
    result, count = np.empty_like(labels), 0
    for unit, label in enumerate(labels):
        if numbers[label] < 0:
            numbers[label] = count
            count += 1
        result[unit] = numbers[label]
    return result, count


@compiled
def connected_parts(bounds: Labels, neighbours: Ints, labels: Labels) -> Labels:
    """Split ``(n,)`` groups into connected components of the graph, numbered by their first node."""
    parts, count = np.full(len(labels), -1), 0
    stack = np.empty(len(labels), dtype=np.int64)
    for start, label in enumerate(labels):
        if parts[start] >= 0:
            continue
        parts[start], stack[0], height = count, start, 1
        while height:
            height -= 1
            node = stack[height]
            for edge in range(bounds[node], bounds[node + 1]):
                other = neighbours[edge]
                if parts[other] < 0 and labels[other] == label:
                    parts[other], stack[height] = count, other
                    height += 1
        count += 1
    return parts


@compiled
def reorder_nodes(bounds: Labels, neighbours: Ints, weights: Floats, ranks: Labels) -> tuple[Labels, Ints, Floats]:
    """Renumber node i as ``ranks[i]``; rows of the result are ascending.

    Rows are filled neighbour by neighbour in the new order, so they need no sorting.
    """
    size = len(ranks)
    nodes = np.empty(size, dtype=np.int64)
    nodes[ranks] = np.arange(size)
    new_bounds = np.zeros(size + 1, dtype=np.int64)
    for rank, node in enumerate(nodes):
        new_bounds[rank + 1] = new_bounds[rank] + bounds[node + 1] - bounds[node]
    ends = new_bounds[:-1].copy()
    new_neighbours, new_weights = np.empty_like(neighbours), np.empty_like(weights)
    for rank, node in enumerate(nodes):
        for edge in range(bounds[node], bounds[node + 1]):
            other = ranks[neighbours[edge]]
            new_neighbours[ends[other]], new_weights[ends[other]] = rank, weights[edge]
            ends[other] += 1
    return new_bounds, new_neighbours, new_weights
