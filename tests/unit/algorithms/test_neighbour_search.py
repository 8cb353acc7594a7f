"""Neighbours in nearby lists are those that comparing with the members of these lists gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms import neighbour_lists, neighbour_search
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.algorithms.neighbour_lists import make_lists, nearest_lists
from tetragraph.algorithms.neighbour_search import NeighbourSearch, find_neighbours

Pairs = list[tuple[int, int]]


def unit_rows(seed: int, size: int, dimension: int = 6) -> NDArray[np.float32]:
    """Random unit vectors, some of them equal."""
    draws = np.random.default_rng(seed).integers(-1, 2, size=(size, dimension)).astype(np.float32) + 0.25
    vectors: NDArray[np.float32] = draws / np.linalg.norm(draws, axis=1, keepdims=True)
    return vectors


def pairs(found: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Pairs:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


def by_hand(vectors: NDArray[np.float32], count: int) -> Pairs:
    """Neighbours among the members of the lists that are nearest to each row."""
    lists = make_lists(vectors)
    wide = vectors.astype(np.float64)
    found = []
    for row, near in enumerate(nearest_lists(lists, vectors)):
        others = [other for one in near for other in lists.members[one].tolist() if other != row]
        others.sort(key=lambda other: (-round(float(wide[row] @ wide[other]), 9), other))
        found += [(row, other) for other in others[:count]]
    return found


@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 8), st.integers(1, 12))
def test_each_row_has_the_most_similar_of_its_nearest_lists(seed: int, size: int, count: int, width: int) -> None:
    vectors = unit_rows(seed, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbour_lists, "NEAREST_LISTS", width)
        patch.setattr(neighbour_search, "_SLAB", 17)
        assert pairs(find_neighbours(vectors, count, 0)) == by_hand(vectors, count)


@pytest.mark.parametrize("numbers", [1, 60, 100_000])
def test_many_equal_vectors_are_not_all_kept(monkeypatch: pytest.MonkeyPatch, numbers: int) -> None:
    monkeypatch.setattr(neighbour_search, "_BLOCK_NUMBERS", numbers)
    vectors = np.concatenate([np.repeat(unit_rows(6, 1), 90, axis=0), unit_rows(7, 40)])
    kept: list[int] = []
    by_value = neighbour_search._by_value

    def noted(found: Any) -> Any:
        kept.append(len(found.place))
        return by_value(found)

    monkeypatch.setattr(neighbour_search, "_by_value", noted)
    assert pairs(find_neighbours(vectors, 3, 0)) == by_hand(vectors, 3)
    assert max(kept) < 90 * 90 / 2


def test_all_lists_give_the_exact_neighbours() -> None:
    vectors = unit_rows(1, 200)
    assert len(make_lists(vectors).members) < neighbour_lists.NEAREST_LISTS
    assert pairs(find_neighbours(vectors, 7, 199)) == pairs(nearest_neighbours(vectors, 7))


def test_a_corpus_up_to_the_bound_is_searched_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    vectors = unit_rows(2, 100)
    exact = pairs(nearest_neighbours(vectors, 5))
    assert pairs(find_neighbours(vectors, 5, 100)) == exact
    assert pairs(find_neighbours(vectors, 5, 99)) != exact


def test_few_rows_that_were_added_are_compared_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    vectors = unit_rows(3, 80)
    old, added = np.arange(75), np.arange(75, 80)
    known = nearest_neighbours(vectors[old], 4)
    exact = sorted(pairs(nearest_neighbours(vectors, 4)))
    assert sorted(pairs(NeighbourSearch(vectors).update(4, 10, known, added, has_gaps=False))) == exact
    assert sorted(pairs(NeighbourSearch(vectors).update(4, 80, known, added, has_gaps=False))) == exact


def test_many_rows_that_were_added_are_searched_in_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    vectors = unit_rows(4, 80)
    old, added = np.arange(60), np.arange(60, 80)
    known = nearest_neighbours(vectors[old], 4)
    found = pairs(NeighbourSearch(vectors).update(4, 10, known, added, has_gaps=False))
    assert found == pairs(find_neighbours(vectors, 4, 10)) != pairs(nearest_neighbours(vectors, 4))


@pytest.mark.parametrize(("found_before", "has_gaps"), [(4, True), (2, False)])
def test_all_rows_are_searched_again_where_neighbours_may_be_missing(found_before: int, has_gaps: bool) -> None:
    vectors = unit_rows(3, 80)
    known = nearest_neighbours(vectors[:78], found_before)
    searched: list[int] = []

    def counted(search: Any, rows: Any) -> Any:
        searched.extend(rows)
        return map(search, rows)

    found = NeighbourSearch(vectors, counted).update(4, 80, known, np.arange(78, 80), has_gaps=has_gaps)
    assert pairs(found) == pairs(nearest_neighbours(vectors, 4))
    assert searched


def test_lists_miss_few_neighbours_of_grouped_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    groups = np.repeat(draw.normal(size=(100, 32)), 30, axis=0)
    vectors = (groups + 0.5 * draw.normal(size=groups.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 20)
    exact, found = set(pairs(nearest_neighbours(vectors, 5))), set(pairs(find_neighbours(vectors, 5, 0)))
    assert len(exact & found) > 0.97 * len(exact)


def test_who_wants_fewer_gets_what_was_searched_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    monkeypatch.setattr(neighbour_search, "_SLAB", 17)
    vectors = unit_rows(8, 90)
    slabs: list[int] = []

    def counted(search: Any, rows: Any) -> Any:
        slabs.append(len(rows))
        return map(search, rows)

    kept = NeighbourSearch(vectors, counted)
    for count in (5, 20, 2):
        assert pairs(kept.find(count, 0)) == pairs(find_neighbours(vectors, count, 0))
    assert slabs == [6]  # seventeen rows each
    assert pairs(kept.find(5, 90)) == pairs(nearest_neighbours(vectors, 5)) != pairs(kept.find(5, 0))
    assert pairs(kept.find(30, 0)) == pairs(find_neighbours(vectors, 30, 0))
    assert slabs == [6, 1, 6]
