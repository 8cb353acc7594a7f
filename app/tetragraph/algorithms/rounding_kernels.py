"""Compiled loop over rounded vectors; import this module where it is needed, never with the package."""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.graph_kernels import compiled, compiled_sums
from tetragraph.arrays import Array, Flags, Longs, Vectors

_LANES = 4
"""Number of texts that are compared at a time."""


@compiled
def replace_lowest(heap: Vectors, number: float) -> None:
    """Put a number in the place of the lowest one of a heap, if it is higher."""
    if number <= heap[0]:
        return
    place, child = 0, 1
    while child < len(heap):
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= number:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = number


@compiled_sums
def find_candidates(
    levels: Array, units: Vectors, errors: Vectors, texts: Vectors, is_allowed: Flags, count: int
) -> tuple[Longs, Vectors, Longs, Vectors]:
    """Collect the rows that can be among the nearest of each text, and some more.

    Args:
        levels: ``(n, dimension)`` rounded vectors.
        units: ``(n,)`` what a level of each is worth.
        errors: ``(n,)`` the most by which a cosine with the rounded vector is wrong.
        texts: ``(m, dimension)`` vectors of length 1.
        is_allowed: ``(n,)`` rows that may be found.
        count: Number of nearest rows that are wanted, at least 1.

    Returns:
        ``(m, n)`` rows, ascending, and the highest cosine that each can have, of which each text has the first
        ``(m,)``; and ``(m,)`` a cosine that the ``count`` nearest rows of the text have at least.
    """
    size, dimension = levels.shape
    asked = len(texts)
    padded = np.zeros((-(-asked // _LANES) * _LANES, dimension), dtype=np.float32)
    padded[:asked] = texts
    rows = np.empty((asked, size), dtype=np.int64)
    most = np.empty((asked, size), dtype=np.float32)
    found = np.zeros(asked, dtype=np.int64)
    least = np.full((asked, count), np.float32(-np.inf))
    products = np.empty(len(padded), dtype=np.float32)
    for row in range(size):
        if not is_allowed[row]:
            continue
        for text in range(0, len(padded), _LANES):  # several texts at a time, as the conversion of a level costs most
            first, second, third, fourth = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
            for place in range(dimension):
                level = np.float32(levels[row, place])
                first += level * padded[text, place]
                second += level * padded[text + 1, place]
                third += level * padded[text + 2, place]
                fourth += level * padded[text + 3, place]
            products[text], products[text + 1], products[text + 2], products[text + 3] = first, second, third, fourth
        for text in range(asked):
            cosine, error = units[row] * products[text], errors[row]
            if cosine + error >= least[text, 0]:
                rows[text, found[text]], most[text, found[text]] = row, cosine + error
                found[text] += 1
                replace_lowest(least[text], cosine - error)
    return rows, most, found, least[:, 0].copy()
