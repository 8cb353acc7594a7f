"""Products have the same bits for all memory layouts and BLAS libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

import kernel_probe
from blas_kernels import KERNELS, kernel_variables
from tetragraph.algorithms.dot_products import dot_products, weighted_sum


def vectors(size: int, dimension: int) -> NDArray[np.float32]:
    drawn: NDArray[np.float32] = np.random.default_rng(1).normal(size=(size, dimension)).astype(np.float32)
    return drawn


def test_two_kernels_give_the_same_bytes() -> None:
    computed = {}
    for kernel, environment in kernel_variables(dict(os.environ)).items():
        command = [sys.executable, kernel_probe.__file__]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
        computed[kernel] = json.loads(done.stdout)
        assert computed[kernel]["numerics"]["kernel"] == kernel
    first, second = (computed[kernel]["sha256"] for kernel in KERNELS)
    differ = [name for name in first if first[name] != second[name]]
    assert differ == ["np.vecdot"], "the kernels differ in this product alone, which BLAS computes"


@pytest.mark.parametrize("dimension", [1, 7, 384, 385])
def test_a_product_does_not_depend_on_what_else_is_computed(dimension: int) -> None:
    rows = vectors(50, dimension)
    table = dot_products(rows[:, None], rows)
    assert table.dtype == np.float32
    assert (table == table.T).all()
    for place, row in enumerate(rows):
        assert (dot_products(rows, row) == table[place]).all()
        assert dot_products(row, rows[0]) == table[place, 0]
        assert (dot_products(rows[place:], rows[0]) == table[place:, 0]).all()
    assert (dot_products(np.asfortranarray(rows), rows[0]) == table[0]).all()
    assert table == pytest.approx(rows.astype(np.float64) @ rows.T.astype(np.float64), abs=1e-3)


def test_factors_of_another_precision_are_converted_before_they_are_multiplied() -> None:
    rows = vectors(100, 385).astype(np.float16)
    query = vectors(1, 385)[0]
    assert (dot_products(rows, query) == dot_products(rows.astype(np.float32), query)).all()


def test_no_vectors_have_no_products() -> None:
    assert dot_products(np.zeros((0, 3)), np.ones(3)).shape == (0,)
    assert weighted_sum(np.zeros(0), np.zeros((0, 3))).tolist() == [0.0, 0.0, 0.0]
