"""Nearest neighbours in a corpus of any size: exact in a small one, those of the nearest lists in a large one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tetragraph.algorithms.nearest_neighbours import (
    SINGLE_PRECISION,
    best_of_each,
    nearest_after_adding,
    nearest_neighbours,
    places_within,
    similarities,
)
from tetragraph.algorithms.neighbour_lists import NeighbourLists, make_lists, nearest_lists, places_by_list
from tetragraph.arrays import Array, Rows, Vectors

Pairs: TypeAlias = tuple[Rows, Rows]
"""Two arrays of equal length: a row and a neighbour of it."""
Spread: TypeAlias = Callable[[Callable[[Rows], Pairs], list[Rows]], Iterable[Pairs]]
"""Function that calls another one for each item of a list, like ``map``; its threads may share the work."""
EXACT_UP_TO = 50_000
"""Default for the largest number of vectors that are compared all with all, which then takes half a minute."""
_EXACT_SHARE = 0.125
"""Share of added rows up to which they are compared with all, however large the corpus."""
_SHARED = 20
"""Smallest number of neighbours that are searched where several ask: 20 take a fifth longer than 5."""
_SLAB, _EXACT_SLAB = 50_000, 5_000
"""Rows whose neighbours are searched at a time, in lists and among all."""
_BLOCK_NUMBERS = 8_000_000
"""Number of similarities in memory at a time: 32 MB."""
_CROWD = 8
"""Multiple of the neighbours wanted from which pairs are too many to be kept."""


def find_neighbours(vectors: Vectors, count: int, exact_up_to: int, spread: Spread = map) -> Pairs:
    """Find the rows with the most similar vectors for each row, excluding itself.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.
        count: Number of neighbours per row; all other rows where there are fewer.
        exact_up_to: Largest number of vectors that are compared all with all. Of more, each is compared with those
            in the lists that are nearest to it (:mod:`~tetragraph.algorithms.neighbour_lists`), which misses some.
        spread: Calls the search of some rows for all of them.

    Returns:
        The pairs, in order of rows, then best first.

    Source:
        iG²RAG (2025), eq. (1). Deviation above ``exact_up_to``, as said.
    """
    if len(vectors) <= exact_up_to:
        found = spread(partial(nearest_neighbours, vectors, count), _divide(len(vectors), _EXACT_SLAB))
    else:
        found = spread(partial(_in_lists, vectors, count, make_lists(vectors)), _divide(len(vectors), _SLAB))
    base, other = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return base, other


def _divide(size: int, slab: int) -> list[Rows]:
    """All rows in order, ``slab`` at a time; one empty slab where there are none."""
    return [np.arange(start, min(start + slab, size)) for start in range(0, max(size, 1), slab)]


class NeighbourSearch:
    """Nearest neighbours in one corpus; what was searched for one caller serves the next, who may want fewer.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.
        spread: as in :func:`find_neighbours`.
    """

    def __init__(self, vectors: Vectors, spread: Spread = map) -> None:
        self._vectors = vectors
        self._spread = spread
        self._found: dict[bool, tuple[int, Pairs]] = {}

    def find(self, count: int, exact_up_to: int) -> Pairs:
        """The pairs that :func:`find_neighbours` returns."""
        is_exact = len(self._vectors) <= exact_up_to
        width, found = self._found.get(is_exact, (0, None))
        if found is None or width < count:
            width = max(count, _SHARED)
            found = find_neighbours(self._vectors, width, exact_up_to, self._spread)
            self._found[is_exact] = width, found
        base, other = found
        is_near = places_within(base) < count
        return base[is_near], other[is_near]

    def update(self, count: int, exact_up_to: int, known: Pairs, added: Rows, *, has_gaps: bool) -> Pairs:
        """Update the nearest neighbours of every row after rows were added or removed.

        Few rows are compared with all others; so above ``exact_up_to`` they miss no neighbour, unlike in a new search.
        All are searched again after a removal, which leaves no trace of the rows that lost a neighbour, and if fewer
        neighbours of a row are known than wanted.

        Args:
            count: Number of neighbours per row.
            exact_up_to: as in :func:`find_neighbours`.
            known: Pairs of old rows, each once, with the nearest of each that were found before.
            added: The new rows, which the vectors include.
            has_gaps: Whether rows were removed.

        Returns:
            The pairs, each once.
        """
        size = len(self._vectors)
        of_old = np.delete(np.bincount(known[0], minlength=size), added)
        lacks_some = (of_old < min(count, len(of_old) - 1)).any()
        if has_gaps or lacks_some or (size > exact_up_to and len(added) > _EXACT_SHARE * size):
            return self.find(count, exact_up_to)
        return nearest_after_adding(self._vectors, count, known, added)


class _Found(NamedTuple):
    """Pairs that may be among the nearest: places of rows, other rows, and similarities in single precision."""

    place: Rows
    other: Rows
    value: Vectors


def _in_lists(vectors: Vectors, count: int, lists: NeighbourLists, rows: Rows) -> Pairs:
    """Search the neighbours of some rows in the lists nearest to each.

    The nearest lists come first, so that what is found there bounds what is kept of the others. As in an exact search,
    products in single precision select with a margin, and products in double precision decide.
    """
    probed = nearest_lists(lists, vectors[rows])
    floors = np.full(len(rows), -np.inf, dtype=np.float32)
    found = _Found(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
    for ranks in _doubling(probed.shape[1]):
        parts = [found, *_compare(vectors, rows, lists, probed[:, ranks], floors, count)]
        found = _by_value(_Found(*(np.concatenate(columns) for columns in zip(*parts, strict=True))))
        last = places_within(found.place) == count - 1
        floors[found.place[last]] = found.value[last] - 2 * SINGLE_PRECISION
        found = _take(found, found.value >= floors[found.place])
    nearest = _nearest(vectors, rows, found, count)
    return rows[nearest.place], nearest.other


def _doubling(width: int) -> Iterator[slice]:
    """Ranks 0, 1, 2 to 3, 4 to 7 and so on."""
    start, end = 0, 1
    while start < width:
        yield slice(start, min(end, width))
        start, end = end, 2 * end


def _compare(
    vectors: Vectors, rows: Rows, lists: NeighbourLists, probed: Rows, floors: Vectors, count: int
) -> Iterator[_Found]:
    """Compare each row with the members of some lists; yields what is above the floors, list by list."""
    asking = places_by_list(probed.ravel(), len(lists.members))
    for members, asked in zip(lists.members, asking, strict=True):
        places = asked // probed.shape[1]
        step = max(1, _BLOCK_NUMBERS // max(1, len(members)))
        for start in range(0, len(places) if len(members) else 0, step):
            some = places[start : start + step]
            found = _compare_all(vectors, rows, some, members, floors, count)
            if len(found.place) > _CROWD * count * len(some):  # of many equal vectors all are within the margin
                found = _nearest(vectors, rows, found, count)
            yield found


def _compare_all(vectors: Vectors, rows: Rows, places: Rows, members: Rows, floors: Vectors, count: int) -> _Found:
    """Compare rows at some places with the members of a list."""
    similar = vectors[rows[places]] @ vectors[members].T
    similar[rows[places][:, None] == members] = -np.inf
    is_near = similar.max(axis=1) >= floors[places]
    places, similar = places[is_near], similar[is_near]
    lowest = floors[places]
    if len(members) > count:
        lowest = np.maximum(lowest, np.partition(similar, -count, axis=1)[:, -count] - 2 * SINGLE_PRECISION)
    place, column = np.nonzero((similar >= lowest[:, None]) & np.isfinite(similar))
    return _Found(places[place], members[column], similar[place, column])


def _nearest(vectors: Vectors, rows: Rows, found: _Found, count: int) -> _Found:
    """The ``count`` nearest of each place, best first, by products in double precision; ties go to the smaller row."""
    similar = similarities(vectors, rows[found.place], found.other)
    return _take(found, best_of_each(found.place, found.other, similar, count))


def _by_value(found: _Found) -> _Found:
    """The pairs in order of places, the most similar first."""
    descending = (np.float32(2) - found.value).view(np.uint32)  # positive numbers sort as their bits
    return _take(found, np.argsort((found.place.astype(np.uint64) << np.uint64(32)) | descending))


def _take(found: _Found, chosen: Array) -> _Found:
    return _Found(found.place[chosen], found.other[chosen], found.value[chosen])
