"""The layout of nodes: without overlaps, by component, and always the same."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.drawing.layout import GAPS, MOST_EXACT, MOST_FORCED, ROOM, Places, place_nodes

Graph = tuple[list[str], list[tuple[str, str]]]


def graph_of(nodes: int, *edges: tuple[int, int]) -> Graph:
    return [str(place) for place in range(nodes)], [(str(one), str(other)) for one, other in edges]


def places(graph: Graph) -> Places:
    return place_nodes(*graph)


def test_an_empty_graph_has_no_places() -> None:
    assert places(graph_of(0)) == {}


def test_two_nodes_are_as_far_apart_as_a_link_is_long() -> None:
    found = places(graph_of(2, (0, 1)))
    (x, y), (other_x, other_y) = found["0"], found["1"]
    assert math.hypot((x - other_x) / 1.7, y - other_y) == 1


def test_nodes_without_links_stand_in_rows_with_gaps() -> None:
    found = places(graph_of(6))
    assert len({y for _, y in found.values()}) == 3
    row = sorted(x for x, y in found.values() if y == max(y for _, y in found.values()))
    assert [round(right - left, 3) for left, right in pairwise(row)] == [GAPS[0]] * (len(row) - 1)


def test_parts_that_nothing_joins_do_not_overlap_and_the_largest_comes_first() -> None:
    found = places(graph_of(7, (0, 1), (2, 3), (3, 4), (4, 5), (5, 2)))
    boxes = [[found[key] for key in keys] for keys in (("2", "3", "4", "5"), ("0", "1"), ("6",))]
    for one, other in combinations(boxes, 2):
        apart = [max(place[axis] for place in one) < min(place[axis] for place in other) for axis in (0, 1)]
        apart += [max(place[axis] for place in other) < min(place[axis] for place in one) for axis in (0, 1)]
        assert any(apart)
    assert max(boxes[0], key=lambda place: place[1])[1] == max(y for _, y in found.values())


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=14))
def test_no_two_nodes_stand_at_one_place(nodes: int, pairs: list[tuple[int, int]]) -> None:
    edges = [(one % nodes, other % nodes) for one, other in pairs if one % nodes != other % nodes]
    graph = graph_of(nodes, *edges)
    found = places(graph)
    assert set(found) == set(graph[0])
    assert len(set(found.values())) == nodes
    assert all(math.isfinite(value) for place in found.values() for value in place)


@pytest.mark.parametrize("edges", [[(0, leaf) for leaf in range(1, 15)], list(combinations(range(9), 2))])
def test_names_do_not_cover_one_another(edges: list[tuple[int, int]]) -> None:
    found = places(graph_of(1 + max(place for edge in edges for place in edge), *edges))
    for (x, y), (other_x, other_y) in combinations(found.values(), 2):
        assert abs(x - other_x) > ROOM[0] - 0.02 or abs(y - other_y) > ROOM[1] - 0.02


def test_a_part_too_large_for_exact_distances_is_placed_the_same_way_twice() -> None:
    size = MOST_EXACT + 10
    ring = graph_of(size, *((place, (place + 1) % size) for place in range(size)))
    found = places(ring)
    assert found == places(ring)
    assert len(set(found.values())) == size


def test_a_very_large_component_is_placed_on_rings_that_leave_room() -> None:
    graph = graph_of(MOST_FORCED + 1, *((number, number // 3) for number in range(1, MOST_FORCED + 1)))
    found = places(graph)
    assert list(found) == graph[0]
    assert found == places(graph)
    assert min(math.dist(one, other) for one, other in combinations(found.values(), 2)) > 0.9 * ROOM[1]
