"""Exact neighbours, whatever the blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms import nearest_neighbours as module
from tetragraph.algorithms.nearest_neighbours import (
    nearest_after_adding,
    nearest_neighbours,
    places_within,
    similarities,
)


def unit_rows(seed: int, size: int, dimension: int = 4) -> NDArray[np.float32]:
    """Random unit vectors, some of them equal."""
    draws = np.random.default_rng(seed).integers(-2, 3, size=(size, dimension)).astype(np.float32) + 0.25
    vectors: NDArray[np.float32] = draws / np.linalg.norm(draws, axis=1, keepdims=True)
    return vectors


def by_hand(vectors: NDArray[np.float32], count: int) -> list[tuple[int, int]]:
    wide = vectors.astype(np.float64)
    found = []
    for row in range(len(wide)):
        others = [other for other in range(len(wide)) if other != row]
        others.sort(key=lambda other: (-round(float(wide[row] @ wide[other]), 9), other))
        found += [(row, other) for other in others[:count]]
    return found


def pairs(found: tuple[NDArray[np.int64], NDArray[np.int64]]) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 8))
def test_equation_1_gives_the_most_similar_and_ties_go_to_the_smaller_row(seed: int, size: int, count: int) -> None:
    vectors = unit_rows(seed, size)
    assert pairs(nearest_neighbours(vectors, count)) == by_hand(vectors, count)


@pytest.mark.parametrize("numbers", [1, 7, 60, 100_000])
def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch, numbers: int) -> None:
    vectors = unit_rows(1, 50, 16)
    expected = by_hand(vectors, 5)
    monkeypatch.setattr(module, "_BLOCK_NUMBERS", numbers)
    monkeypatch.setattr(module, "_PAIR_NUMBERS", numbers)
    assert pairs(nearest_neighbours(vectors, 5)) == expected


@pytest.mark.parametrize("group", [1, 2, 3, 7])
def test_the_size_of_groups_changes_nothing(monkeypatch: pytest.MonkeyPatch, group: int) -> None:
    monkeypatch.setattr(module, "_GROUP", group)
    for seed in range(10):
        vectors = unit_rows(seed, 61, 3)
        assert pairs(nearest_neighbours(vectors, 5)) == by_hand(vectors, 5)
        among = np.arange(1, 61, 2)
        _assert_nearest_among(vectors, np.array([3, 4, 60]), among, 4)


def _assert_nearest_among(
    vectors: NDArray[np.float32], rows: NDArray[np.int64], among: NDArray[np.int64], count: int
) -> None:
    similar = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    found = pairs(nearest_neighbours(vectors, count, rows, among))
    for row in rows.tolist():
        others = sorted((o for o in among.tolist() if o != row), key=lambda o: (-round(similar[row, o], 9), o))
        assert [other for base, other in found if base == row] == others[:count]


def test_neighbours_of_some_rows_among_others() -> None:
    vectors = unit_rows(3, 20)
    rows, among = np.array([4, 9, 2]), np.array([2, 5, 9, 11])
    assert [row for row, _ in pairs(nearest_neighbours(vectors, 2, rows, among))] == [4, 4, 9, 9, 2, 2]
    _assert_nearest_among(vectors, rows, among, 2)


def test_fewer_rows_than_asked_for_give_all_there_are() -> None:
    vectors = unit_rows(0, 3)
    assert pairs(nearest_neighbours(vectors, 10)) == by_hand(vectors, 2)
    assert pairs(nearest_neighbours(vectors[:1], 10)) == []
    assert pairs(nearest_neighbours(vectors[:0], 10)) == []


def test_similarities_do_not_depend_on_what_else_is_asked() -> None:
    vectors = unit_rows(5, 30, 384)
    rows = np.arange(30)
    together = similarities(vectors, rows, rows[::-1])
    alone = [similarities(vectors, rows[[row]], rows[::-1][[row]])[0] for row in rows]
    assert together.tolist() == alone


def test_places_count_within_each_group() -> None:
    assert places_within(np.array([7, 7, 2, 2, 2, 7])).tolist() == [0, 1, 0, 1, 2, 0]
    assert places_within(np.empty(0, dtype=np.int64)).tolist() == []


@given(st.integers(0, 10_000), st.integers(2, 25), st.integers(1, 6), st.data())
def test_adding_rows_gives_the_neighbours_of_a_fresh_build(
    seed: int, size: int, count: int, data: st.DataObject
) -> None:
    vectors = unit_rows(seed, size)
    added = np.array(sorted(data.draw(st.sets(st.integers(0, size - 1), max_size=size - 1))), dtype=np.int64)
    old = np.setdiff1d(np.arange(size), added)
    base, other = nearest_neighbours(vectors[old], count)
    both_ways = np.unique(np.concatenate([base * size + other, other * size + base]))
    stored = old[both_ways // size], old[both_ways % size]
    updated = nearest_after_adding(vectors, count, stored, added)
    assert sorted(pairs(updated)) == sorted(pairs(nearest_neighbours(vectors, count)))
