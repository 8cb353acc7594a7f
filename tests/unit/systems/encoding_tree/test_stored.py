"""The tree as nodes and relationships, and the difference between two trees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tetragraph.algorithms.structural_entropy import tree_measures, weighted_graph
from tetragraph.systems.encoding_tree import stored
from tetragraph.systems.encoding_tree.communities import Tree
from tetragraph.systems.encoding_tree.stored import StoredTree

TREE = Tree(np.array([[0, 0, 0, 1], [0, 0, 1, 2]]), (("A", "B"), ("a", "b", "c")))
NAMES = [["Upper", "Other"], ["Pair", "Single", ""]]
CHUNKS = ["c0", "c1", "c2", "c3"]


def described() -> StoredTree:
    path = weighted_graph(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 0.5]), 4)
    return stored.describe(TREE, tree_measures(path, TREE.levels), NAMES, CHUNKS)


def steps(now: StoredTree, wanted: StoredTree) -> dict[str, list[dict[str, Any]]]:
    return {name.split("/")[1]: rows for name, rows in stored._steps(now, wanted) if rows}


def test_a_community_knows_its_measures() -> None:
    found = described().communities
    assert list(found) == ["A", "B", "a", "b", "c"]
    assert {name: community["level"] for name, community in found.items()} == {"A": 1, "B": 1, "a": 2, "b": 2, "c": 2}
    assert found["A"] == {"name": "Upper", "level": 1, "size": 3, "volume": 3.0, "cut": 0.0, "entropy": 0.0}
    expected = {"name": "Pair", "level": 2, "size": 2, "volume": 2.5, "cut": 0.5}
    assert expected.items() <= found["a"].items()
    assert found["a"]["entropy"] == pytest.approx(-0.5 / 3 * np.log2(2.5 / 3))


def test_everything_hangs_where_it_belongs() -> None:
    found = described()
    assert found.above == {"a": "A", "b": "A", "c": "B"}
    assert found.places == {"c0": "a", "c1": "a", "c2": "b", "c3": "c"}
    assert found.path("c1") == ["A", "a"]
    assert found.path("unknown") is None
    assert found.root is None


def placed(**parents: str) -> list[dict[str, str]]:
    """Rows that hang children into their parents: a row a child, so that the size of a change is known."""
    return [{"id": child, "parent": parent} for child, parent in parents.items()]


def test_a_tree_over_nothing_is_empty() -> None:
    nothing = weighted_graph(np.array([], dtype=np.int64), np.array([], dtype=np.int64), np.array([]), 0)
    tree = Tree(np.empty((1, 0), dtype=np.int64), ((),))
    assert stored.describe(tree, tree_measures(nothing, tree.levels), [[]], []) == StoredTree()


def test_from_nothing_everything_is_written_once() -> None:
    found = steps(StoredTree(), described())
    assert list(found) == ["upsert_communities", "link_chunks", "link_communities"]
    assert [row["id"] for row in found["upsert_communities"]] == ["A", "B", "a", "b", "c"]
    assert found["link_chunks"] == placed(c0="a", c1="a", c2="b", c3="c")
    assert found["link_communities"] == placed(a="A", b="A", c="B")


def test_what_is_there_is_not_written_again() -> None:
    assert steps(described(), described()) == {}


def test_only_what_is_different_is_written() -> None:
    now = described()
    communities = {**now.communities, "a": {**now.communities["a"], "size": 1}, "d": now.communities["c"]}
    del communities["c"]
    wanted = StoredTree(None, communities, {"a": "A", "b": "B", "d": "B"}, {**now.places, "c1": "b", "c3": "d"})
    assert steps(now, wanted) == {
        "upsert_communities": [
            {"id": "a", "properties": communities["a"]},
            {"id": "d", "properties": communities["d"]},
        ],
        "delete_places_of_chunks": [{"id": "c1"}, {"id": "c3"}],
        "link_chunks": placed(c1="b", c3="d"),
        "delete_places_of_communities": [{"id": "b"}],
        "link_communities": placed(b="B", d="B"),
        "delete_communities": [{"id": "c"}],
    }


def test_a_stored_tree_gives_back_the_arrays_that_it_was_made_of() -> None:
    whole = replace(described(), root={"height": 3})
    tree = whole.tree(CHUNKS)
    assert tree is not None
    np.testing.assert_array_equal(tree.levels, TREE.levels)
    assert tree.ids == TREE.ids
    assert replace(whole, places={**whole.places, "c1": "B"}).tree(CHUNKS) is None
    assert whole.tree([*CHUNKS, "c4"]) is None
    assert described().tree(CHUNKS) is None
