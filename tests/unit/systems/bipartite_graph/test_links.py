"""Links between rows of two kinds, as two arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.systems.bipartite_graph.links import Links

GROUPS = st.lists(st.sets(st.integers(0, 5), max_size=4).map(sorted), max_size=6)


def as_lists(links: Links) -> list[list[int]]:
    return [links.of(row).tolist() for row in range(len(links.bounds) - 1)]


@given(GROUPS)
@settings(max_examples=60, deadline=None)
def test_each_row_keeps_what_it_is_joined_with(groups: list[list[int]]) -> None:
    assert as_lists(Links.of_groups(groups)) == groups


@given(GROUPS)
@settings(max_examples=60, deadline=None)
def test_seen_from_the_other_side_the_joints_are_the_same_and_keep_their_places(groups: list[list[int]]) -> None:
    links = Links.of_groups(groups)
    turned, places = links.transpose(6)
    assert as_lists(turned) == [[row for row, group in enumerate(groups) if other in group] for other in range(6)]
    others = np.repeat(np.arange(6), np.diff(turned.bounds))
    assert links.items[places].tolist() == others.tolist()
    assert as_lists(turned.transpose(len(groups))[0]) == groups


@given(GROUPS.filter(len), st.data())
@settings(max_examples=60, deadline=None)
def test_the_places_of_some_rows_are_in_their_order_each_with_its_row(
    groups: list[list[int]], data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.integers(0, len(groups) - 1), max_size=5))
    links = Links.of_groups(groups)
    places, source = links.places(np.array(rows, dtype=np.int64))
    assert links.items[places].tolist() == [item for row in rows for item in groups[row]]
    assert source.tolist() == [number for number, row in enumerate(rows) for _ in groups[row]]


def test_both_arrays_go_into_the_cache_under_one_name() -> None:
    arrays = Links.of_groups([[2, 3], [], [1]]).arrays("members")
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "members.bounds": [0, 2, 2, 3],
        "members.items": [2, 3, 1],
    }


def test_a_row_has_the_indices_of_its_links_and_their_number() -> None:
    links = Links.of_groups([[1, 2], [], [0]])
    assert [links.range(row).tolist() for row in range(3)] == [[0, 1], [], [2]]
    assert links.counts().tolist() == [2, 0, 1]
