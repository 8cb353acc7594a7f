"""The pairs that are judged."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.systems.entity_links import EntityLinks, from_pairs
from tetragraph.systems.gain_graph import candidates
from tetragraph.systems.gain_graph.candidates import EXPLAINS, NEAREST


def unit_rows(seed: int, size: int) -> NDArray[np.float32]:
    draws = np.random.default_rng(seed).integers(-2, 3, size=(size, 3)).astype(np.float32) + 0.25
    vectors: NDArray[np.float32] = draws / np.linalg.norm(draws, axis=1, keepdims=True)
    return vectors


def links(mentions: list[str], describes: list[str]) -> EntityLinks:
    """Links of chunks whose entities are the letters of a string."""
    mentioned, described = (
        [(row, letter) for row, letters in enumerate(rows) for letter in letters] for rows in (mentions, describes)
    )
    return from_pairs(len(mentions), [(*pair, 1) for pair in mentioned], described)


def as_pairs(found: tuple[NDArray[np.int64], NDArray[np.int64]]) -> list[tuple[int, int]]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


def test_a_chunk_is_explained_by_those_that_describe_what_it_mentions() -> None:
    found = links(mentions=["xy", "", "z", "x"], describes=["a", "x", "", "y"])
    assert sorted(as_pairs(candidates.explaining_pairs(found, unit_rows(0, 4), 10))) == [(0, 1), (0, 3), (3, 1)]


def test_of_too_many_explanations_those_of_telling_names_stay() -> None:
    found = links(mentions=["xy", "x", "x", "", ""], describes=["", "", "", "x", "y"])
    assert as_pairs(candidates.explaining_pairs(found, unit_rows(0, 5), 1)) == [(0, 4), (1, 3), (2, 3)]


def test_a_name_that_many_chunks_describe_counts_for_each_by_a_share() -> None:
    found = links(mentions=["xy", "", "", "", ""], describes=["", "x", "x", "x", "y"])
    vectors = np.eye(5, dtype=np.float32)
    vectors[2] = vectors[0]
    assert as_pairs(candidates.explaining_pairs(found, vectors, 3)) == [(0, 4), (0, 2), (0, 1)]


def test_no_explanations_when_none_are_asked_for() -> None:
    assert as_pairs(candidates.explaining_pairs(links(["x", ""], ["", "x"]), unit_rows(0, 2), 0)) == []


@pytest.mark.parametrize(("both_ways", "pairs"), [(False, [(0, 1), (1, 2)]), (True, [(0, 1), (1, 0), (1, 2), (2, 1)])])
def test_each_directed_pair_occurs_once_and_nearest_goes_first(both_ways: bool, pairs: list[tuple[int, int]]) -> None:
    near = np.array([0]), np.array([1])
    explaining = np.array([0, 1]), np.array([1, 2])
    found = candidates.merge(3, near, explaining, both_ways=both_ways)
    assert as_pairs((found.base, found.other)) == pairs
    assert found.kind.tolist() == [NEAREST if pair in {(0, 1), (1, 0)} else EXPLAINS for pair in pairs]
