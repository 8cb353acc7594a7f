"""Personalised PageRank against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms.personalized_pagerank import personalized_pagerank, transition_matrix
from tetragraph.errors import DidNotConverge, InvalidInput

Graph = tuple[int, list[tuple[int, int, float]], list[float]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Nodes, weighted edges (no pair twice, some of weight 0, some nodes without any), seeds."""
    size = draw(st.integers(1, 8))
    pairs = draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=20))
    edges = [(a, b, draw(st.sampled_from([0.0, 0.1, 0.4, 0.7, 0.95]))) for a, b in sorted(pairs)]
    raw = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any))
    return size, edges, [value / sum(raw) for value in raw]


def dense(size: int, edges: list[tuple[int, int, float]]) -> NDArray[np.float64]:
    matrix = np.zeros((size, size))
    for source, target, weight in edges:
        matrix[target, source] = weight
    totals = matrix.sum(axis=0)
    return matrix / np.where(totals > 0, totals, 1)


def ranked(graph: Graph, restart: float, tolerance: float = 1e-13) -> NDArray[np.float64]:
    size, edges, seeds = graph
    columns = [np.array(column) for column in zip(*edges, strict=True)] or [np.empty(0, dtype=np.int64)] * 2
    weights = np.array([edge[2] for edge in edges])
    matrix = transition_matrix(columns[0].astype(np.int64), columns[1].astype(np.int64), weights, size)
    return personalized_pagerank(matrix, np.array(seeds), restart=restart, tolerance=tolerance).shares


@given(graphs(), st.sampled_from([0.15, 0.5, 0.7, 1.0]))
def test_equation_6_is_solved_with_lost_mass_sent_back_to_the_seeds(graph: Graph, restart: float) -> None:
    size, edges, seeds = graph
    walk = dense(size, edges)
    walk += np.outer(seeds, walk.sum(axis=0) == 0)
    exact = np.linalg.solve(np.eye(size) - (1 - restart) * walk, restart * np.array(seeds))
    found = ranked(graph, restart)
    assert found == pytest.approx(exact, abs=1e-10)
    assert found.sum() == pytest.approx(1)


@given(graphs())
def test_a_walk_that_always_restarts_stays_at_the_seeds(graph: Graph) -> None:
    assert ranked(graph, 1.0).tolist() == pytest.approx(graph[2])


def test_nodes_that_no_seed_reaches_have_no_rank_at_all() -> None:
    assert ranked((3, [(0, 1, 0.4), (2, 1, 0.4)], [1.0, 0.0, 0.0]), 0.5)[2] == 0.0


def test_columns_of_the_transition_sum_to_one_or_nothing() -> None:
    matrix = transition_matrix(np.array([0, 0, 2]), np.array([1, 2, 0]), np.array([0.1, 0.4, 0.0]), 3)
    assert matrix.sum(axis=0).tolist() == pytest.approx([1, 0, 0])


def test_equation_7_stops_when_the_change_is_below_the_tolerance() -> None:
    rough = ranked((2, [(0, 1, 1.0), (1, 0, 1.0)], [1.0, 0.0]), 0.5, tolerance=1e-2)
    exact = np.array([2 / 3, 1 / 3])
    assert 1e-6 < np.abs(rough - exact).sum() < 2e-2


def test_running_out_of_iterations_says_what_was_reached() -> None:
    matrix = transition_matrix(np.array([0, 1]), np.array([1, 0]), np.ones(2), 2)
    with pytest.raises(DidNotConverge, match="within 3 iterations, reached a change of 0"):
        personalized_pagerank(matrix, np.array([1.0, 0.0]), tolerance=1e-9, max_iterations=3)


@pytest.mark.parametrize("restart", [0.0, -0.1, 1.1, float("nan")])
def test_restart_outside_its_range_is_refused(restart: float) -> None:
    with pytest.raises(InvalidInput, match="restart must be above 0"):
        ranked((1, [], [1.0]), restart)


@pytest.mark.parametrize("seeds", [[0.5, 0.4], [1.5, -0.5], [1.0]])
def test_seeds_that_are_no_probabilities_are_refused(seeds: list[float]) -> None:
    matrix = transition_matrix(np.array([0]), np.array([1]), np.ones(1), 2)
    with pytest.raises(InvalidInput, match="personalization must"):
        personalized_pagerank(matrix, np.array(seeds))


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_weights_that_are_no_weights_are_refused(weight: float) -> None:
    with pytest.raises(InvalidInput, match=rf"edge weights must be finite and at least 0, got \[{weight}\]"):
        transition_matrix(np.array([0]), np.array([1]), np.array([weight]), 2)
