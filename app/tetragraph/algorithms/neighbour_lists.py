"""Lists of similar vectors, among which the nearest neighbours in a large corpus are searched.

The lists are the same whatever BLAS library computes them: vectors are rounded to whole numbers so small that all sums
of their products are exact in single precision, in any order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Rows, Vectors

NEAREST_LISTS = 64
"""Number of lists in which the neighbours of a vector are searched."""
_LISTS_PER_ROOT = 4
_TRAINING = 32
"""Number of vectors a list from which the centres are computed."""
_ROUNDS = 8
_WHOLE = 2_048
"""Length of vectors of whole numbers: products of two, with what rounding adds, stay below 2^24."""
_BLOCK_NUMBERS = 8_000_000
"""Number of products in memory at a time."""
_SEED = 1


@dataclass(frozen=True, slots=True)
class NeighbourLists:
    """Lists of vectors around centres, each vector in that of its nearest centre.

    Attributes:
        centres: ``(l, dimension)`` vectors of whole numbers.
        members: Rows of the vectors of each list, ascending.
    """

    centres: Vectors
    members: tuple[Rows, ...]


def make_lists(vectors: Vectors) -> NeighbourLists:
    """Divide vectors into lists, about four times the root of their number.

    The centres are those of spherical k-means on a sample of the vectors.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.
    """
    size = len(vectors)
    count = number_of_lists(size)
    draw = np.random.default_rng(_SEED)
    sample = vectors[np.sort(draw.choice(size, min(size, count * _TRAINING), replace=False))]
    centres = _whole(sample[np.sort(draw.choice(len(sample), count, replace=False))])
    for _ in range(_ROUNDS):
        centres = _moved(centres, sample)
    return NeighbourLists(centres, places_by_list(_homes(vectors, centres), count))


def number_of_lists(size: int) -> int:
    """Number of lists of a corpus of ``size`` vectors.

    >>> number_of_lists(60_000), number_of_lists(1_000_000)
    (980, 4000)
    """
    return min(size, round(_LISTS_PER_ROOT * math.sqrt(size)))


def nearest_lists(lists: NeighbourLists, vectors: Vectors) -> Rows:
    """The lists whose centres are nearest to each vector, nearest first; ties go to the first list.

    Returns:
        ``(m, k)``, of at most ``NEAREST_LISTS`` columns.
    """
    count = len(lists.centres)
    width = min(NEAREST_LISTS, count)
    found = np.empty((len(vectors), width), dtype=np.int64)
    for block, products in _products(vectors, lists.centres):
        keys = np.arange(count) - count * products.astype(np.float64)
        nearest = np.argpartition(keys, width - 1, axis=1)[:, :width]
        order = np.take_along_axis(keys, nearest, axis=1).argsort(axis=1)
        found[block] = np.take_along_axis(nearest, order, axis=1)
    return found


def places_by_list(lists: Rows, count: int) -> tuple[Rows, ...]:
    """The places at which each of ``count`` lists stands in ``lists``, ascending.

    >>> [places.tolist() for places in places_by_list(np.array([2, 0, 2]), 3)]
    [[1], [], [0, 2]]
    """
    order = np.argsort(lists, kind="stable")
    return tuple(np.split(order, np.searchsorted(lists[order], np.arange(1, count))))


def _moved(centres: Vectors, vectors: Vectors) -> Vectors:
    """Each centre in the direction of the mean of the vectors that it is nearest to; unchanged where there are none."""
    home = _homes(vectors, centres)
    order = np.argsort(home, kind="stable")
    kept, starts, sizes = np.unique(home[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(_whole(vectors[order]), starts, axis=0, dtype=np.float64)
    means = np.rint(sums / sizes[:, None])
    lengths = np.sqrt((means**2).sum(axis=1, keepdims=True))
    moved = centres.copy()
    moved[kept] = np.rint(means * (_WHOLE / np.maximum(lengths, 1)))
    return moved


def _homes(vectors: Vectors, centres: Vectors) -> Rows:
    """The nearest centre of each vector; ties go to the first."""
    found = np.empty(len(vectors), dtype=np.int64)
    for block, products in _products(vectors, centres):
        found[block] = products.argmax(axis=1)
    return found


def _products(vectors: Vectors, centres: Vectors) -> Iterator[tuple[slice, Vectors]]:
    """Slices of the vectors, with their exact products with all centres."""
    step = max(1, _BLOCK_NUMBERS // len(centres))
    for start in range(0, len(vectors), step):
        block = slice(start, start + step)
        yield block, _whole(vectors[block]) @ centres.T


def _whole(vectors: Vectors) -> Vectors:
    """Vectors of whole numbers in the directions of vectors of length 1."""
    return np.asarray(np.rint(vectors * np.float32(_WHOLE)))
