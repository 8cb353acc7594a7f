"""The compiled loops: incremental values equal recomputed ones, and every move is the best one."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.algorithms import entropy_kernels as kernels
from tetragraph.algorithms import entropy_tree_kernels as tree_kernels
from tetragraph.algorithms.entropy_levels import leaf_units, tolerance
from tetragraph.algorithms.graph_kernels import connected_parts, renumber, reorder_nodes
from tetragraph.algorithms.structural_entropy import (
    WeightedGraph,
    one_dimensional_entropy,
    structural_entropy,
    weighted_graph,
)
from tetragraph.arrays import Labels

SEEDS = st.integers(0, 2**32 - 1)


def random_graph(seed: int) -> WeightedGraph:
    """Of two to twelve nodes, the first two joined."""
    draw = np.random.default_rng(seed)
    size = int(draw.integers(2, 13))
    is_pair = np.triu(draw.random((size, size)) < draw.random(), 1)
    is_pair[0, 1] = True
    first, second = np.nonzero(is_pair)
    return weighted_graph(first, second, draw.uniform(0.01, 1.0, len(first)), size)


def random_labels(seed: int, size: int) -> Labels:
    draw = np.random.default_rng(seed + 1)
    return renumber(draw.integers(0, 4, size))[0]


def bits(graph: WeightedGraph, labels: Labels) -> float:
    """What communities cost: the entropy they save, times the volume."""
    return graph.volume * (structural_entropy(graph, labels[None, :]) - one_dimensional_entropy(graph))


@given(SEEDS)
def test_costs_of_groups_add_up_to_the_entropy_before_and_after_merging(seed: int) -> None:
    graph = random_graph(seed)
    units, labels = leaf_units(graph), random_labels(seed, len(graph))
    groups = kernels.group(units, labels, 0)
    assert groups.costs.sum() == pytest.approx(bits(graph, labels), abs=1e-10)
    parts, count = renumber(3 * labels + np.arange(len(graph)) % 3)
    merged = kernels.merge(units, parts, count)
    held = np.empty(count, dtype=np.int64)
    held[parts] = labels
    regrouped = kernels.group(merged, held, 0)
    for name in ("volumes", "inner", "costs"):
        found, expected = getattr(regrouped, name), getattr(groups, name)[: len(regrouped.sizes)]
        assert found.tolist() == expected.tolist()


@given(SEEDS)
def test_a_visit_moves_a_unit_where_the_entropy_is_least(seed: int) -> None:
    graph = random_graph(seed)
    labels = random_labels(seed, len(graph))
    unit = seed % len(graph)
    groups = kernels.group(leaf_units(graph), labels.copy(), 0)
    kernels.move_units(leaf_units(graph), groups, np.array([unit]), 1, tolerance(graph))
    found = bits(graph, groups.labels)
    assert (np.delete(groups.labels, unit) == np.delete(labels, unit)).all()
    for other in {*labels.tolist(), len(graph)}:
        moved = labels.copy()
        moved[unit] = other
        assert found <= bits(graph, moved) + 1e-9


@given(SEEDS, st.integers(1, 50))
def test_after_any_number_of_visits_the_groups_are_exactly_those_of_their_labels(seed: int, budget: int) -> None:
    graph = random_graph(seed)
    units, labels = leaf_units(graph), random_labels(seed, len(graph))
    before = bits(graph, labels)
    groups = kernels.group(units, labels, 0)
    moves, _ = kernels.move_units(units, groups, np.arange(len(graph)), budget, tolerance(graph))
    anew = kernels.group(units, groups.labels, 0)
    for name in ("sizes", "volumes", "inner", "costs"):
        assert getattr(groups, name).tolist() == getattr(anew, name).tolist()
    assert moves <= budget
    assert bits(graph, groups.labels) <= before + 1e-10


@pytest.mark.parametrize(("kept", "free"), [(0, [0]), (1, [2]), (2, [3, 2])])
def test_the_number_of_an_emptied_group_is_free_unless_it_is_kept(kept: int, free: list[int]) -> None:
    units = leaf_units(weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2))
    groups = kernels.group(units, np.array([0, 1]), kept)
    kernels.move(units, groups, 0, 1, np.eye(len(groups.sizes))[1])
    assert groups.labels.tolist() == [1, 1]
    assert groups.free[: groups.room[0]].tolist() == free


@given(SEEDS)
def test_parts_of_a_refinement_lie_inside_the_groups(seed: int) -> None:
    graph = random_graph(seed)
    labels = random_labels(seed, len(graph))
    parts = kernels.refine(leaf_units(graph), labels, tolerance(graph))
    assert len({*zip(parts.tolist(), labels.tolist(), strict=True)}) == len(set(parts.tolist()))
    assert bits(graph, parts) <= 1e-10


def random_levels(seed: int, size: int, height: int) -> Labels:
    draw = np.random.default_rng(seed + 2)
    labels, levels = np.zeros(size, dtype=np.int64), []
    for _ in range(height - 1):
        labels = renumber(2 * labels + draw.integers(0, 2, size))[0]
        levels.append(labels)
    return np.array(levels)


@settings(max_examples=60)
@given(SEEDS, st.integers(3, 5))
def test_when_no_leaf_moves_the_tree_is_exactly_that_of_its_levels_and_no_leaf_can_gain(seed: int, height: int) -> None:
    graph = random_graph(seed)
    units, levels = leaf_units(graph), random_levels(seed, len(graph), height)
    tree = tree_kernels.tree_of(units, levels)
    while tree_kernels.move_leaves(units, tree, tolerance(graph)):
        pass
    moved = tree_kernels.levels_of(tree)
    anew = tree_kernels.tree_of(units, np.array([renumber(labels)[0] for labels in moved]))
    for name in ("volumes", "between"):
        assert np.sort(getattr(tree, name)).tolist() == np.sort(getattr(anew, name)).tolist()
    found = structural_entropy(graph, moved)
    assert found <= structural_entropy(graph, levels) + 1e-12
    for node in range(len(graph)):
        for neighbour in graph.neighbours[graph.bounds[node] : graph.bounds[node + 1]]:
            beside, alone = moved.copy(), moved.copy()
            beside[:, node] = alone[:, node] = moved[:, neighbour]
            alone[-1, node] = len(graph) + 1
            for other in (beside, alone):
                assert found <= structural_entropy(graph, other) + 1e-9


@given(SEEDS)
def test_renaming_nodes_leaves_rows_sorted_and_pairs_as_they_are(seed: int) -> None:
    graph = random_graph(seed)
    ranks = np.random.default_rng(seed).permutation(len(graph))
    other = WeightedGraph(*reorder_nodes(graph.bounds, graph.neighbours, graph.weights, ranks))
    assert other.degrees[ranks].tolist() == graph.degrees.tolist()
    for node, rank in enumerate(ranks):
        row = slice(graph.bounds[node], graph.bounds[node + 1])
        renamed_row = slice(other.bounds[rank], other.bounds[rank + 1])
        order = np.argsort(ranks[graph.neighbours[row]])
        assert other.neighbours[renamed_row].tolist() == ranks[graph.neighbours[row]][order].tolist()
        assert other.weights[renamed_row].tolist() == graph.weights[row][order].tolist()


@given(SEEDS)
def test_groups_are_cut_into_what_hangs_together_and_numbered_by_the_first_node(seed: int) -> None:
    graph = random_graph(seed)
    labels = random_labels(seed, len(graph))
    first = np.repeat(np.arange(len(graph)), np.diff(graph.bounds))
    is_inside = labels[first] == labels[graph.neighbours]
    pairs = sp.coo_array((np.ones(is_inside.sum()), (first[is_inside], graph.neighbours[is_inside])), 2 * (len(graph),))
    expected, _ = renumber(sp.csgraph.connected_components(pairs, directed=False)[1].astype(np.int64))
    assert connected_parts(graph.bounds, graph.neighbours, labels).tolist() == expected.tolist()
