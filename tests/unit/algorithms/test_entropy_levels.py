"""Steps of the minimiser: a tree improves with each pass, up to a limit of passes."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.algorithms import entropy_levels
from tetragraph.algorithms.structural_entropy import WeightedGraph, structural_entropy, weighted_graph
from tetragraph.arrays import Labels


def ring_of_triangles(count: int) -> WeightedGraph:
    """Triangles in a ring, one edge between each and the next."""
    corners = 3 * np.arange(count)
    first = np.concatenate([corners, corners, corners + 1, corners + 2])
    second = np.concatenate([corners + 1, corners + 2, corners + 2, np.roll(corners, -1)])
    return weighted_graph(first, second, np.ones(len(first)), 3 * count)


def arbitrary_levels(size: int, seed: int) -> Labels:
    """``(2, size)`` groups that have nothing to do with the graph."""
    lower = np.random.default_rng(seed).integers(0, 6, size)
    return np.array([lower // 2, lower])


def test_every_turn_lowers_the_entropy_until_the_turns_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = ring_of_triangles(12)
    start = arbitrary_levels(len(graph), seed=4)
    entropies = [structural_entropy(graph, start)]
    for turns in (1, 2, 3):
        monkeypatch.setattr(entropy_levels, "_TURNS", turns)
        entropies.append(structural_entropy(graph, entropy_levels.settle_levels(graph, start, rounds=1)))
    assert (np.diff(entropies) < 0).all()
