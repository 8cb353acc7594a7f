"""Dot products whose bits do not depend on the BLAS library, its kernel, or the number of threads.

``@``, ``np.dot``, ``np.vecdot`` and ``np.matmul`` hand dense arrays to BLAS, which adds in an order of its own for each
kind of processor, number of threads and place in the array: the last bits of a score would differ, and with them ties.
``np.einsum`` without ``optimize`` runs loops of numpy's baseline, which are the same on all x86-64 processors. It takes
0.20 ms instead of 0.13 for 6,000 vectors of 384 numbers, and starts no threads: those of a matrix product cost more
than they save, and make some questions take three times as long as others.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Array

Number = TypeVar("Number", np.float32, np.float64)
Numbers: TypeAlias = NDArray[Number]


def dot_products(first: Numbers[Number], second: Numbers[Number]) -> Numbers[Number]:
    """The dot products along the last axis; the other axes are broadcast as in ``np.vecdot``.

    A product has the same bits wherever its two vectors stand and whatever other vectors there are, and with the
    factors exchanged.

    >>> dot_products(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0])).tolist()
    [3.0, 7.0]
    """
    kind = np.result_type(first, second)  # einsum would convert through a buffer, whose ends change the order of sums
    factors: tuple[Any, Any] = np.ascontiguousarray(first, kind), np.ascontiguousarray(second, kind)
    products: Numbers[Number] = np.asarray(np.einsum("...i,...i->...", *factors))
    return products


def weighted_sum(weights: Numbers[Number], rows: Array) -> Numbers[Number]:
    """``(columns,)`` sum of the rows, each times its weight, added from the first row to the last.

    Args:
        weights: ``(n,)``.
        rows: ``(n, columns)`` numbers or flags.

    >>> weighted_sum(np.array([0.5, 2.0]), np.array([[True, True], [False, True]])).tolist()
    [0.5, 2.5]
    """
    total: Numbers[Number] = (weights[:, None] * rows).sum(axis=0)
    return total
