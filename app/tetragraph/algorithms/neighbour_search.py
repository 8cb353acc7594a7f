"""Nearest neighbours in a corpus of any size: exact in a small one, those of the nearest lists in a large one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tetragraph.algorithms.nearest_neighbours import (
    SINGLE_PRECISION,
    nearest_after_adding,
    nearest_neighbours,
    places_within,
    similarities,
)
from tetragraph.algorithms.neighbour_lists import NeighbourLists, make_lists, nearest_lists
from tetragraph.arrays import Array, Rows, Vectors

Pairs = tuple[Rows, Rows]
"""Two arrays of equal length: a row and a neighbour of it."""
EXACT_UP_TO = 50_000
"""Default for the largest number of vectors that are compared all with all, which then takes half a minute."""
EXACT_SHARE = 0.125
"""Share of added rows up to which they are compared with all, however large the corpus."""
_SLAB = 100_000
"""Rows whose neighbours are searched at a time."""


def find_neighbours(vectors: Vectors, count: int, exact_up_to: int) -> Pairs:
    """Find the rows with the most similar vectors for each row, excluding itself.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.
        count: Number of neighbours per row; all other rows where there are fewer.
        exact_up_to: Largest number of vectors that are compared all with all. Of more, each is compared with those
            in the lists that are nearest to it (:mod:`~tetragraph.algorithms.neighbour_lists`), which misses some.

    Returns:
        The pairs, in order of rows, then best first.

    Source:
        iG²RAG (2025), eq. (1). Deviation above ``exact_up_to``, as said.
    """
    if len(vectors) <= exact_up_to:
        return nearest_neighbours(vectors, count)
    lists = make_lists(vectors)
    slabs = [
        _in_lists(vectors, count, lists, np.arange(start, min(start + _SLAB, len(vectors))))
        for start in range(0, len(vectors), _SLAB)
    ]
    base, other = (np.concatenate(parts) for parts in zip(*slabs, strict=True))
    return base, other


def find_after_adding(vectors: Vectors, count: int, exact_up_to: int, known: Pairs, added: Rows) -> Pairs:
    """Update the nearest neighbours of every row after rows were added.

    Few rows are compared with all others; so above ``exact_up_to`` they miss no neighbour, unlike in a new search.

    Args:
        vectors: ``(n, dimension)``, rows of length 1, including the added ones.
        count: Number of neighbours per row.
        exact_up_to: as in :func:`find_neighbours`.
        known: Pairs of old rows, each once, with at least the ``count`` nearest of each that were found before.
        added: The new rows.

    Returns:
        The pairs, each once.
    """
    if len(vectors) > exact_up_to and len(added) > EXACT_SHARE * len(vectors):
        return find_neighbours(vectors, count, exact_up_to)
    return nearest_after_adding(vectors, count, known, added)


def _in_lists(vectors: Vectors, count: int, lists: NeighbourLists, rows: Rows) -> Pairs:
    """Search the neighbours of some rows in the lists nearest to each.

    The nearest lists come first, so that what is found there bounds what is kept of the others. As in an exact search,
    products in single precision select with a margin, and products in double precision decide.
    """
    probed = nearest_lists(lists, vectors[rows])
    place, other = np.empty((2, 0), dtype=np.int64)
    value = np.empty(0, dtype=np.float32)
    floors = np.full(len(rows), -np.inf, dtype=np.float32)
    for ranks in _doubling(probed.shape[1]):
        found = [(place, other, value), *_compare(vectors, rows, lists, probed[:, ranks], floors, count)]
        place, other, value = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(_by_place_and_value(place, value))
        place, other, value = place[order], other[order], value[order]
        last = places_within(place) == count - 1
        floors[place[last]] = value[last] - 2 * SINGLE_PRECISION
        is_kept = value >= floors[place]
        place, other, value = place[is_kept], other[is_kept], value[is_kept]
    order = np.lexsort((other, -similarities(vectors, rows[place], other), place))
    place, other = place[order], other[order]
    is_nearest = places_within(place) < count
    return rows[place[is_nearest]], other[is_nearest]


def _by_place_and_value(place: Rows, value: Vectors) -> Array:
    """Keys in whose order places ascend, and similarities of a place descend; positive numbers sort as their bits."""
    descending = np.float32(2) - value
    return (place.astype(np.uint64) << np.uint64(32)) | descending.view(np.uint32).astype(np.uint64)


def _doubling(width: int) -> Iterator[slice]:
    """Ranks 0, 1, 2 to 3, 4 to 7 and so on."""
    start, end = 0, 1
    while start < width:
        yield slice(start, min(end, width))
        start, end = end, 2 * end


def _compare(
    vectors: Vectors, rows: Rows, lists: NeighbourLists, probed: Rows, floors: Vectors, count: int
) -> Iterator[tuple[Rows, Rows, Array]]:
    """Yield places in ``rows``, other rows, and their similarities, of pairs that may be among the nearest."""
    wanted = probed.ravel()
    order = np.argsort(wanted, kind="stable")
    bounds = np.searchsorted(wanted[order], np.arange(len(lists.members) + 1))
    for number, members in enumerate(lists.members):
        places = order[bounds[number] : bounds[number + 1]] // probed.shape[1]
        if not len(places) or not len(members):
            continue
        similar = vectors[rows[places]] @ vectors[members].T
        similar[rows[places][:, None] == members] = -np.inf
        is_near = similar.max(axis=1) >= floors[places]
        places, similar = places[is_near], similar[is_near]
        lowest = floors[places]
        if len(members) > count:
            nearest = np.partition(similar, -count, axis=1)[:, -count]
            lowest = np.maximum(lowest, nearest - 2 * SINGLE_PRECISION)
        found, column = np.nonzero((similar >= lowest[:, None]) & np.isfinite(similar))
        yield places[found], members[column], similar[found, column]
