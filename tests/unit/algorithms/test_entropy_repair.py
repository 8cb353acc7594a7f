"""Communities after changes: exact, within the budget, with numbers that stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.algorithms.entropy_minimiser import VISITS, minimise_entropy, repair
from tetragraph.algorithms.structural_entropy import WeightedGraph, structural_entropy, weighted_graph
from tetragraph.arrays import Labels
from tetragraph.errors import InvalidInput

SEEDS = st.integers(0, 2**32 - 1)
NONE = np.empty(0, dtype=np.int64)


def random_graph(seed: int, size: int = 20) -> WeightedGraph:
    draw = np.random.default_rng(seed)
    first, second = np.nonzero(np.triu(draw.random((size, size)) < draw.random(), 1))
    return weighted_graph(first, second, draw.random(len(first)), size)


def neighbour_graph(size: int) -> WeightedGraph:
    """The nearest points of random ones around some centres on a sphere."""
    draw = np.random.default_rng(size)
    points = draw.standard_normal((40, 8))[draw.integers(0, 40, size)] + 0.8 * draw.standard_normal((size, 8))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    near = np.argsort(-points @ points.T, axis=1)[:, 1:11]
    pairs = np.sort(np.stack([np.repeat(np.arange(size), 10), near.ravel()]), axis=0)
    first, second = np.unique(pairs, axis=1)
    return weighted_graph(first, second, np.maximum((points[first] * points[second]).sum(axis=1), 0), size)


def among(graph: WeightedGraph, kept: Labels) -> WeightedGraph:
    """The graph of some nodes, ascending, and the pairs among them."""
    places = np.full(len(graph), -1)
    places[kept] = np.arange(len(kept))
    first = places[np.repeat(np.arange(len(graph)), np.diff(graph.bounds))]
    second = places[graph.neighbours]
    inside = (first >= 0) & (first < second)
    return weighted_graph(first[inside], second[inside], graph.weights[inside], len(kept))


def neighbours(graph: WeightedGraph, nodes: Labels) -> Labels:
    rows = [graph.neighbours[graph.bounds[node] : graph.bounds[node + 1]] for node in nodes.tolist()]
    return np.unique(np.concatenate([NONE, *rows])).astype(np.int64)


@settings(max_examples=80)
@given(SEEDS, st.integers(0, 60))
def test_repair_never_costs_anything_and_keeps_numbers(seed: int, budget: int) -> None:
    graph, draw = random_graph(seed), np.random.default_rng(seed)
    labels = 7 * draw.integers(-1, 5, len(graph))
    labels[labels < 0] = -1
    is_new = labels < 0
    alone = np.where(is_new, 100 + np.arange(len(graph)), labels)
    dirty = np.flatnonzero(draw.random(len(graph)) < 0.3)
    found, left = repair(graph, labels, dirty, budget=budget, order=draw.permutation(len(graph)))
    assert structural_entropy(graph, found[None, :]) <= structural_entropy(graph, alone[None, :]) + 1e-12
    added = np.unique(found[~np.isin(found, labels[~is_new])])
    assert added.tolist() == list(range(labels.max() + 1, labels.max() + 1 + len(added)))
    if not budget:
        assert is_new[left].sum() == is_new.sum()
        assert (found[~is_new] == labels[~is_new]).all()


def test_new_nodes_go_where_they_belong_and_others_follow() -> None:
    graph = neighbour_graph(600)
    whole = minimise_entropy(graph)[0]
    labels = whole.copy()
    labels[::10] = -1
    found, left = repair(graph, labels, neighbours(graph, np.arange(0, 600, 10)))
    assert len(left) == 0
    assert (found == whole).mean() > 0.9


def test_growing_node_by_node_ends_near_what_is_built_at_once() -> None:
    graph = neighbour_graph(400)
    arrivals = np.random.default_rng(0).permutation(400)
    labels = np.full(400, -1)
    for count in range(1, 401):
        present = np.sort(arrivals[:count])
        part = among(graph, present)
        new = np.searchsorted(present, arrivals[count - 1 : count])
        labels[present], left = repair(part, labels[present], neighbours(part, new), budget=VISITS)
        assert len(left) == 0
    built = structural_entropy(graph, minimise_entropy(graph))
    assert structural_entropy(graph, labels[None, :]) < 1.03 * built
    polished = minimise_entropy(graph, start=labels[None, :])
    assert structural_entropy(graph, polished) < 1.005 * built


def test_what_the_budget_leaves_is_done_by_the_next_call() -> None:
    graph, order = neighbour_graph(300), np.random.default_rng(1).permutation(300)
    labels, left = np.full(300, -1), NONE
    once, _ = repair(graph, labels, NONE, order=order)
    rounds = 0
    while rounds == 0 or len(left):
        labels, left = repair(graph, labels, left, order=order, budget=100)
        rounds += 1
    assert rounds > 3
    entropies = [structural_entropy(graph, found[None, :]) for found in (once, labels)]
    assert entropies[1] == pytest.approx(entropies[0], rel=0.02)


def test_after_deleting_nodes_their_neighbours_are_visited() -> None:
    graph = neighbour_graph(300)
    labels = minimise_entropy(graph)[0]
    kept = np.flatnonzero(np.arange(300) % 5 > 0)
    part = among(graph, kept)
    touched = np.searchsorted(kept, np.intersect1d(neighbours(graph, np.arange(0, 300, 5)), kept))
    found, left = repair(part, labels[kept], touched)
    assert len(left) == 0
    before, after = (structural_entropy(part, one[None, :]) for one in (labels[kept], found))
    assert after < before
    assert after < 1.03 * structural_entropy(part, minimise_entropy(part))


@settings(max_examples=50)
@given(SEEDS)
def test_with_ranks_the_order_of_nodes_does_not_matter(seed: int) -> None:
    graph, draw = random_graph(seed), np.random.default_rng(seed)
    ranks, places = draw.permutation(len(graph)), draw.permutation(len(graph))
    labels = draw.integers(-1, 4, len(graph))
    first = np.repeat(np.arange(len(graph)), np.diff(graph.bounds))
    once = first < graph.neighbours
    moved = weighted_graph(places[first[once]], places[graph.neighbours[once]], graph.weights[once], len(graph))
    moved_ranks, moved_labels = np.empty_like(ranks), np.empty_like(labels)
    moved_ranks[places], moved_labels[places] = ranks, labels
    expected, _ = repair(graph, labels, np.array([0, 1]), order=ranks)
    found, _ = repair(moved, moved_labels, places[[0, 1]], order=moved_ranks)
    assert found[places].tolist() == expected.tolist()


@pytest.mark.parametrize("size", [0, 1, 3])
def test_new_nodes_without_neighbours_are_alone(size: int) -> None:
    graph = weighted_graph(NONE, NONE, np.empty(0), size)
    found, left = repair(graph, np.full(size, -1), NONE)
    assert found.tolist() == list(range(size))
    assert left.tolist() == []


@pytest.mark.parametrize(
    ("labels", "dirty", "budget", "told"),
    [
        ([0, 0], [], None, "labels must be 3 numbers of at least -1"),
        ([0, 0, -2], [], None, "labels must be 3 numbers of at least -1"),
        ([0, 0, 0], [3], None, "dirty nodes must be 0 to 2, got 3 to 3"),
        ([0, 0, 0], [-1], None, "dirty nodes must be 0 to 2"),
        ([0, 0, 0], [], -1, "budget must be at least 0, got -1"),
    ],
)
def test_arguments_that_break_a_rule_are_refused(
    labels: list[int], dirty: list[int], budget: int | None, told: str
) -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 3)
    with pytest.raises(InvalidInput, match=told):
        repair(graph, np.array(labels), np.array(dirty, dtype=np.int64), budget=budget)
