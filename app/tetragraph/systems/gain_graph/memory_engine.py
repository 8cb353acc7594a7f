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
from tetragraph.systems.gain_graph.candidates import KINDS
from tetragraph.systems.gain_graph.engine import MENTION_LIMIT, NamedEntity, Ranking, Step, walked_candidates
from tetragraph.systems.gain_graph.options import GainOptions

KIND = "gain_graph"
_DECIMALS = 12
_KEPT_TRANSITIONS = 4


@dataclass(frozen=True, slots=True)
class Transition:
    """The edges that a walk takes, for given level weights.

    Attributes:
        place: ``(m,)`` indices of the edges in the index.
        source: ``(m,)`` rows that they leave.
        target: ``(m,)`` rows that they reach.
        share: ``(m,)`` probability of each edge among those that leave the same chunk.
        matrix: ``(n, n)`` matrix of the shares, one column for each source.
    """

    place: Rows
    source: Rows
    target: Rows
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
        self.information: Array = arrays["information"]
        self.named_bounds: Array = arrays["named.bounds"]
        self.named_rows: Array = arrays["named.rows"]
        self._entities: Strings = arrays.strings("entities")
        self._transitions: OrderedDict[tuple[str, tuple[float, ...]], Transition] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def entity_rows(self) -> Mapping[str, int]:
        """Row of an entity by its id."""
        return {entity: row for row, entity in enumerate(self._entities)}

    def transition(self, options: GainOptions) -> Transition:
        """Return the transition of the walk for these options; the last few are cached."""
        key = (options.mode, options.level_weights)
        with self._lock:
            if key not in self._transitions:
                self._transitions[key] = self._make_transition(options)
                if len(self._transitions) > _KEPT_TRANSITIONS:
                    self._transitions.popitem(last=False)
            return self._transitions[key]

    def _make_transition(self, options: GainOptions) -> Transition:
        weights = np.array(options.level_weights)[self.level]
        walked = np.isin(self.kind, [KINDS.index(kind) for kind in walked_candidates(options)])
        place = np.flatnonzero(walked & (weights > 0))
        sources, targets = self.base[place], self.other[place]
        matrix = transition_matrix(sources, targets, weights[place], len(self.table))
        totals = np.bincount(sources, weights[place], minlength=len(self.table))
        return Transition(place, sources, targets, weights[place] / totals[sources], matrix)


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
        columns = (transition.source[among], transition.target[among], index.level[place], index.kind[place])
        return [
            Step(table.ids[source], table.ids[target], LEVELS[level], KINDS[kind], share)
            for source, target, level, kind, share in zip(
                *(column.tolist() for column in columns), transition.share[among].tolist(), strict=True
            )
        ]

    def _to_named_entity(self, row: int) -> NamedEntity:
        bounds = self._index.named_bounds
        rows = self._index.named_rows[bounds[row] : bounds[row + 1]].tolist()
        return NamedEntity(float(self._index.information[row]), tuple(self._table.ids[chunk] for chunk in rows))


def read(stores: CorpusStores, table: ChunkTable) -> dict[str, Array]:
    """Build the arrays from the current graph in Neo4j."""
    found = stored.read(stores, table.rows)
    linked = entity_links.read(stores, table.rows)
    return {
        "base": found.base.astype(np.int32),
        "other": found.other.astype(np.int32),
        "level": found.level,
        "kind": found.kind,
        "information": linked.information,
        **Strings.pack("entities", linked.entities),
        **_named_chunks(linked),
    }


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
