"""The walk in this process, on arrays of one generation; suited to a long-running service."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.nearest_neighbours import places_within, similarities
from tetragraph.algorithms.personalized_pagerank import iterations_needed, personalized_pagerank, transition_matrix
from tetragraph.algorithms.quantise import LEVELS
from tetragraph.arrays import CSR, Array, Flags, Floats, Rows, Vectors
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.entity_links import EntityLinks
from tetragraph.systems.gain_graph import stored
from tetragraph.systems.gain_graph.candidates import KINDS, NEAREST
from tetragraph.systems.gain_graph.engine import MENTION_LIMIT, NamedEntity, Ranking, Step
from tetragraph.systems.gain_graph.options import EdgeWeights, GainOptions
from tetragraph.systems.gain_graph.stored import Edges

KIND = "gain_walk"
_DECIMALS = 12
_KEPT_TRANSITIONS = 4


@dataclass(frozen=True, slots=True)
class Transition:
    """The edges that a walk takes, for given options.

    Attributes:
        place: ``(m,)`` indices of the edges in the index.
        source: ``(m,)`` rows that they leave.
        target: ``(m,)`` rows that they reach.
        weight: ``(m,)`` weight of each edge, above 0.
        share: ``(m,)`` probability of each edge among those that leave the same chunk.
        matrix: ``(n, n)`` matrix of the shares, one column for each source.
    """

    place: Rows
    source: Rows
    target: Rows
    weight: Floats
    share: Floats
    matrix: CSR


class GainIndex:
    """The graph of one generation; shared by threads."""

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.base: Array = arrays["base"]
        self.other: Array = arrays["other"]
        self.level: Array = arrays["level"]
        self.kind: Array = arrays["kind"]
        self.gain: Array = arrays["gain"]
        self.similarity: Array = arrays["similarity"]
        self.is_neighbour: Array = arrays["is_neighbour"]
        self.information: Array = arrays["information"]
        self.named_bounds: Array = arrays["named.bounds"]
        self.named_rows: Array = arrays["named.rows"]
        self._entities: Strings = arrays.strings("entities")
        self._transitions: OrderedDict[tuple[str, EdgeWeights, tuple[float, ...]], Transition] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def entity_rows(self) -> Mapping[str, int]:
        """Row of an entity by its id."""
        return {entity: row for row, entity in enumerate(self._entities)}

    def transition(self, options: GainOptions) -> Transition:
        """Return the transition of the walk for these options; the last few are cached."""
        key = (options.mode, options.weights, options.level_weights)
        with self._lock:
            if key not in self._transitions:
                self._transitions[key] = self._make_transition(options)
                if len(self._transitions) > _KEPT_TRANSITIONS:
                    self._transitions.popitem(last=False)
            return self._transitions[key]

    def _make_transition(self, options: GainOptions) -> Transition:
        weights = self._edge_weights(options)
        is_walked = self.is_neighbour if options.mode == "paper" else np.ones(len(self.base), dtype=bool)
        place = np.flatnonzero(is_walked & (weights > 0))
        sources, targets, weight = self.base[place], self.other[place], weights[place]
        matrix = transition_matrix(sources, targets, weight, len(self.table))
        totals = np.bincount(sources, weight, minlength=len(self.table))
        return Transition(place, sources, targets, weight, weight / totals[sources], matrix)

    def _edge_weights(self, options: GainOptions) -> Floats:
        """``(m,)`` weights of all edges; a walk leaves out those that are not above 0."""
        if options.weights == "levels":
            return np.array(options.level_weights, dtype=np.float64)[self.level]
        return self.gain if options.weights == "gain" else self.similarity


class MemoryEngine:
    """Ranks on a :class:`GainIndex`; see :class:`Engine`."""

    def __init__(self, index: GainIndex, options: GainOptions) -> None:
        self._index = index
        self._table = index.table
        self._options = options
        self._transition = index.transition(options)

    @classmethod
    def load(cls, stores: CorpusStores, options: GainOptions) -> Self:
        """Return the engine of the newest complete generation (see :meth:`CorpusStores.index`)."""
        table = chunk_table.load(stores)
        index = stores.index(KIND, lambda: read(stores, table), lambda arrays: GainIndex(table, arrays))
        return cls(index, options)

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        rows = self._index.entity_rows
        return {entity: self._to_named_entity(rows[entity]) for entity in ids if entity in rows}

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        scores = dot_products(self._table.vectors, vector)
        count = min(count, len(scores))
        if not count:
            return []
        best = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
        best = best[np.lexsort((best, -scores[best]))][:count]
        return [(self._table.ids[row], float(scores[row])) for row in best.tolist()]

    def rank(self, seeds: Mapping[str, float], limit: int, allowed: Collection[str] | None) -> Ranking:
        restart = self._options.restart
        start = np.zeros(len(self._table))
        start[[self._table.rows[chunk] for chunk in seeds]] = list(seeds.values())
        matrix = self._transition.matrix
        tolerance = self._options.tolerance
        least = iterations_needed(restart, tolerance)  # the number that Graph Data Science runs
        scores, total = personalized_pagerank(matrix, start, restart=restart, tolerance=tolerance, min_iterations=least)
        rounded = scores.round(_DECIMALS)
        rows = np.flatnonzero(scores > 0)
        if allowed is not None:
            rows = rows[np.isin(rows, [self._table.rows[chunk] for chunk in allowed if chunk in self._table.rows])]
        rows = rows[np.lexsort((rows, -rounded[rows]))][:limit]
        ids = tuple(self._table.ids[row] for row in rows.tolist())
        return Ranking(ids, tuple(rounded[rows].tolist()), restart / total)

    def onwards(self, ids: Collection[str]) -> list[Step]:
        return self._steps(np.flatnonzero(self._mask(ids)[self._transition.source]))

    def surroundings(self, ids: Collection[str], shown: Collection[str]) -> tuple[list[Step], Mapping[str, Chunk]]:
        asked = self._mask(ids)
        among = np.flatnonzero(asked[self._transition.source] & asked[self._transition.target])
        return self._steps(among), {chunk: self._table.chunk(self._table.rows[chunk]) for chunk in shown}

    def _mask(self, ids: Collection[str]) -> Flags:
        """``(n,)`` whether a chunk is one of these."""
        asked = np.zeros(len(self._table), dtype=bool)
        asked[[self._table.rows[chunk] for chunk in ids]] = True
        return asked

    def _steps(self, among: Rows) -> list[Step]:
        """Edges by their indices in the transition."""
        index, transition, table = self._index, self._transition, self._table
        place = transition.place[among]
        ends = (transition.source[among], transition.target[among])
        columns = (*ends, index.level[place], index.kind[place], transition.share[among], transition.weight[among])
        return [
            Step(table.ids[source], table.ids[target], LEVELS[level], KINDS[kind], share, weight)
            for source, target, level, kind, share, weight in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def _to_named_entity(self, row: int) -> NamedEntity:
        bounds = self._index.named_bounds
        rows = self._index.named_rows[bounds[row] : bounds[row + 1]].tolist()
        return NamedEntity(float(self._index.information[row]), tuple(self._table.ids[chunk] for chunk in rows))


def read(stores: CorpusStores, table: ChunkTable) -> dict[str, Array]:
    """Build the arrays from the current graph in Neo4j."""
    found = stored.read(stores, table.rows)
    linked = entity_links.read(stores, table.rows)
    similarity = similarities(table.vectors, found.base, found.other)
    return {
        "base": found.base.astype(np.int32),
        "other": found.other.astype(np.int32),
        "level": found.level,
        "kind": found.kind,
        "gain": found.gain,
        "similarity": similarity,
        "is_neighbour": find_neighbour_edges(found, similarity, stored.options_of(stores.record).neighbours),
        "information": linked.information,
        **Strings.pack("entities", linked.entities),
        **_named_chunks(linked),
    }


def find_neighbour_edges(edges: Edges, similarity: Floats, neighbours: int) -> Flags:
    """Find the edges that lead from a chunk to one of its own nearest neighbours.

    A graph built in both directions holds all of them, besides edges to chunks that only have the chunk as a neighbour;
    those are less similar than the neighbours. Ties go to the smaller row, as in the build.

    Args:
        edges: All edges of the corpus.
        similarity: ``(m,)`` cosine similarities of their ends.
        neighbours: Number of neighbours per chunk that the graph was built with.

    Returns:
        ``(m,)`` whether an edge is one of algorithm 1, line 9.

    Source:
        iG²RAG (2025), algorithm 1.
    """
    near = np.flatnonzero(edges.kind == NEAREST)
    near = near[np.lexsort((edges.other[near], -similarity[near], edges.base[near]))]
    found = np.zeros(len(edges), dtype=bool)
    found[near[places_within(edges.base[near]) < neighbours]] = True
    return found


def _named_chunks(linked: EntityLinks) -> dict[str, Any]:
    """Chunks seeded by a question that names an entity, grouped by entity."""
    describing, mentioning = linked.describes.T.tocsr(), linked.mentions.T.tocsr()
    describing.sort_indices()
    mentioning.sort_indices()
    described, mentioned = np.diff(describing.indptr), np.diff(mentioning.indptr)
    is_mention = (described == 0) & (mentioned <= MENTION_LIMIT)
    groups = [
        (mentioning if is_mention[row] else describing).indices[slice(*pair)]
        for row, pair in enumerate(
            zip(
                np.where(is_mention, mentioning.indptr[:-1], describing.indptr[:-1]).tolist(),
                np.where(is_mention, mentioning.indptr[1:], describing.indptr[1:]).tolist(),
                strict=True,
            )
        )
    ]
    bounds = np.concatenate([[0], np.cumsum([len(group) for group in groups])]).astype(np.int64)
    rows = np.concatenate(groups) if groups else np.empty(0, dtype=np.int32)
    return {"named.bounds": bounds, "named.rows": rows}
