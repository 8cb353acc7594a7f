"""Structural entropy against its definition, taken over sets of nodes."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms.structural_entropy import (
    QUANTUM,
    WeightedGraph,
    community_measures,
    one_dimensional_entropy,
    round_to_quantum,
    structural_entropy,
    tree_measures,
    weighted_graph,
)
from tetragraph.arrays import Labels
from tetragraph.errors import InvalidInput

SEEDS = st.integers(0, 2**32 - 1)
NODES = 12


def random_graph(seed: int) -> WeightedGraph:
    """Up to 12 nodes, sparse to complete, some of them isolated."""
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, NODES))
    first, second = np.nonzero(np.triu(draw.random((size, size)) < draw.random(), 1))
    return weighted_graph(first, second, draw.random(len(first)), size)


def random_tree(seed: int, size: int, height: int) -> Labels:
    draw = np.random.default_rng(seed + 1)
    labels, levels = np.zeros(size, dtype=np.int64), []
    for _ in range(height - 1):
        labels = 3 * labels + draw.integers(0, 3, size)
        labels = np.unique(labels, return_inverse=True)[1]
        levels.append(labels)
    return np.array(levels, dtype=np.int64).reshape(height - 1, size)


def dense(graph: WeightedGraph) -> NDArray[np.float64]:
    matrix = np.zeros((len(graph), len(graph)))
    matrix[np.repeat(np.arange(len(graph)), np.diff(graph.bounds)), graph.neighbours] = graph.weights
    return matrix


def by_definition(graph: WeightedGraph, levels: Labels) -> float:
    """Eq. (1) over the sets of nodes of each community, the single nodes among them."""
    weights, nodes = dense(graph), np.arange(len(graph))
    rows = [np.zeros_like(nodes), *levels, nodes]
    total = 0.0
    for above, row in pairwise(rows):
        for label in set(row.tolist()):
            inside = row == label
            volume, cut = weights[inside].sum(), weights[inside][:, ~inside].sum()
            if volume:
                total -= cut / weights.sum() * math.log2(volume / weights[above == above[inside][0]].sum())
    return total


def by_edges(graph: WeightedGraph, levels: Labels) -> float:
    """Each pair adds the log volume of its lowest common community, and each node takes that of its degree."""
    weights, degrees = dense(graph), graph.degrees
    rows = [np.zeros(len(graph), dtype=np.int64), *levels]
    total = 0.0
    for first, second in zip(*np.nonzero(weights), strict=True):
        common = max(level for level, row in enumerate(rows) if row[first] == row[second])
        volume = degrees[rows[common] == rows[common][first]].sum()
        total += weights[first, second] * math.log2(volume / degrees[first]) / weights.sum()
    return total


@given(SEEDS, st.integers(1, 5))
def test_equation_1_is_its_definition_and_the_form_over_edges(seed: int, height: int) -> None:
    graph = random_graph(seed)
    levels = random_tree(seed, len(graph), height)
    found = structural_entropy(graph, levels)
    assert found == pytest.approx(by_definition(graph, levels), abs=1e-12)
    assert found == pytest.approx(by_edges(graph, levels), abs=1e-12)


@given(SEEDS, st.integers(2, 5))
def test_equation_7_measures_of_a_level_are_those_of_the_levels_around_it(seed: int, height: int) -> None:
    graph = random_graph(seed)
    levels = random_tree(seed, len(graph), height)
    measures = tree_measures(graph, levels)
    for labels, level in zip(levels, measures, strict=True):
        inside = labels[:, None] == labels[None, :]
        assert level.cuts.sum() == graph.volume - dense(graph)[inside].sum()
        assert (level.cuts >= 0).all()
        assert (level.entropies >= 0).all()
        assert level.sizes.tolist() == np.bincount(labels).tolist()
    for above, level in pairwise(measures):
        assert np.bincount(level.parents, level.volumes).tolist() == above.volumes.tolist()


@given(SEEDS)
def test_no_communities_one_of_all_and_one_each_are_the_same(seed: int) -> None:
    graph = random_graph(seed)
    flat = one_dimensional_entropy(graph)
    for labels in (np.zeros(len(graph), dtype=np.int64), np.arange(len(graph))):
        assert structural_entropy(graph, labels[None, :]) == pytest.approx(flat, abs=1e-12)
    assert 0 <= structural_entropy(graph, random_tree(seed, len(graph), 2)) <= flat + 1e-12
    assert flat <= math.log2(len(graph)) + 1e-12


@given(SEEDS, st.integers(2, 4))
def test_another_level_never_costs_anything(seed: int, height: int) -> None:
    graph = random_graph(seed)
    levels = random_tree(seed, len(graph), height)
    for level in range(height - 1):
        assert structural_entropy(graph, levels) <= structural_entropy(graph, np.delete(levels, level, 0)) + 1e-12


@given(SEEDS, st.integers(-6, 6))
def test_neither_scale_nor_order_of_the_nodes_matters(seed: int, scale: int) -> None:
    graph = random_graph(seed)
    levels = random_tree(seed, len(graph), 3)
    expected = structural_entropy(graph, levels)
    places = np.random.default_rng(seed).permutation(len(graph))
    rows = np.repeat(np.arange(len(graph)), np.diff(graph.bounds))
    once = rows < graph.neighbours
    ends = places[rows[once]], places[graph.neighbours[once]]
    scaled = weighted_graph(*ends, graph.weights[once] * 2.0**scale / QUANTUM, len(graph))
    moved = np.empty_like(levels)
    moved[:, places] = levels
    assert structural_entropy(scaled, moved) == pytest.approx(expected, abs=1e-12)


def test_the_entropy_of_two_triangles_joined_by_an_edge() -> None:
    graph = weighted_graph(np.array([0, 0, 1, 3, 3, 4, 2]), np.array([1, 2, 2, 4, 5, 5, 3]), np.ones(7), 6)
    leaves = -(4 * 2 * math.log2(2 / 7) + 2 * 3 * math.log2(3 / 7)) / 14
    assert structural_entropy(graph, np.array([[0, 0, 0, 1, 1, 1]])) == pytest.approx(leaves + 2 / 14)
    volumes, cuts = community_measures(graph, np.array([0, 0, 0, 2, 2, 2]))
    assert volumes.tolist() == [7, 0, 7]
    assert cuts.tolist() == [1, 0, 1]


@pytest.mark.parametrize("size", [0, 1, 3])
def test_a_graph_without_edges_has_no_entropy(size: int) -> None:
    graph = weighted_graph(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), size)
    assert structural_entropy(graph, np.arange(size)[None, :]) == 0.0
    assert len(graph) == size
    assert graph.volume == 0.0


def test_sums_of_quantised_weights_are_exact_in_any_order() -> None:
    weights = round_to_quantum(np.random.default_rng(0).random(10_000))
    assert len({float(np.cumsum(np.random.default_rng(seed).permutation(weights))[-1]) for seed in range(5)}) == 1


def test_pairs_may_come_in_any_direction_and_order() -> None:
    one = weighted_graph(np.array([0, 1, 3]), np.array([1, 2, 0]), np.array([0.3, 0.2, 0.7]), 4)
    other = weighted_graph(np.array([0, 2, 1]), np.array([3, 1, 0]), np.array([0.7, 0.2, 0.3]), 4)
    assert one.bounds.tolist() == other.bounds.tolist() == [0, 2, 4, 5, 6]
    assert one.neighbours.tolist() == other.neighbours.tolist() == [1, 3, 0, 2, 1, 0]
    assert one.weights.tolist() == other.weights.tolist()
    assert one.degrees.tolist() == dense(one).sum(axis=1).tolist()


def test_what_weighs_nothing_is_left_out() -> None:
    graph = weighted_graph(np.array([0, 1]), np.array([1, 2]), np.array([0.4 * QUANTUM, 1.0]), 3)
    assert graph.bounds.tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize(
    ("first", "second", "weights", "told"),
    [
        ([0], [1], [-0.1], "weights must be finite and at least 0"),
        ([0], [1], [math.nan], "weights must be finite"),
        ([0], [1], [math.inf], "weights must be finite and at least 0, got \\[inf\\]"),
        ([0, 1], [0, 2], [1.0, 1.0], "a pair must have two ends, got \\[0\\]"),
        ([0, 1], [1, 0], [1.0, 1.0], "each pair must be given once, got 2 of which 1 differ"),
        ([0], [3], [1.0], "ends must be 0 to 2, got \\[3\\]"),
        ([-1], [0], [1.0], "ends must be 0 to 2, got \\[-1\\]"),
        ([0], [1], [1.0, 1.0], "must be equally many, got 1, 1, 2"),
    ],
)
def test_pairs_that_make_no_graph_are_refused(
    first: list[int], second: list[int], weights: list[float], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        weighted_graph(np.array(first), np.array(second), np.array(weights), 3)


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ([[0, 0]], r"must be \(height - 1, 3\) numbers"),
        ([[0, -1, 0]], "numbered from 0, got -1"),
        ([[0, 1, 1], [0, 0, 1]], "those of level 1 do not"),
    ],
)
def test_levels_that_make_no_tree_are_refused(levels: list[list[int]], told: str) -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 3)
    with pytest.raises(InvalidInput, match=told):
        structural_entropy(graph, np.array(levels))
