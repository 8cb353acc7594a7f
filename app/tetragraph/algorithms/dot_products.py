"""Dot products whose bits do not depend on the BLAS library, its kernel, or the number of threads.

``@``, ``np.dot``, ``np.vecdot`` and ``np.matmul`` pass dense arrays to BLAS, whose order of addition depends on the
processor, the number of threads and the position in the array: the last bits of a score would differ, and with them
ties. ``np.einsum`` without ``optimize`` runs loops of numpy's baseline, which are the same on all x86-64 processors. It
takes 0.20 ms instead of 0.13 for 6,000 vectors of 384 numbers, and starts no threads: those of a matrix product cost
more than they save, and make some questions take three times as long as others.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Array

Number = TypeVar("Number", np.float32, np.float64)
Numbers: TypeAlias = NDArray[Number]


def dot_products(first: Numbers[Number], second: Numbers[Number]) -> Numbers[Number]:
    """Compute the dot products along the last axis; the other axes are broadcast as in ``np.vecdot``.

    The bits of a product depend neither on the position of its two vectors, nor on other vectors in the arrays, nor on
    the order of the factors.

    >>> dot_products(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0])).tolist()
    [3.0, 7.0]
    """
    kind = np.result_type(first, second)  # einsum converts in buffers, whose bounds change the order of sums
    factors: tuple[Any, Any] = np.ascontiguousarray(first, kind), np.ascontiguousarray(second, kind)
    products: Numbers[Number] = np.asarray(np.einsum("...i,...i->...", *factors))
    return products


def weighted_sum(weights: Numbers[Number], rows: Array) -> Numbers[Number]:
    """Compute the ``(columns,)`` sum of the rows, each times its weight.

    Rows of two columns or more are added from the first to the last; one column, and an array in Fortran order, in
    another order that depends on its length alone.

    Args:
        weights: ``(n,)`` weights of the rows.
        rows: ``(n, columns)`` numbers or flags.

    >>> weighted_sum(np.array([0.5, 2.0]), np.array([[True, True], [False, True]])).tolist()
    [0.5, 2.5]
    """
    total: Numbers[Number] = (weights[:, None] * rows).sum(axis=0)
    return total
