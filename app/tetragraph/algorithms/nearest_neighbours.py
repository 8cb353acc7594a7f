"""Exact nearest neighbours by cosine similarity."""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Floats, Rows, Vectors

_BLOCK_NUMBERS = 8_000_000
"""Number of similarities in memory at a time: 32 MB."""
_PAIR_NUMBERS = 4_000_000
_GROUP = 64
"""Largest number of adjacent similarities that are compared by their highest."""
SINGLE_PRECISION = 1e-5
"""Upper bound of the rounding error of a product of two unit vectors in single precision."""
_DECIMALS = 9


def nearest_neighbours(
    vectors: Vectors, count: int, rows: Rows | None = None, among: Rows | None = None
) -> tuple[Rows, Rows]:
    """Find the rows with the most similar vectors for each row, excluding itself.

    Products in single precision, which BLAS computes, select the candidates, with a margin for their error; the order
    is that of products in double precision, so it depends neither on the division into blocks nor on the BLAS kernel.
    Ties go to the smaller row.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.
        count: Number of neighbours per row; all other rows where there are fewer.
        rows: ``(m,)`` rows to find neighbours for; all by default.
        among: Rows that may be neighbours, ascending; all by default.

    Returns:
        Two arrays of equal length, the row and a neighbour of it, in the order of ``rows``, then best first.

    Source:
        iG²RAG (2025), eq. (1).

    >>> found = nearest_neighbours(np.eye(2, dtype=np.float32)[[0, 0, 1]], 1)
    >>> [part.tolist() for part in found]
    [[0, 1, 2], [1, 0, 0]]
    """
    wanted = np.arange(len(vectors)) if rows is None else np.asarray(rows, dtype=np.int64)
    others = np.arange(len(vectors)) if among is None else np.asarray(among, dtype=np.int64)
    if not len(wanted) or not len(others):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    step = max(1, _BLOCK_NUMBERS // len(others))
    columns = vectors if among is None else vectors[others]
    blocks = [
        _block(vectors, columns, count, wanted[start : start + step], others) for start in range(0, len(wanted), step)
    ]
    bases, neighbours = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return bases, neighbours


def nearest_after_adding(vectors: Vectors, count: int, known: tuple[Rows, Rows], added: Rows) -> tuple[Rows, Rows]:
    """Update the nearest neighbours of every row after rows were added.

    The neighbours of an old row are the ``count`` nearest among its old neighbours and the new rows. This takes new
    rows times all rows products, not all times all.

    Args:
        vectors: ``(n, dimension)``, rows of length 1, including the added ones.
        count: Number of neighbours per row.
        known: Pairs of old rows, each once, with at least the ``count`` nearest of each before the change.
        added: The new rows.

    Returns:
        The same pairs as :func:`nearest_neighbours`.
    """
    own_base, own_other = nearest_neighbours(vectors, count, added)
    old = np.setdiff1d(np.arange(len(vectors)), added)
    near_base, near_other = nearest_neighbours(vectors, count, old, added)
    base, other = np.concatenate([known[0], near_base]), np.concatenate([known[1], near_other])
    nearest = best_of_each(base, other, similarities(vectors, base, other), count)
    return np.concatenate([base[nearest], own_base]), np.concatenate([other[nearest], own_other])


def _block(vectors: Vectors, others: Vectors, count: int, rows: Rows, among: Rows) -> tuple[Rows, Rows]:
    similar = vectors[rows] @ others.T
    own = np.minimum(np.searchsorted(among, rows), len(among) - 1)
    is_among = among[own] == rows
    similar[is_among, own[is_among]] = -np.inf
    places, columns = _find_highest(similar, min(count, len(among)))
    neighbours = among[columns]
    nearest = best_of_each(places, neighbours, similarities(vectors, rows[places], neighbours), count)
    return rows[places[nearest]], neighbours[nearest]


def _find_highest(similar: Vectors, count: int) -> tuple[Rows, Rows]:
    """Rows and columns of the ``count`` highest values of each row, and of some others; none of ``-inf``.

    Groups of columns are compared by their highest values first. The ``count``-th highest of these is at most the
    ``count``-th highest value of the row, so only groups that reach it hold one of the highest.
    """
    size = similar.shape[1]
    width = max(1, min(_GROUP, size // max(count, 1)))
    whole = size // width
    highest = similar[:, : whole * width].reshape(len(similar), whole, width).max(axis=2)
    rest = similar[:, whole * width :].max(axis=1, initial=-np.inf, keepdims=True)
    highest = np.concatenate([highest, rest], axis=1)
    bounds = np.partition(highest, -count, axis=1)[:, -count] - 2 * SINGLE_PRECISION
    places, groups = np.nonzero(highest >= bounds[:, None])
    columns = groups[:, None] * width + np.arange(width)
    values = similar[places[:, None], np.minimum(columns, size - 1)]
    is_high = (columns < size) & (values >= bounds[places, None]) & np.isfinite(values)
    return np.repeat(places, is_high.sum(axis=1)), columns[is_high]


def similarities(vectors: Vectors, first: Rows, second: Rows) -> Floats:
    """Compute ``(m,)`` cosine similarities of pairs of rows; that of a pair does not depend on the other pairs."""
    found = np.empty(len(first), dtype=np.float64)
    step = max(1, _PAIR_NUMBERS // max(1, vectors.shape[1]))
    for start in range(0, len(first), step):
        pair = slice(start, start + step)
        found[pair] = dot_products(vectors[first[pair]].astype(np.float64), vectors[second[pair]].astype(np.float64))
    return found.round(_DECIMALS)


def best_of_each(groups: Rows, others: Rows, similar: Floats, count: int) -> Rows:
    """Places of the ``count`` most similar pairs of each group, in order of groups, then best first.

    Args:
        groups: ``(m,)`` group of each pair.
        others: ``(m,)`` second row of each pair; ties go to the smaller one.
        similar: ``(m,)`` similarity of each pair.
        count: Number of pairs; all of a group where there are fewer.

    >>> best_of_each(np.array([1, 0, 0, 0]), np.array([5, 9, 7, 8]), np.array([0.1, 0.5, 0.5, 0.4]), 2).tolist()
    [2, 1, 0]
    """
    order = np.lexsort((others, -similar, groups))
    best: Rows = order[places_within(groups[order]) < count]
    return best


def places_within(groups: Rows) -> Rows:
    """Return the position of each entry within its group, from 0.

    Args:
        groups: ``(m,)`` group of each entry; entries of a group are adjacent.

    >>> places_within(np.array([4, 4, 4, 7])).tolist()
    [0, 1, 2, 0]
    """
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]][: len(groups)])
    return np.arange(len(groups)) - np.repeat(starts, np.diff(np.r_[starts, len(groups)]))
