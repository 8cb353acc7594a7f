"""Lists of vectors around centres, the same whatever adds the products."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.algorithms import neighbour_lists as module
from tetragraph.algorithms.neighbour_lists import make_lists, nearest_lists, number_of_lists

WHOLE = 2_048


def unit_rows(size: int, dimension: int = 16, seed: int = 0) -> NDArray[np.float32]:
    draws = np.random.default_rng(seed).normal(size=(size, dimension)).astype(np.float32)
    rows: NDArray[np.float32] = draws / np.linalg.norm(draws, axis=1, keepdims=True)
    return rows


def products(vectors: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.rint(vectors * WHOLE).astype(np.int64) @ centres.astype(np.int64).T
    return found


def test_each_vector_is_in_the_list_of_its_nearest_centre() -> None:
    vectors = unit_rows(300)
    lists = make_lists(vectors)
    assert len(lists.centres) == len(lists.members) == number_of_lists(300) == 69
    nearest = products(vectors, lists.centres).argmax(axis=1)
    for number, members in enumerate(lists.members):
        assert members.tolist() == np.flatnonzero(nearest == number).tolist()


def test_the_nearest_lists_are_in_order_and_ties_go_to_the_first() -> None:
    vectors = unit_rows(200, dimension=3)
    lists = make_lists(np.concatenate([vectors, vectors]))
    found = nearest_lists(lists, vectors)
    assert found.shape == (200, min(module.NEAREST_LISTS, len(lists.centres)))
    expected = np.argsort(-products(vectors, lists.centres), axis=1, kind="stable")
    assert found.tolist() == expected[:, : found.shape[1]].tolist()


@pytest.mark.parametrize("dimension", [3, 384, 3_072])
def test_sums_of_products_are_exact_in_single_precision(dimension: int) -> None:
    vectors = np.concatenate([unit_rows(50, dimension), np.eye(2, dimension, dtype=np.float32)])
    lists = make_lists(vectors)
    whole = np.rint(vectors * np.float32(WHOLE))
    for order in (np.arange(dimension), np.random.default_rng(1).permutation(dimension)):
        added = np.cumsum(whole[:, None, order] * lists.centres[None, :, order], axis=2, dtype=np.float32)[..., -1]
        assert added.astype(np.int64).tolist() == products(vectors, lists.centres).tolist()


def test_the_centres_are_near_the_means_of_groups() -> None:
    groups = unit_rows(10, dimension=32, seed=1)
    vectors = np.repeat(groups, 40, axis=0) + 0.01 * unit_rows(400, dimension=32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lists = make_lists(vectors)
    home = np.empty(400, dtype=np.int64)
    for number, members in enumerate(lists.members):
        home[members] = number
    for number in range(len(lists.members)):
        assert len({place // 40 for place in np.flatnonzero(home == number)}) <= 1


@pytest.mark.parametrize("numbers", [1, 500, 4_000])
def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch, numbers: int) -> None:
    vectors = unit_rows(150)
    expected, nearest = make_lists(vectors), nearest_lists(make_lists(vectors), vectors)
    monkeypatch.setattr(module, "_BLOCK_NUMBERS", numbers)
    found = make_lists(vectors)
    assert found.centres.tolist() == expected.centres.tolist()
    assert [some.tolist() for some in found.members] == [some.tolist() for some in expected.members]
    assert nearest_lists(found, vectors).tolist() == nearest.tolist()


def test_equal_vectors_and_few_of_them() -> None:
    same = np.repeat(unit_rows(1), 5, axis=0)
    assert sorted(row for members in make_lists(same).members for row in members.tolist()) == [0, 1, 2, 3, 4]
    assert [members.tolist() for members in make_lists(same[:1]).members] == [[0]]
