"""Methods that partition a graph into communities: structural entropy, and those of other libraries."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from tetragraph.algorithms.entropy_minimiser import minimise_entropy
from tetragraph.algorithms.structural_entropy import WeightedGraph, structural_entropy, weighted_graph
from tetragraph.arrays import Floats, Labels

SEED = 1
Search: TypeAlias = Callable[[], Labels]
Method: TypeAlias = Callable[[WeightedGraph], Search]
"""Converts a graph for its library, and returns the search, which alone is measured."""


def entropy(graph: WeightedGraph) -> Search:
    """Structural entropy, by this project."""
    minimise_entropy(weighted_graph(np.array([0]), np.array([1]), np.ones(1), 2), order=np.array([1, 0]))
    order = np.random.default_rng(SEED).permutation(len(graph))
    return lambda: minimise_entropy(graph, order=order)[0]


def leiden(graph: WeightedGraph) -> Search:
    """Modularity by the Leiden method, until it does not increase."""
    made = _igraph(graph)
    return lambda: np.array(
        made.community_leiden(objective_function="modularity", weights="weight", n_iterations=-1).membership
    )


def louvain(graph: WeightedGraph) -> Search:
    """Modularity by the Louvain method."""
    made = _igraph(graph)
    return lambda: np.array(made.community_multilevel(weights="weight").membership)


def infomap(graph: WeightedGraph) -> Search:
    """The map equation, with two levels."""
    network = _library("infomap").Infomap(two_level=True, silent=True, seed=SEED)
    network.add_nodes(range(len(graph)))
    network.add_links(list(zip(*(part.tolist() for part in _pairs(graph)), strict=True)))

    def search() -> Labels:
        modules = network.run().modules()
        return np.array([modules[node] for node in range(len(graph))])

    return search


METHODS: Mapping[str, Method] = {
    "structural entropy": entropy,
    "Leiden": leiden,
    "Louvain": louvain,
    "Infomap": infomap,
}


def compare(graphs: Callable[[], Mapping[str, WeightedGraph]]) -> dict[str, dict[str, dict[str, Any]]]:
    """The two-dimensional entropy of the communities that each method finds in each graph, and its processor time."""
    return {
        name: {method: _figures(graph, prepare(graph)) for method, prepare in METHODS.items()}
        for name, graph in graphs().items()
    }


def _figures(graph: WeightedGraph, search: Search) -> dict[str, Any]:
    began = time.process_time()
    labels = search()
    cpu_s = time.process_time() - began
    labels = np.unique(labels, return_inverse=True)[1]
    return {
        "H2": round(structural_entropy(graph, labels[None, :]), 4),
        "communities": int(labels.max()) + 1,
        "cpu_s": round(cpu_s, 2),
    }


def _igraph(graph: WeightedGraph) -> Any:
    library = _library("igraph")
    library.set_random_number_generator(random.Random(SEED))  # noqa: S311  # the same communities in every run
    first, second, weights = _pairs(graph)
    return library.Graph(len(graph), np.stack([first, second], axis=1), edge_attrs={"weight": weights})


def _pairs(graph: WeightedGraph) -> tuple[Labels, Labels, Floats]:
    """Both ends and the weight of each pair."""
    rows = np.repeat(np.arange(len(graph)), np.diff(graph.bounds))
    once = rows < graph.neighbours
    return rows[once], graph.neighbours[once].astype(np.int64), graph.weights[once]


def _library(name: str) -> Any:
    """Import a library that only this comparison needs; ends the program with a message if it is absent."""
    try:
        return import_module(name)
    except ImportError:
        sys.exit(f"the comparison needs {name}: pip install igraph 'infomap>=2.16'; nothing was measured")
