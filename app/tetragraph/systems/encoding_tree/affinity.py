"""Affinity of two chunks in three layers: by meaning, by common names, and by distance in a document."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import sparse

from tetragraph.algorithms.nearest_neighbours import places_within, similarities
from tetragraph.algorithms.structural_entropy import WeightedGraph, round_to_quantum, weighted_graph
from tetragraph.arrays import Array, Floats, Rows
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.encoding_tree.options import BuildOptions
from tetragraph.systems.entity_links import EntityLinks

Layer: TypeAlias = tuple[Rows, Rows, Floats]
"""Pairs of chunks, each once, the smaller row first, and their affinities, 0 to 1."""
_DECIMALS = 9
_BLOCK = 20_000
"""Chunks that are compared with all others at a time."""


@dataclass(frozen=True, slots=True)
class Affinities:
    """Pairs of rows of related chunks, each once, in order of both rows.

    Attributes:
        first: ``(m,)`` smaller row.
        second: ``(m,)`` larger row.
        semantic: ``(m,)`` cosine similarity of nearest neighbours, 0 for others (eq. 3).
        logical: ``(m,)`` share of common entities (eq. 4).
        distance: ``(m,)`` affinity by distance within a document (eq. 5).
        weight: ``(m,)`` weighted sum of the three, above 0 (eq. 6), in multiples of 2^-20.
    """

    first: Rows
    second: Rows
    semantic: Floats
    logical: Floats
    distance: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.first)

    def keys(self, size: int) -> Rows:
        """``(m,)`` a unique number for each pair, ascending, in a corpus of ``size`` chunks."""
        keys: Rows = self.first * size + self.second
        return keys

    def take(self, chosen: Array) -> Affinities:
        """Select pairs by indices or by a mask."""
        return Affinities(*(getattr(self, name)[chosen] for name in Affinities.__dataclass_fields__))

    def graph(self, size: int) -> WeightedGraph:
        """Return the weighted graph of the pairs."""
        return weighted_graph(self.first, self.second, self.weight, size)


def measure(table: ChunkTable, links: EntityLinks, near: tuple[Rows, Rows], options: BuildOptions) -> Affinities:
    """Compute the affinities of all chunks of a corpus.

    Args:
        table: All chunks of the corpus.
        links: Entities of the chunks.
        near: Pairs of a chunk and one of its nearest neighbours; both directions of a pair count once.
        options: Build options, with shares and bounds.

    Source:
        SeRAG (2026), section 3.1, eq. (3) to (6), and appendix A.3. Deviations: distance counts only within a document,
        entities in many chunks do not link any and are not counted by eq. (4), and a chunk has as many logical
        neighbours as semantic ones; the paper does not bound them, and their number grows with the square of the
        corpus.
    """
    size = len(table)
    documents = [(chunk.document_id, chunk.position) for chunk in table.chunks()]
    layers = (
        _semantic(table, near),
        _nearest_logical(table, logical_layer(links, options.frequency_cap), options.neighbours),
        distance_layer(documents, options.sigma, options.window),
    )
    keys = np.unique(np.concatenate([first * size + second for first, second, _ in layers]))
    semantic, logical, distance = (_spread(keys, size, layer) for layer in layers)
    weight = round_to_quantum(options.semantic * semantic + options.logical * logical + options.distance * distance)
    first, second = np.divmod(keys, max(size, 1))
    return Affinities(first, second, semantic, logical, distance, weight).take(weight > 0)


def _semantic(table: ChunkTable, near: tuple[Rows, Rows]) -> Layer:
    """Compute eq. (3); pairs with a negative cosine are left out."""
    size = max(len(table), 1)
    keys = np.unique(np.minimum(*near) * size + np.maximum(*near))
    first, second = np.divmod(keys, size)
    return first, second, np.maximum(similarities(table.vectors, first, second), 0.0)


def logical_layer(links: EntityLinks, frequency_cap: int) -> Layer:
    """Compute eq. (4): common entities, divided by the larger number of entities of both chunks, without frequent ones.

    Args:
        links: Entities of the chunks, in text or title.
        frequency_cap: Largest number of chunks of an entity that counts.
    """
    names = ((links.mentions + links.describes) > 0).astype(np.float64)
    names = names[:, np.flatnonzero(names.sum(axis=0) <= frequency_cap)]
    held: Floats = names.sum(axis=1)
    turned = names.T.tocsr()
    found = [(held[:0].astype(np.int64), held[:0].astype(np.int64), held[:0])]
    for start in range(0, len(held), _BLOCK):
        common = sparse.triu(names[start : start + _BLOCK] @ turned, k=start + 1).tocoo()
        first, second = common.row.astype(np.int64) + start, common.col.astype(np.int64)
        found.append((first, second, (common.data / np.maximum(held[first], held[second])).round(_DECIMALS)))
    first, second, shares = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return first, second, shares


def _nearest_logical(table: ChunkTable, layer: Layer, count: int) -> Layer:
    """Select the pairs that are among the ``count`` nearest of one of their chunks; ties go to the more similar.

    The pairs are in order of their first chunk.
    """
    first, second, values = layer
    similar = similarities(table.vectors, first, second)
    by_second = np.argsort(second, kind="stable")
    is_nearest = np.zeros(len(values), dtype=bool)
    for start in range(0, len(table), _BLOCK):
        rows = (start, start + _BLOCK)
        forward = np.arange(*np.searchsorted(first, rows))
        backward = by_second[slice(*np.searchsorted(second, rows, sorter=by_second))]
        pair = np.concatenate([forward, backward])
        base = np.concatenate([first[forward], second[backward]])
        other = np.concatenate([second[forward], first[backward]])
        order = np.lexsort((other, -similar[pair], -values[pair], base))
        is_nearest[pair[order][places_within(base[order]) < count]] = True
    return first[is_nearest], second[is_nearest], values[is_nearest]


def distance_layer(places: Sequence[tuple[str, int]], sigma: float, window: int) -> Layer:
    """Compute eq. (5), within each document.

    Args:
        places: Document and position of each chunk.
        sigma: Decay, in chunks.
        window: Largest distance that counts.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    documents = [places[row][0] for row in order]
    rows, positions = np.array(order, dtype=np.int64), np.array([places[row][1] for row in order], dtype=np.int64)
    group = np.cumsum([0, *(one != other for one, other in itertools.pairwise(documents))])[: len(order)]
    found: list[Layer] = [(rows[:0], rows[:0], np.zeros(0))]
    for step in range(1, min(window, len(order) - 1) + 1):
        apart = positions[step:] - positions[:-step]
        is_nearest = (group[step:] == group[:-step]) & (apart <= window)
        if not is_nearest.any():
            break
        one, other = rows[:-step][is_nearest], rows[step:][is_nearest]
        nearness = np.exp(-(apart[is_nearest] ** 2) / (2 * sigma**2)).round(_DECIMALS)
        found.append((np.minimum(one, other), np.maximum(one, other), nearness))
    first, second, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return first, second, values


def _spread(keys: Rows, size: int, layer: Layer) -> Floats:
    """Align the values of a layer with the pairs of all layers."""
    first, second, values = layer
    spread = np.zeros(len(keys))
    spread[np.searchsorted(keys, first * size + second)] = values
    return spread
