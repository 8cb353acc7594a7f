"""The walk in Neo4j: ranked by Graph Data Science, without arrays in this process."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tetragraph.algorithms.personalized_pagerank import iterations_needed
from tetragraph.algorithms.quantise import LEVELS
from tetragraph.arrays import Vectors
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table, gds
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.gds import Projection
from tetragraph.stores.graph import Row
from tetragraph.stores.stored_chunks import find_present, keep_present
from tetragraph.systems.gain_graph.engine import MENTION_LIMIT, NamedEntity, Ranking, Step, walked_candidates
from tetragraph.systems.gain_graph.options import GainOptions

_SPARE = 50
"""Number of additional similar chunks requested while some may be too new to be in the graph."""

_DECIMALS = 12
"""Decimals of values that depend on the order of addition in Graph Data Science, which follows internal node ids and so
differs between builds of the same graph. ``stream_ranks`` rounds scores to the same number."""


class GdsEngine:
    """Finds similar chunks in Qdrant and ranks in Neo4j; see :class:`Engine`."""

    def __init__(self, stores: CorpusStores, options: GainOptions) -> None:
        self._stores = stores
        self._options = options
        self._weights = dict(zip(LEVELS, options.level_weights, strict=True))
        self._edges: Mapping[str, Any] = {"candidates": walked_candidates(options), "weights": self._weights}
        self._projection = Projection("gain", "gain_graph/project_gains", self._edges)

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        rows = self._read("gain_graph/find_named_chunks", ids=list(ids), most=MENTION_LIMIT)
        chunks = self._stores.vectors.count(self._stores.name, "chunks") if rows else 0
        projected = self._select_projected([chunk for row in rows for chunk in row["named"]])
        return {
            row["entity"]: NamedEntity(
                math.log1p(chunks / row["holders"]), tuple(filter(projected.__contains__, row["named"]))
            )
            for row in rows
        }

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        asked = count if self._is_current else count + _SPARE
        found = self._stores.nearest("chunks", vector, asked)
        ids = [scored.id for scored in found]
        present = keep_present(self._stores, ids, find_present(self._stores, ids))
        projected = self._select_projected(present)
        return [(scored.id, scored.score) for scored in found if scored.id in projected][:count]

    def rank(self, seeds: Mapping[str, float], limit: int, allowed: Collection[str] | None) -> Ranking:
        restart = self._options.restart
        rows = gds.read(
            self._stores,
            self._projection,
            "gain_graph/stream_ranks",
            corpus=self._stores.name,
            seeds=[list(seed) for seed in seeds.items()],
            restart=restart,
            iterations=1 + iterations_needed(restart, self._options.tolerance),
            limit=limit,
            allowed=None if allowed is None else sorted(allowed),
        )
        if not rows:
            return Ranking((), (), 0.0)
        return Ranking(tuple(rows[0]["ids"]), tuple(rows[0]["scores"]), round(restart / rows[0]["total"], _DECIMALS))

    def onwards(self, ids: Collection[str]) -> list[Step]:
        return self._steps(self._read("gain_graph/find_onward_gains", ids=sorted(ids), **self._edges))

    def surroundings(self, ids: Collection[str], shown: Collection[str]) -> tuple[list[Step], Mapping[str, Chunk]]:
        rows = self._read("gain_graph/find_surroundings", ids=sorted(ids), shown=sorted(shown), **self._edges)
        return self._steps(rows), {row["source"]: chunk_table.from_row(row["chunk"]) for row in rows if row["chunk"]}

    @property
    def _is_current(self) -> bool:
        return self._stores.record.published == self._stores.record.generation

    def _select_projected(self, chunks: Sequence[str]) -> set[str]:
        """The chunks among them that can be seeds: while documents change, new chunks are not in the graph."""
        if self._is_current:
            return set(chunks)
        query = "gain_graph/find_projected"
        rows = gds.read(self._stores, self._projection, query, corpus=self._stores.name, ids=list(chunks))
        return {row["id"] for row in rows}

    def _read(self, query: str, **parameters: Any) -> list[Row]:
        return self._stores.graph.read(query, corpus=self._stores.name, **parameters)

    def _steps(self, rows: Sequence[Row]) -> list[Step]:
        """Edges from rows, each with the edges of one chunk in columns."""
        steps = []
        for row in rows:
            columns = (row[name] for name in ("targets", "levels", "candidates", "shares"))
            for target, level, candidate, share in zip(*columns, strict=True):
                steps.append(Step(row["source"], target, level, candidate, share, self._weights[level]))
        return steps
