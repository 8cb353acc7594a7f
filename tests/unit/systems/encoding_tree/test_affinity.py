"""The affinities of chunks, compared with the equations computed by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.encoding_tree import affinity
from tetragraph.systems.encoding_tree.affinity import Affinities, Layer
from tetragraph.systems.encoding_tree.options import BuildOptions
from tetragraph.systems.entity_links import EntityLinks, from_pairs

QUANTUM = 2.0**-20


def angles(*degrees: float) -> NDArray[np.float32]:
    """Vectors of the plane, so that the cosine of two is that of the angle between them."""
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32).reshape(-1, 2)


def table(vectors: NDArray[np.float32], places: Sequence[tuple[str, int]] | None = None) -> ChunkTable:
    """Chunks at given documents and positions; each in a document of its own where none are given."""
    places = places or [(f"d{row}", 0) for row in range(len(vectors))]
    chunks = [
        Chunk(f"c{row:03d}", document, "", "", "Text.", position, 0, 5, 1)
        for row, (document, position) in enumerate(places)
    ]
    return ChunkTable(ArraySet(chunk_table.pack(chunks, vectors)))


def links(mentions: Sequence[str], describes: Sequence[str] | None = None) -> EntityLinks:
    """Links of chunks whose entities are the letters of a string."""
    described = [(row, letter) for row, letters in enumerate(describes or []) for letter in letters]
    return from_pairs(len(mentions), [(r, one, 1) for r, letters in enumerate(mentions) for one in letters], described)


def measure(
    vectors: NDArray[np.float32],
    mentions: Sequence[str],
    options: BuildOptions,
    places: Sequence[tuple[str, int]] | None = None,
) -> Affinities:
    near = nearest_neighbours(vectors, options.neighbours)
    return affinity.measure(table(vectors, places), links(mentions), near, options)


def pairs(found: Affinities) -> list[tuple[int, int]]:
    return list(zip(found.first.tolist(), found.second.tolist(), strict=True))


def as_values(layer: Layer) -> dict[tuple[int, int], float]:
    first, second, values = (part.tolist() for part in layer)
    return {(one, other): value for one, other, value in zip(first, second, values, strict=True)}


def test_all_three_layers_make_the_weight_in_the_shares_of_the_paper() -> None:
    found = measure(angles(0, 60, 90), ["xy", "xyz", ""], BuildOptions(neighbours=1), [("d", 3), ("d", 5), ("e", 0)])
    assert pairs(found) == [(0, 1), (1, 2)]
    assert found.semantic == pytest.approx([0.5, math.sqrt(0.75)], abs=1e-6)
    assert found.logical == pytest.approx([2 / 3, 0])
    assert found.distance == pytest.approx([math.exp(-(2**2) / 50), 0])
    expected = [0.45 * 0.5 + 0.45 * 2 / 3 + 0.1 * math.exp(-4 / 50), 0.45 * math.sqrt(0.75)]
    assert found.weight == pytest.approx(expected, abs=1e-6)


def test_weights_are_whole_multiples_of_the_quantum() -> None:
    rng = np.random.default_rng(3)
    found = measure(angles(*rng.uniform(0, 360, 30)), ["abcde"[: row % 5] for row in range(30)], BuildOptions())
    steps = found.weight / QUANTUM
    assert len(found) > 100
    assert np.array_equal(steps, np.rint(steps))


def test_each_pair_is_there_once_in_order() -> None:
    rng = np.random.default_rng(4)
    found = measure(
        angles(*rng.uniform(0, 90, 20)), ["ab"] * 20, BuildOptions(neighbours=4), [("d", n) for n in range(20)]
    )
    assert pairs(found) == sorted(set(pairs(found)))
    assert (found.first < found.second).all()
    assert (np.diff(found.keys(20)) > 0).all()


def test_a_negative_cosine_is_no_affinity() -> None:
    assert len(measure(angles(0, 180), ["", ""], BuildOptions())) == 0
    found = measure(angles(0, 180), ["x", "x"], BuildOptions())
    assert (found.semantic.tolist(), found.weight.tolist()) == ([0.0], [round(0.45 / QUANTUM) * QUANTUM])


def test_titles_and_texts_name_entities_alike() -> None:
    assert as_values(affinity.logical_layer(links(["x", "xy"], ["y", "y"]), 100)) == {(0, 1): 1.0}


def test_an_entity_in_more_chunks_than_the_cap_joins_none_and_is_not_counted() -> None:
    crowd = links(["xa", "xa", "x", ""])
    assert as_values(affinity.logical_layer(crowd, 3)) == {(0, 1): 1.0, (0, 2): 0.5, (1, 2): 0.5}
    assert as_values(affinity.logical_layer(crowd, 2)) == {(0, 1): 1.0}


def test_of_too_many_logical_neighbours_the_nearest_stay_and_of_equals_the_most_similar() -> None:
    """Chunks 2 and 3 share one of two names with both 0 and 1: each stays with the one that its vector is nearer to."""
    options = BuildOptions(neighbours=1, semantic=0.0, logical=1.0)
    found = measure(angles(0, 50, 40, 10), ["xy", "xy", "x", "y"], options)
    assert pairs(found) == [(0, 1), (0, 3), (1, 2)]
    assert found.logical.tolist() == [1.0, 0.5, 0.5]


def test_a_logical_pair_stays_while_it_is_nearest_for_one_of_its_chunks() -> None:
    """The nearest of 0 is 1, and that of 1 is 0; 0 is not among the nearest of any other, 1 of both."""
    layer = affinity.logical_layer(links(["abcd", "abcd", "a", "b"]), 100)
    assert len(layer[0]) == 5
    kept = affinity._nearest_logical(table(angles(0, 1, 2, 3)), layer, 1)
    assert as_values(kept) == {(0, 1): 1.0, (1, 2): 0.25, (1, 3): 0.25}


def test_distance_counts_within_a_document_only_and_up_to_the_window() -> None:
    places = [("d", 0), ("e", 1), ("d", 2), ("d", 5), ("e", 2), ("d", 12)]
    found = as_values(affinity.distance_layer(places, sigma=2.0, window=5))
    expected = {(0, 2): 2, (0, 3): 5, (2, 3): 3, (1, 4): 1}
    assert found == pytest.approx({pair: math.exp(-(steps**2) / 8) for pair, steps in expected.items()}, abs=1e-9)


def test_a_window_of_nothing_joins_nothing() -> None:
    assert [len(part) for part in affinity.distance_layer([("d", 0), ("d", 1)], 5.0, 0)] == [0, 0, 0]


@pytest.mark.parametrize("size", [0, 1])
def test_a_corpus_of_none_or_one_has_no_affinities(size: int) -> None:
    found = measure(angles(*range(size)), ["x"] * size, BuildOptions())
    assert len(found) == 0
    assert len(found.graph(size)) == size


def test_the_graph_has_every_pair_in_both_rows() -> None:
    graph = measure(angles(0, 60, 90), ["", "", ""], BuildOptions(neighbours=1)).graph(3)
    assert graph.neighbours.tolist() == [1, 0, 2, 1]
    assert graph.degrees == pytest.approx([0.225, 0.225 + 0.45 * math.sqrt(0.75), 0.45 * math.sqrt(0.75)], abs=1e-6)
