"""The vectors nearest to a text among very many, found exactly although most are read with eight bits a number.

A cosine with a rounded vector is wrong by no more than the length of what rounding took off. So rounded vectors, a
quarter of the bytes, exclude all but a few hundred, and only these are compared with all their bits.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Array, Flags, Rows, Vectors

_LEVELS = 127
_SUM_ERROR = 2.0**-22
"""Most by which a sum of products of single precision is wrong for each product, for both sums that are compared."""
_LEAST = 50_000
"""Vectors that are worth a thread of their own."""


@dataclass(frozen=True, slots=True)
class RoundedVectors:
    """Vectors of length 1 as whole numbers.

    Attributes:
        levels: ``(n, dimension)`` int8, -127 to 127.
        units: ``(n,)`` float32, what a level of each vector is worth.
        errors: ``(n,)`` float32, the most by which the cosine of each with a text is wrong.
    """

    levels: Array
    units: Vectors
    errors: Vectors


def round_vectors(vectors: Vectors) -> RoundedVectors:
    """Round vectors to 255 levels each.

    Args:
        vectors: ``(n, dimension)``, rows of length 1.

    >>> rounded = round_vectors(np.array([[0.6, -0.8]], dtype=np.float32))
    >>> rounded.levels.tolist(), bool(rounded.errors[0] < 0.003)
    ([[95, -127]], True)
    """
    exact = vectors.astype(np.float64)
    units = (np.abs(vectors).max(axis=1, initial=0.0) / _LEVELS).astype(np.float32)
    wide = np.where(units > 0, units, 1.0).astype(np.float64)[:, None]
    levels = np.clip(np.rint(exact / wide), -_LEVELS, _LEVELS).astype(np.int8)
    lost = np.linalg.norm(exact - levels * units.astype(np.float64)[:, None], axis=1)
    return RoundedVectors(levels, units, (lost + _SUM_ERROR * vectors.shape[1]).astype(np.float32))


def find_nearest(
    rounded: RoundedVectors, vectors: Vectors, texts: Vectors, count: int, is_allowed: Flags, threads: int = 1
) -> list[Rows]:
    """Rows of the vectors nearest to each of some texts, nearest first; ties go to the smaller row.

    Args:
        rounded: The vectors, rounded.
        vectors: ``(n, dimension)`` the vectors.
        texts: ``(m, dimension)`` vectors of the texts, of length 1.
        count: Number of rows for each text; fewer are found if fewer are allowed.
        is_allowed: ``(n,)`` rows that may be found.
        threads: Largest number of threads that read many vectors.
    """
    if count < 1:
        return [np.zeros(0, dtype=np.int64) for _ in texts]
    found: list[Rows] = []
    for text, rows in zip(texts, find_candidates(rounded, texts, count, is_allowed, threads), strict=True):
        cosines = dot_products(vectors[rows], text)
        found.append(rows[top(cosines.astype(np.float64), count)])
    return found


def find_candidates(
    rounded: RoundedVectors, texts: Vectors, count: int, is_allowed: Flags, threads: int = 1
) -> list[Rows]:
    """Rows, ascending, among which are the ``count`` nearest of each text; see :func:`find_nearest`."""
    from tetragraph.algorithms import rounding_kernels  # imports numba, which is slow

    size = len(rounded.levels)

    def scan(part: slice) -> list[Rows]:
        of_part = rounded.levels[part], rounded.units[part], rounded.errors[part]
        rows, most, found, least = rounding_kernels.find_candidates(*of_part, texts, is_allowed[part], count)
        kept = zip(rows, most, found.tolist(), least, strict=True)
        return [part.start + own[:end][high[:end] >= low] for own, high, end, low in kept]

    parts = max(min(threads, size // _LEAST), 1)
    bounds = [size * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        scanned = list(pool.map(scan, map(slice, bounds, bounds[1:])))
    return [np.concatenate(rows) for rows in zip(*scanned, strict=True)]
