"""Communities keep their identity while the corpus changes."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.model import content_id
from tetragraph.systems.encoding_tree.communities import assign_new_ids, inherit_ids, renumber

CHUNKS = [f"c{row}" for row in range(6)]
Before = list[str | None]


def test_numbers_follow_the_first_chunk_without_gaps() -> None:
    levels = np.array([[7, 7, 7, 2, 2], [9, 4, 9, 0, 1]])
    assert renumber(levels).tolist() == [[0, 0, 0, 1, 1], [0, 1, 0, 2, 3]]


def test_fresh_ids_come_from_the_level_and_the_first_chunk() -> None:
    tree = assign_new_ids(np.array([[5, 5, 1], [3, 8, 0]]), ["a", "b", "c"])
    assert tree.ids == (
        (content_id("community", "1", "a"), content_id("community", "1", "c")),
        tuple(content_id("community", "2", chunk) for chunk in "abc"),
    )


def test_a_tree_over_nothing_has_no_ids() -> None:
    empty = np.empty((1, 0), dtype=np.int64)
    assert assign_new_ids(empty, []).ids == ((),)
    assert inherit_ids(empty, [], [[]]).ids == ((),)


def test_a_community_takes_the_id_of_the_old_one_with_which_it_shares_most() -> None:
    before: Before = ["old", "old", "old", "other", "other", None]
    tree = inherit_ids(np.array([[0, 1, 1, 1, 2, 3]]), CHUNKS, [before])
    new = content_id("community", "1", "c0")
    assert tree.ids == ((new, "old", "other", content_id("community", "1", "c5")),)


def test_communities_that_join_keep_the_id_of_the_larger() -> None:
    assert inherit_ids(np.array([[0] * 5]), CHUNKS[:5], [["b", "b", "a", "a", "a"]]).ids == (("a",),)


def test_of_equal_halves_the_one_with_the_first_chunk_keeps_the_id() -> None:
    tree = inherit_ids(np.array([[0, 0, 1, 1]]), CHUNKS[:4], [["old"] * 4])
    assert tree.ids == (("old", content_id("community", "1", "c2")),)


def test_when_every_chunk_is_new_all_ids_are_fresh() -> None:
    levels = np.array([[0, 0, 1]])
    assert inherit_ids(levels, CHUNKS[:3], [[None] * 3]).ids == assign_new_ids(levels, CHUNKS[:3]).ids


def test_a_new_id_is_never_one_that_is_used() -> None:
    """The community was named after c0, which leaves it and founds one of its own."""
    taken = content_id("community", "1", "c0")
    tree = inherit_ids(np.array([[0, 1, 1, 1]]), CHUNKS[:4], [[taken] * 4])
    assert tree.ids == ((content_id("community", "1", "c0", "1"), taken),)


def test_each_level_has_its_own_ids() -> None:
    tree = inherit_ids(np.array([[0, 0], [0, 1]]), CHUNKS[:2], [["top", "top"], ["low", None]])
    assert tree.ids == (("top",), ("low", content_id("community", "2", "c1")))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([None, "p", "q", "r", "s"])), max_size=30))
def test_ids_differ_and_are_inherited_by_the_largest_overlap(drawn: list[tuple[int, str | None]]) -> None:
    labels = np.array([[label for label, _ in drawn]], dtype=np.int64)
    before: Before = [old for _, old in drawn]
    chunks = [f"c{row:02d}" for row in range(len(drawn))]
    tree = inherit_ids(labels, chunks, [before])
    ids = tree.ids[0]
    assert len(set(ids)) == len(ids) == len(set(labels[0].tolist()))
    shared = Counter((ids[place], old) for place, old in zip(tree.levels[0].tolist(), before, strict=True) if old)
    for (new, old), count in shared.items():
        if old not in ids:  # whoever shares with a vanished one has an id that it shares no less with
            assert shared[new, new] >= count
        elif new not in shared_names(before):  # whoever got a new id lost each old one to a larger share
            assert shared[old, old] >= count


def shared_names(before: Before) -> set[str]:
    return {old for old in before if old}
