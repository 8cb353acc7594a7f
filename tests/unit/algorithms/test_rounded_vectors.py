"""What rounded vectors find is what comparing with all vectors finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms import rounded_vectors
from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.rounded_vectors import find_candidates, find_nearest, round_vectors

Vectors = NDArray[np.float32]


def unit_rows(seed: int, size: int, spread: float = 1.0, dimension: int = 24) -> Vectors:
    """Random vectors of length 1 around one direction, some of them equal."""
    draws = np.random.default_rng(seed).normal(scale=spread, size=(size, dimension))
    draws[:, 0] += 1
    draws[1::3] = draws[: len(draws[1::3])]
    vectors: Vectors = (draws / np.linalg.norm(draws, axis=1, keepdims=True)).astype(np.float32)
    return vectors


def by_hand(vectors: Vectors, text: Vectors, count: int, is_allowed: NDArray[np.bool_]) -> list[int]:
    cosines = dot_products(vectors, text)
    rows = sorted(np.flatnonzero(is_allowed).tolist(), key=lambda row: (-cosines[row], row))
    return rows[:count]


@given(
    st.integers(0, 10_000),
    st.integers(1, 90),
    st.integers(1, 9),
    st.integers(0, 100),
    st.sampled_from([1.0, 0.1, 0.001, 0.0]),
    st.integers(1, 3),
)
def test_the_nearest_are_those_of_all_bits(
    seed: int, size: int, asked: int, count: int, spread: float, threads: int
) -> None:
    vectors, texts = unit_rows(seed, size, spread), unit_rows(seed + 1, asked, spread)
    is_allowed = np.random.default_rng(seed).random(size) < 0.8
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounded_vectors, "_LEAST", 10)
        found = find_nearest(round_vectors(vectors), vectors, texts, count, is_allowed, threads)
    assert [rows.tolist() for rows in found] == [by_hand(vectors, text, count, is_allowed) for text in texts]


@given(st.integers(0, 10_000), st.sampled_from([1.0, 0.01]))
def test_the_error_bounds_what_rounding_changes(seed: int, spread: float) -> None:
    vectors, texts = unit_rows(seed, 50, spread), unit_rows(seed + 1, 20, spread)
    rounded = round_vectors(vectors)
    cosines = texts.astype(np.float64) @ (rounded.levels * rounded.units.astype(np.float64)[:, None]).T
    wrong = np.abs(cosines - dot_products(texts[:, None], vectors))
    assert (wrong <= rounded.errors).all()
    assert (rounded.errors < 0.03).all()


def test_a_vector_of_zeros_has_levels_of_zero() -> None:
    rounded = round_vectors(np.zeros((1, 3), dtype=np.float32))
    assert rounded.levels.tolist() == [[0, 0, 0]]
    assert rounded.units.tolist() == [0.0]


def test_most_vectors_are_excluded_by_the_rounded_ones() -> None:
    vectors = unit_rows(1, 5_000)
    found = find_candidates(round_vectors(vectors), unit_rows(2, 3), 10, np.ones(5_000, dtype=bool))
    assert all(10 <= len(rows) < 60 for rows in found)
