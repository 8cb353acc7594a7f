"""Vectors of communities compared with the sums over paths of their definition."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.algorithms.structural_entropy import WeightedGraph, weighted_graph
from tetragraph.arrays import Labels, Vectors
from tetragraph.errors import InvalidInput

SEEDS = st.integers(0, 2**32 - 1)


def random_case(seed: int, height: int) -> tuple[WeightedGraph, Labels, Vectors]:
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, 14))
    first, second = np.nonzero(np.triu(draw.random((size, size)) < draw.random(), 1))
    graph = weighted_graph(first, second, draw.random(len(first)), size)
    labels, levels = np.zeros(size, dtype=np.int64), []
    for _ in range(height - 1):
        labels = np.unique(3 * labels + draw.integers(0, 3, size), return_inverse=True)[1]
        levels.append(labels)
    return graph, np.array(levels), unit(np.abs(draw.standard_normal((size, 5))))


def unit(rows: NDArray[np.float64]) -> Vectors:
    scaled: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def weight(graph: WeightedGraph, levels: Labels, node: int, level: int) -> float:
    """Eq. (8): what the communities around a node add, from itself up to the one below its community of a level."""
    total, row = 0.0, np.zeros((len(graph), len(graph)))
    row[np.repeat(np.arange(len(graph)), np.diff(graph.bounds)), graph.neighbours] = graph.weights
    path = [levels[deeper] == levels[deeper, node] for deeper in range(level, len(levels))]
    path.append(np.arange(len(graph)) == node)
    for above, inside in pairwise(path):
        if row[inside].sum():
            total -= row[inside][:, ~inside].sum() * math.log2(row[inside].sum() / row[above].sum())
    return total / (row[path[0]].sum() or 1.0)


@given(SEEDS, st.integers(2, 4))
def test_equations_8_and_9_are_the_sums_over_paths(seed: int, height: int) -> None:
    graph, levels, vectors = random_case(seed, height)
    found = consolidate(graph, levels, vectors)
    assert len(found) == height - 1
    for level, rows in enumerate(found):
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)
        for label, row in enumerate(rows):
            nodes = np.flatnonzero(levels[level] == label)
            weights = np.array([weight(graph, levels, node, level) for node in nodes.tolist()])
            mean = (weights if weights.sum() else np.ones(len(nodes))) @ vectors[nodes].astype(np.float64)
            assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_of_two_nodes_the_less_central_one_weighs_more() -> None:
    graph = weighted_graph(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([1.0, 4.0, 4.0]), 4)
    row = consolidate(graph, np.array([[0, 0, 1, 1]]), np.eye(4, dtype=np.float32))[0][0]
    assert row[1] / row[0] == pytest.approx(math.log2(10) / (9 * math.log2(10 / 9)))
    assert row[1] > row[0]


def test_a_community_of_one_node_has_its_vector() -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 3)
    vectors = unit(np.array([[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]]))
    levels = np.array([[0, 0, 1], [0, 1, 2]])
    for rows, labels in zip(consolidate(graph, levels, vectors)[1:], levels[1:], strict=True):
        assert rows[labels] == pytest.approx(vectors)


def test_without_edges_nodes_weigh_alike() -> None:
    graph = weighted_graph(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), 2)
    rows = consolidate(graph, np.array([[0, 0]]), np.eye(2, dtype=np.float32))[0]
    assert rows[0] == pytest.approx([math.sqrt(0.5)] * 2)


def test_when_the_mean_is_nothing_the_first_node_stands_for_the_community() -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2)
    vectors = unit(np.array([[0.6, 0.8], [-0.6, -0.8]]))
    assert consolidate(graph, np.array([[0, 0]]), vectors)[0][0] == pytest.approx(vectors[0])


def test_numbers_that_no_node_has_get_no_vector() -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2)
    assert consolidate(graph, np.array([[2, 2]]), np.eye(2, dtype=np.float32))[0][:2].tolist() == [[0, 0], [0, 0]]


def test_nothing_gives_nothing() -> None:
    graph = weighted_graph(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), 0)
    rows = consolidate(graph, np.empty((1, 0), dtype=np.int64), np.empty((0, 4), dtype=np.float32))
    assert [part.shape for part in rows] == [(0, 4)]


def test_vectors_that_are_not_one_a_node_are_refused() -> None:
    graph = weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2)
    with pytest.raises(InvalidInput, match="one for each of 2 nodes"):
        consolidate(graph, np.array([[0, 0]]), np.eye(3, dtype=np.float32))
