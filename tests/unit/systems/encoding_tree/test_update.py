"""The chunks that an update examines, by the previous weights of the communities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.algorithms.neighbour_search import NeighbourSearch
from tetragraph.algorithms.structural_entropy import WeightedGraph, weighted_graph
from tetragraph.systems.encoding_tree.affinity import Affinities
from tetragraph.systems.encoding_tree.stored import StoredTree
from tetragraph.systems.encoding_tree.update import _changed_volume, _known, _updated_levels

CHUNKS = [f"c{row}" for row in range(6)]


def triangles() -> WeightedGraph:
    """Two triangles of weight 1 with a bridge of 1/4 between 2 and 3."""
    first, second = np.array([0, 0, 1, 3, 3, 4, 2]), np.array([1, 2, 2, 4, 5, 5, 3])
    return weighted_graph(first, second, np.array([1, 1, 1, 1, 1, 1, 0.25]), 6)


def stored(places: dict[str, str], **measures: tuple[int, float, float]) -> StoredTree:
    """A tree of height 2 whose communities have these sizes, volumes and cuts."""
    communities = {
        name: {"size": size, "volume": volume, "cut": cut, "level": 1} for name, (size, volume, cut) in measures.items()
    }
    return StoredTree({"height": 2, "changed": 0.01}, communities, {}, places)


def stir(now: StoredTree) -> tuple[float, list[int]]:
    names = sorted(now.communities)
    labels = [names.index(now.places[chunk]) if chunk in now.places else -1 for chunk in CHUNKS]
    moved, rows = _changed_volume(triangles(), now, names, np.array(labels))
    return moved, rows.tolist()


HALVES = {**dict.fromkeys(CHUNKS[:3], "a"), **dict.fromkeys(CHUNKS[3:], "b")}
TRUE: dict[str, Any] = {"a": (3, 6.25, 0.25), "b": (3, 6.25, 0.25)}


def test_communities_that_are_as_they_were_are_left_alone() -> None:
    assert stir(stored(HALVES, **TRUE)) == (0.0, [])


@pytest.mark.parametrize(("before", "moved"), [((3, 7.0, 0.25), 0.75), ((3, 6.25, 0.5), 0.0), ((4, 6.25, 0.25), 0.0)])
def test_all_chunks_of_a_community_that_weighed_otherwise_are_looked_at(
    before: tuple[int, float, float], moved: float
) -> None:
    assert stir(stored(HALVES, **{**TRUE, "b": before})) == (moved, [3, 4, 5])


def test_new_chunks_are_looked_at_with_the_community_that_they_came_near_to() -> None:
    """Without chunk 5 the second triangle was an edge of 1: its volume was 2.25 with the bridge."""
    places = {chunk: home for chunk, home in HALVES.items() if chunk != "c5"}
    assert stir(stored(places, **{**TRUE, "b": (2, 2.25, 0.25)})) == (2.0 + 2.0, [3, 4, 5])


def test_a_small_change_is_added_up_and_a_large_one_settled() -> None:
    nearly = stored(HALVES, **{**TRUE, "b": (3, 6.5, 0.25)})
    levels, changed = _updated_levels(triangles(), nearly, CHUNKS)
    assert levels.tolist() == [[0, 0, 0, 1, 1, 1]]
    assert changed == pytest.approx(0.01 + 0.25 / 12.5)
    levels, changed = _updated_levels(triangles(), stored(HALVES, **{**TRUE, "b": (3, 8.0, 0.25)}), CHUNKS)
    assert (levels.tolist(), changed) == ([[0, 0, 0, 1, 1, 1]], 0.0)


def test_a_chunk_without_a_place_finds_its_own() -> None:
    places = {chunk: home for chunk, home in HALVES.items() if chunk != "c5"}
    levels, _ = _updated_levels(triangles(), stored(places, **{**TRUE, "b": (2, 2.25, 0.25)}), CHUNKS)
    assert levels.tolist() == [[0, 0, 0, 1, 1, 1]]


@pytest.mark.parametrize("added", [[], [0, 4], [9, 11]])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_the_nearest_after_adding_are_the_nearest_of_all_whatever_an_interrupted_run_has_stored(
    added: list[int], share: float
) -> None:
    rng = np.random.default_rng(5)
    vectors = (rng.normal(size=(12, 3)) + 2).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    first, second = np.triu_indices(12, k=1)
    stored = Affinities(first, second, *[np.ones(len(first))] * 4).take(rng.random(len(first)) < share)
    new = np.array(added, dtype=np.int64)
    base, other = NeighbourSearch(vectors).update(3, 12, _known(stored, new), new, has_gaps=share < 1)
    expected = zip(*(rows.tolist() for rows in nearest_neighbours(vectors, 3)), strict=True)
    assert sorted(zip(base.tolist(), other.tolist(), strict=True)) == sorted(expected)
