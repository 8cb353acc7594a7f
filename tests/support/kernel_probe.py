"""A program that runs every algorithm with sums of products of dense arrays, and prints hashes of the results.

The arrays are the same in every process. Vectors have a dimension that fills no register, so that kernels differ.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.algorithms.coverage_selection import SelectionOptions, SelectionPool, select
from tetragraph.algorithms.document_relevance import document_evidence
from tetragraph.algorithms.dot_products import dot_products, weighted_sum
from tetragraph.algorithms.information_gain import Statements, information_gain
from tetragraph.algorithms.marginal_relevance import marginal_relevance
from tetragraph.algorithms.nearest_neighbours import nearest_after_adding, nearest_neighbours, similarities
from tetragraph.algorithms.neighbour_support import neighbour_support
from tetragraph.algorithms.personalized_pagerank import personalized_pagerank, transition_matrix
from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.algorithms.structural_entropy import structural_entropy, weighted_graph
from tetragraph.host.numerics import describe_numerics
from tetragraph.language.embedders.base import unit_length

SIZE, DIMENSION = 300, 385
Found = Iterator[tuple[str, NDArray[np.generic]]]


def compute() -> Found:
    """Compute arrays by name."""
    draws = np.random.default_rng(5)
    vectors = unit_length(draws.normal(size=(SIZE, DIMENSION)).astype(np.float32), DIMENSION, [""] * SIZE)
    yield "unit length", vectors
    yield "np.vecdot", np.vecdot(vectors, vectors[0])
    yield from _products(vectors)
    yield from _graphs(vectors, draws)
    yield from _selections(draws)


def _products(vectors: NDArray[np.float32]) -> Found:
    precise = vectors.astype(np.float64)
    yield "single precision", dot_products(vectors, vectors[0])
    yield "double precision", dot_products(precise[:, None], precise)
    yield "weighted sum", weighted_sum(precise[0, :SIZE], precise)
    yield "neighbour support", neighbour_support(precise[:, 0], vectors.__getitem__)
    yield "similarity scale", np.array([similarity_scale(vectors)])
    yield (
        "marginal relevance",
        np.array(marginal_relevance(precise[0, :SIZE], dot_products(precise[:, None], precise), 50, 0.5)),
    )


def _graphs(vectors: NDArray[np.float32], draws: np.random.Generator) -> Found:
    first, second = nearest_neighbours(vectors, 8)
    weights = np.maximum(similarities(vectors, first, second), 0.0) + 0.01
    yield "neighbours", np.array([first, second])
    yield "similarities", weights
    older = nearest_neighbours(vectors[: SIZE - 50], 8)
    yield "neighbours after adding", np.array(nearest_after_adding(vectors, 8, older, np.arange(SIZE - 50, SIZE)))
    upper = np.unique(np.sort([first, second], axis=0), axis=1)
    graph = weighted_graph(upper[0], upper[1], np.maximum(similarities(vectors, upper[0], upper[1]), 0.0) + 0.01, SIZE)
    levels = np.array([np.arange(SIZE) // 60, np.arange(SIZE) // 12])
    yield "entropy", np.array([structural_entropy(graph, levels)])
    for level, communities in enumerate(consolidate(graph, levels, vectors)):
        yield f"communities of level {level}", communities
    ranks = personalized_pagerank(transition_matrix(first, second, weights, SIZE), draws.dirichlet(np.ones(SIZE)))
    yield "shares", ranks.shares
    names, terms = (sparse.csr_array((draws.random((SIZE, 40)) < 0.1).astype(np.float64)) for _ in range(2))
    yield "gains", information_gain(Statements(vectors, names, names[::-1].tocsr(), terms), first, second)


def _selections(draws: np.random.Generator) -> Found:
    scores, answers = draws.random(SIZE), draws.random((3, SIZE))
    holds, information = draws.random((23, SIZE)) < 0.3, draws.random(23) + 0.1
    documents = draws.integers(0, SIZE // 3, SIZE)
    linked, counts = (lambda place: holds[place % len(holds)]), draws.random(SIZE)
    pool = SelectionPool(scores, holds, information, answers, linked, documents, counts)
    chosen = select(pool, 40, SelectionOptions(repeat=0.15))
    yield "selection", np.array([chosen.order, chosen.coverage, chosen.link, chosen.hop, chosen.repeat])
    yield (
        "document evidence",
        document_evidence(scores, documents, counts, lambda rows: information[:, None] * holds[:, rows], 0.6),
    )


if __name__ == "__main__":
    hashes = {name: hashlib.sha256(found.tobytes()).hexdigest() for name, found in compute()}
    sys.stdout.write(json.dumps({"numerics": describe_numerics(), "sha256": hashes}))
