"""Trees of minimal entropy: planted ones are found, never worse than others, independent of the input order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.algorithms.entropy_minimiser import levels_above, minimise_entropy
from tetragraph.algorithms.structural_entropy import (
    WeightedGraph,
    one_dimensional_entropy,
    structural_entropy,
    tree_measures,
    weighted_graph,
)
from tetragraph.arrays import Floats, Labels
from tetragraph.errors import InvalidInput

SEEDS = st.integers(0, 2**32 - 1)


def random_graph(seed: int, most: int = 30) -> WeightedGraph:
    """Sparse to complete, often in several parts, some nodes isolated."""
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, most + 1))
    first, second = np.nonzero(np.triu(draw.random((size, size)) < draw.random(), 1))
    return weighted_graph(first, second, draw.random(len(first)), size)


def planted(shares: list[float], children: list[int], size: int, seed: int = 0) -> tuple[WeightedGraph, Labels]:
    """A graph of a nested partition, and its levels.

    Args:
        shares: Of the edges, that stay in the root, in a community of the first level …
        children: Communities below the root, communities in each of those …
        size: Of the graph; nodes have 40 neighbours or a few less.
        seed: Another one gives another graph.
    """
    draw = np.random.default_rng(seed)
    counts = np.cumprod([1, *children])
    places = draw.permutation(size)
    first = draw.integers(0, size, 20 * size)
    width = size // counts[draw.choice(len(shares), len(first), p=shares)]
    second = first // width * width + draw.integers(0, width)
    pairs = np.unique(np.sort(np.stack([first, second]), axis=0)[:, first != second], axis=1)
    levels = np.empty((len(children), size), dtype=np.int64)
    levels[:, places] = np.arange(size) // (size // counts[1:, None])
    weights = draw.uniform(0.2, 1.0, len(pairs[0]))
    return weighted_graph(places[pairs[0]], places[pairs[1]], weights, size), levels


def cliques(count: int, size: int) -> WeightedGraph:
    """A ring of cliques, one edge between each and the next."""
    first, second = np.triu_indices(size, 1)
    starts = size * np.arange(count)[:, None]
    ring = (starts + size - 1).ravel(), np.roll(starts, -1).ravel()
    first, second = np.r_[(starts + first).ravel(), ring[0]], np.r_[(starts + second).ravel(), ring[1]]
    return weighted_graph(first, second, np.ones(len(first)), count * size)


def is_same(first: Labels, second: Labels) -> bool:
    """Do they put the same nodes together?"""
    both = len({*zip(first.tolist(), second.tolist(), strict=True)})
    return len(set(first.tolist())) == both == len(set(second.tolist()))


def pairs_of(graph: WeightedGraph) -> tuple[Labels, Labels, Floats]:
    first = np.repeat(np.arange(len(graph)), np.diff(graph.bounds))
    once = first < graph.neighbours
    return first[once], graph.neighbours[once].astype(np.int64), graph.weights[once]


@pytest.mark.parametrize("mixing", [0.3, 0.6])
def test_a_planted_partition_is_found(mixing: float) -> None:
    graph, levels = planted([mixing, 1 - mixing], [100], 5000)
    found = minimise_entropy(graph)
    assert is_same(found[0], levels[0])


def test_a_planted_hierarchy_is_found() -> None:
    graph, levels = planted([0.2, 0.3, 0.5], [5, 10], 4000)
    found = minimise_entropy(graph, height=3)
    assert is_same(found[0], levels[0])
    assert structural_entropy(graph, found) <= structural_entropy(graph, levels) + 1e-9


@pytest.mark.parametrize(("size", "count", "together"), [(3, 64, 1), (4, 256, 1), (5, 4096, 1), (3, 256, 2)])
def test_cliques_of_a_ring_pair_up_only_when_they_are_small_and_many(size: int, count: int, together: int) -> None:
    found = minimise_entropy(cliques(count, size))[0]
    assert found.max() + 1 == count // together
    assert (np.bincount(found) == size * together).all()


def partitions(size: int) -> Iterator[list[int]]:
    """All partitions of so many nodes, as labels that grow by one at the most."""
    if not size:
        yield []
        return
    for rest in partitions(size - 1):
        yield from ([*rest, label] for label in range(max(rest, default=-1) + 2))


def test_small_graphs_are_at_or_near_the_best_of_all_partitions() -> None:
    excess = []
    for seed in range(40):
        graph = random_graph(seed, most=7)
        best = min(structural_entropy(graph, np.array([labels])) for labels in partitions(len(graph)))
        found = structural_entropy(graph, minimise_entropy(graph))
        assert found >= best - 1e-12
        excess.append(found / best - 1 if best else 0.0)
    assert np.mean(excess) < 0.01


def greedy(graph: WeightedGraph) -> Labels:
    """Merge the pair of communities that lowers the entropy most, until none does."""
    weights = np.zeros((len(graph), len(graph)))
    first, second, values = pairs_of(graph)
    weights[first, second] = weights[second, first] = values
    labels, volumes, alive = np.arange(len(graph)), graph.degrees.copy(), graph.degrees > 0
    while True:
        inner = np.diagonal(weights)
        joint = volumes[:, None] + volumes
        with np.errstate(divide="ignore", invalid="ignore"):
            kept = inner * np.log2(joint / volumes[:, None])
            change = kept + kept.T - 2 * weights * np.log2(graph.volume / joint)
        change[~(alive[:, None] & alive) | np.eye(len(graph), dtype=bool)] = np.inf
        one, other = divmod(int(change.argmin()), len(graph))
        if not change[one, other] < -1e-12:
            return labels
        inside = inner[one] + inner[other] + 2 * weights[one, other]
        weights[one] += weights[other]
        weights[:, one] = weights[one]
        weights[one, one] = inside
        volumes[one] += volumes[other]
        alive[other], labels[labels == other] = False, one


def neighbour_graph(size: int, count: int = 8) -> WeightedGraph:
    """The nearest points of random ones on a sphere, as chunks and their vectors give it."""
    draw = np.random.default_rng(size)
    points = draw.standard_normal((12, 6))[draw.integers(0, 12, size)] + 0.7 * draw.standard_normal((size, 6))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    near = np.argsort(-points @ points.T, axis=1)[:, 1 : count + 1]
    pairs = np.sort(np.stack([np.repeat(np.arange(size), count), near.ravel()]), axis=0)
    first, second = np.unique(pairs, axis=1)
    return weighted_graph(first, second, np.maximum((points[first] * points[second]).sum(axis=1), 0), size)


@pytest.mark.parametrize("size", [60, 150, 250])
def test_entropy_is_not_above_that_of_greedy_merging(size: int) -> None:
    graph = neighbour_graph(size)
    found = structural_entropy(graph, minimise_entropy(graph))
    assert found <= structural_entropy(graph, greedy(graph)[None, :]) + 1e-9


@settings(max_examples=50)
@given(SEEDS)
def test_more_height_and_more_rounds_never_cost_anything(seed: int) -> None:
    graph = random_graph(seed)
    entropies = [structural_entropy(graph, minimise_entropy(graph, height=height)) for height in range(1, 6)]
    assert entropies[0] == one_dimensional_entropy(graph)
    assert (np.diff(entropies) <= 1e-12).all()
    rounds = [structural_entropy(graph, minimise_entropy(graph, rounds=rounds)) for rounds in (1, 2, 3)]
    assert (np.diff(rounds) <= 1e-12).all()


@settings(max_examples=50)
@given(SEEDS, st.integers(2, 4))
def test_communities_are_connected_nested_and_numbered_by_first_node(seed: int, height: int) -> None:
    graph = random_graph(seed)
    levels = minimise_entropy(graph, height=height)
    assert levels.shape == (height - 1, len(graph))
    first, second, _ = pairs_of(graph)
    for labels in levels:
        numbers, firsts = np.unique(labels, return_index=True)
        assert numbers.tolist() == list(range(len(numbers)))
        assert (np.diff(firsts) > 0).all()
        reached = np.arange(len(graph))
        inside = labels[first] == labels[second]
        for _ in range(len(graph)):
            np.minimum.at(reached, first[inside], reached[second[inside]])
            np.minimum.at(reached, second[inside], reached[first[inside]])
        assert len(np.unique(reached)) == len(numbers)
    tree_measures(graph, levels)


@settings(max_examples=50)
@given(SEEDS, st.integers(2, 4))
def test_a_tree_to_begin_from_is_never_made_worse(seed: int, height: int) -> None:
    graph = random_graph(seed)
    draw = np.random.default_rng(seed)
    start = np.cumsum(draw.integers(0, 3, (height - 1, 1)), axis=0) + draw.integers(0, 5, len(graph))
    found = minimise_entropy(graph, height=height, start=start)
    assert structural_entropy(graph, found) <= structural_entropy(graph, start) + 1e-12
    again = minimise_entropy(graph, height=height, start=found)
    assert structural_entropy(graph, again) <= structural_entropy(graph, found) + 1e-12
    higher = minimise_entropy(graph, height=height + 1, start=found)
    assert structural_entropy(graph, higher) <= structural_entropy(graph, found) + 1e-12


@settings(max_examples=50)
@given(SEEDS, st.integers(2, 4))
def test_with_ranks_the_order_of_input_does_not_matter(seed: int, height: int) -> None:
    graph = random_graph(seed)
    draw = np.random.default_rng(seed)
    ranks, places = draw.permutation(len(graph)), draw.permutation(len(graph))
    first, second, weights = pairs_of(graph)
    shuffled = draw.permutation(len(first))
    moved = weighted_graph(places[second][shuffled], places[first][shuffled], weights[shuffled], len(graph))
    moved_ranks = np.empty_like(ranks)
    moved_ranks[places] = ranks
    expected = minimise_entropy(graph, height=height, order=ranks)
    assert minimise_entropy(moved, height=height, order=moved_ranks)[:, places].tolist() == expected.tolist()
    assert minimise_entropy(graph, height=height, order=ranks).tolist() == expected.tolist()


def test_communities_are_numbered_by_their_smallest_rank() -> None:
    graph = weighted_graph(np.array([0, 2]), np.array([1, 3]), np.ones(2), 5)
    assert minimise_entropy(graph, order=np.array([4, 2, 3, 1, 0])).tolist() == [[2, 2, 1, 1, 0]]


@settings(max_examples=50)
@given(SEEDS, st.integers(2, 5))
def test_upper_levels_stand_on_the_lowest_and_never_cost_anything(seed: int, height: int) -> None:
    graph = random_graph(seed)
    labels = np.random.default_rng(seed).integers(0, 9, len(graph))
    levels = np.vstack([levels_above(graph, labels, height), labels])
    assert levels.shape == (height - 1, len(graph))
    assert structural_entropy(graph, levels) <= structural_entropy(graph, labels[None, :]) + 1e-12


@pytest.mark.parametrize(
    ("size", "pairs", "expected"),
    [
        (0, [], []),
        (1, [], [0]),
        (2, [(0, 1)], [0, 0]),
        (4, [(1, 3)], [0, 1, 2, 1]),
        (5, [(0, other) for other in range(1, 5)], [0, 0, 0, 0, 0]),
        (6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)], [0, 0, 0, 1, 1, 1]),
        (4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], None),
    ],
    ids=["empty", "node", "edge", "isolated nodes", "star", "two parts", "complete"],
)
def test_degenerate_graphs(size: int, pairs: list[tuple[int, int]], expected: list[int] | None) -> None:
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    graph = weighted_graph(first, second, np.ones(len(pairs)), size)
    for height in (2, 3):
        found = minimise_entropy(graph, height=height)
        assert found.shape == (height - 1, size)
        if expected is not None:
            assert (
                structural_entropy(graph, found)
                <= structural_entropy(graph, np.array([expected], dtype=np.int64)) + 1e-12
            )
    isolated = np.flatnonzero(graph.degrees == 0)
    assert (np.bincount(found[0], minlength=size)[found[0][isolated]] == 1).all()


def test_nodes_without_neighbours_leave_the_community_they_began_in() -> None:
    graph = weighted_graph(np.array([1]), np.array([2]), np.ones(1), 4)
    for height in (2, 3):
        start = np.zeros((height - 1, 4), dtype=np.int64)
        assert minimise_entropy(graph, height=height, start=start).tolist() == [[0, 1, 1, 2]] * (height - 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"height": 0}, "height and rounds must be at least 1, got 0 and 3"),
        ({"rounds": 0}, "height and rounds must be at least 1"),
        ({"order": np.array([0, 0, 1])}, "order must hold each rank from 0 to 2 once"),
        ({"order": np.array([0, 1])}, "order must hold each rank"),
        ({"start": np.zeros((2, 3), dtype=np.int64)}, "must not be higher than 2, got 3"),
        ({"start": np.zeros((1, 2), dtype=np.int64)}, r"levels must be \(height - 1, 3\)"),
    ],
)
def test_arguments_that_break_a_rule_are_refused(arguments: dict[str, object], told: str) -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 3)
    with pytest.raises(InvalidInput, match=told):
        minimise_entropy(graph, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(("height", "rounds"), [(1, 3), (3, 0)])
def test_upper_levels_need_a_height_of_two_and_a_round(height: int, rounds: int) -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2)
    with pytest.raises(InvalidInput, match=f"at least 2 and rounds 1, got {height} and {rounds}"):
        levels_above(graph, np.array([0, 0]), height, rounds=rounds)
