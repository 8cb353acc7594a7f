"""Graphs with planted communities, and the cost of finding them.

``python -m benchmarks.planted NODES`` finds the communities of one graph, and prints its figures as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

from tetragraph.algorithms.entropy_minimiser import minimise_entropy
from tetragraph.algorithms.structural_entropy import (
    WeightedGraph,
    one_dimensional_entropy,
    structural_entropy,
    weighted_graph,
)
from tetragraph.arrays import Labels

SEED = 1
DEGREE = 40
MIXING = 0.3
"""Share of edges that end outside the community in which they start."""
SMALLEST, LARGEST = 30, 1000
LIGHTEST = 0.2


def planted_graph(size: int, mixing: float = MIXING, seed: int = SEED) -> tuple[WeightedGraph, Labels]:
    """A weighted stochastic block model: sizes of communities follow a power law, the rest is random.

    Args:
        size: Number of nodes; they have :data:`DEGREE` neighbours on average, less those that were drawn twice.
        mixing: See :data:`MIXING`.
        seed: Seed of the random graph.

    Returns:
        The graph, and the ``(n,)`` communities.
    """
    draw = np.random.default_rng(seed)
    sizes = _sizes(size, draw)
    starts, communities = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)
    first = draw.integers(0, size, size * DEGREE // 2)
    home = communities[first]
    second = starts[home] + draw.integers(0, sizes[home])
    strays = draw.random(len(first)) < mixing
    second[strays] = draw.integers(0, size, strays.sum())
    keys = np.unique((np.minimum(first, second) * size + np.maximum(first, second))[first != second])
    places = draw.permutation(size)
    labels = np.empty(size, dtype=np.int64)
    labels[places] = communities
    weights = draw.uniform(LIGHTEST, 1.0, len(keys))
    return weighted_graph(places[keys // size], places[keys % size], weights, size), labels


def _sizes(total: int, draw: np.random.Generator) -> Labels:
    """Sizes of communities, with density ``1 / size²``; the last one has the remaining nodes."""
    share = draw.random(total // SMALLEST + 1)
    sizes = (1 / (1 / SMALLEST - share * (1 / SMALLEST - 1 / LARGEST))).astype(np.int64)
    count = int(np.searchsorted(np.cumsum(sizes), total))
    return np.append(sizes[:count], total - sizes[:count].sum())


def find(size: int) -> dict[str, Any]:
    """Find the communities of one graph; processor seconds are those of the search alone, without compilation."""
    graph, planted = planted_graph(size)
    order = np.random.default_rng(SEED).permutation(size)
    minimise_entropy(planted_graph(SMALLEST)[0], order=np.arange(SMALLEST)[::-1])
    began = time.process_time()
    levels = minimise_entropy(graph, order=order)
    cpu_s = time.process_time() - began
    return {
        "edges": len(graph.weights) // 2,
        "H1": round(one_dimensional_entropy(graph), 4),
        "H2": round(structural_entropy(graph, levels), 4),
        "planted_H2": round(structural_entropy(graph, planted[None, :]), 4),
        "communities": int(levels.max()) + 1,
        "planted_communities": int(planted.max()) + 1,
        "cpu_s": round(cpu_s, 2),
    }


if __name__ == "__main__":
    print(json.dumps(find(int(sys.argv[1]))), flush=True)
