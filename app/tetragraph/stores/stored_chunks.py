"""Chunks that a search reads from the stores one question at a time, without the table of a corpus."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Flags, Vectors
from tetragraph.errors import StoreError
from tetragraph.model import Chunk, Filters
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.filters import allowed_ids, needs_graph, parameters

_SPARE = 4
"""Chunks of the full-text index that are read for each wanted one: other corpora may take some places."""
_FEW = 50
"""Further chunks that are read for an exact ranking: the last one must score less than the last hit."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """Some chunks of a corpus in order of id; see :class:`ChunkTable`."""

    ids: Sequence[str]
    stores: CorpusStores

    def __len__(self) -> int:
        return len(self.ids)

    def mask(self, allowed: Collection[str] | None) -> Flags:
        """``(n,)`` mask of the chunks with one of these ids; all True for None."""
        return np.array([allowed is None or one in allowed for one in self.ids], dtype=bool)

    def chunks_of(self, rows: Sequence[int]) -> list[Chunk]:
        """The chunks of some rows, for hits.

        Raises:
            StoreError: one was deleted while the question was answered.
        """
        ids = [self.ids[row] for row in rows]
        found = chunk_table.fetch(self.stores, ids)
        if missing := [one for one in ids if one not in found]:
            raise StoreError(f"chunk {missing[0]} was deleted while the question was answered: ask again")
        return [found[one] for one in ids]


def find_similar(stores: CorpusStores, vectors: Vectors, count: int, filters: Filters | None) -> Iterator[str]:
    """Ids of the ``count`` chunks most similar to each of some texts, of those that pass the filters.

    Args:
        stores: The stores of the corpus.
        vectors: ``(texts, dimension)`` vectors of the texts.
        count: Number of chunks for each text.
        filters: Metadata filters; None for none.
    """
    if not needs_graph(filters):
        for vector in vectors:
            yield from (scored.id for scored in stores.nearest("chunks", vector, count, filters))
        return
    ids = sorted(allowed_ids(stores, filters or {}))
    for cosines in stores.vectors.compare(stores.name, "chunks", vectors, ids):
        order = np.argsort(-np.nan_to_num(cosines, nan=-1.0), kind="stable")[:count]
        yield from (ids[row] for row in order.tolist())


def find_worded(stores: CorpusStores, query: str, count: int, *, is_one_more: bool = False) -> list[str]:
    """Ids of the ``count`` chunks that a query of the full-text index finds, best first.

    Args:
        stores: The stores of the corpus.
        query: A query of :func:`tetragraph.stores.lucene.lucene_query`.
        count: Number of chunks.
        is_one_more: Whether one more is returned, which tells that there are more.
    """
    limit = count + 1 if is_one_more else count
    found = stores.graph.read(
        "evidence_walk/find_worded", corpus=stores.name, query=query, most=_SPARE * count, limit=limit
    )
    return [row["id"] for row in found]


def rank_worded(stores: CorpusStores, query: str, count: int, filters: Filters | None) -> list[tuple[str, float]]:
    """Ids and BM25 scores of the ``count`` best chunks that a query of the full-text index finds, by (-score, id).

    The best few of the index are read first. All others score at most as much as the last of these, so that the result
    is complete where the last one returned scores more; otherwise (ties, selective filters, other corpora with the same
    words in their names, few matches) all that the index finds are read.

    Args:
        stores: The stores of the corpus.
        query: A query of :func:`tetragraph.stores.lucene.lucene_query`.
        count: Number of chunks, at least 1.
        filters: Metadata filters; None for none.
    """
    few = _SPARE * count + _FEW
    found: list[tuple[str, float]] = []
    for options, limit in (({"limit": few}, few), ({}, count)):
        rows = stores.graph.read(
            "keyword/find_chunks_by_text",
            corpus=stores.name,
            query=query,
            options=options,
            filters=parameters(filters),
            limit=limit,
        )
        found = [(row["id"], row["score"]) for row in rows]
        if len(found) > count and found[count - 1][1] > found[-1][1]:
            break
    return found[:count]


def find_present(stores: CorpusStores, ids: Sequence[str]) -> set[str]:
    """Those of some chunks that are in Neo4j, with their documents."""
    rows = stores.graph.read("evidence_walk/find_allowed", corpus=stores.name, ids=list(ids), filters=[])
    return {row["id"] for row in rows}


def keep_present(stores: CorpusStores, ids: Sequence[str], present: Container[str]) -> list[str]:
    """Those of some chunks that are in Neo4j, in the order given; a note counts the others.

    An ingest deletes chunks in Neo4j before their vectors in Qdrant.
    """
    kept = [one for one in ids if one in present]
    if len(kept) < len(ids):
        stores.note(
            f"{len(ids) - len(kept)} vectors belong to passages that are no longer there and were left out: "
            f"an ingest is under way, or was interrupted and should be run again"
        )
    return kept


def find_allowed(stores: CorpusStores, ids: Sequence[str], filters: Filters | None) -> set[str]:
    """Those of some chunks whose documents pass the filters."""
    if not filters:
        return set(ids)
    wanted = parameters(filters)
    rows = stores.graph.read("evidence_walk/find_allowed", corpus=stores.name, ids=list(ids), filters=wanted)
    return {row["id"] for row in rows}
