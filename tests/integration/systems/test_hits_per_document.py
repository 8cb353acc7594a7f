"""Searches with a limit by document end when no document can have more hits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

from tetragraph.model import Findings, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.systems import copies
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.copies import search_distinct
from tetragraph.systems.rerank_options import RerankOptions

CREATE = """
UNWIND range(0, size($sizes) - 1) AS number
CREATE (document:Document {corpus: $corpus, id: 'd' + number, title: 'Title', meta_year: 1900 + number})
WITH document, number UNWIND range(1, $sizes[number]) AS place
CREATE (document)-[:HAS_CHUNK {position: place}]->(:Chunk {
  corpus: $corpus, id: 'c' + number + '-' + place, title: 'Title', text: 'Text ' + number + ' ' + place,
  position: place, start: 0, end: 6, tokens: 2
})
"""
SIZES = (40, 30, 1, 20)
"""Chunks of each document."""


class Shelf(Retriever[RerankOptions]):
    """A retriever of all chunks, those of a document together, that notes how many it was asked for."""

    name = summary = "shelf"
    search_options = RerankOptions

    def __init__(self) -> None:
        self.depths: list[int] = []

    def search(self, request: SearchRequest[RerankOptions]) -> Findings:
        self.depths.append(request.k)
        stores, allowed = request.stores, request.allowed_chunks()
        ids = [f"c{number}-{place}" for number, size in enumerate(SIZES) for place in range(1, size + 1)]
        ids = [one for one in ids if allowed is None or one in allowed][: request.k]
        chunks = chunk_table.fetch(stores, ids)
        return Findings(tuple(Hit(rank, 1 / rank, chunks[one]) for rank, one in enumerate(ids, start=1)))


@pytest.fixture
def request_of(graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path) -> Any:
    """Makes requests to a corpus of four documents."""
    root = {"embedder": "none", "dimension": 2, "settings": "{}", "schema_version": 1}
    graph.write("corpus/upsert_corpus", corpus=corpus_name, **root)
    driver.execute_query(CREATE, corpus=corpus_name, sizes=list(SIZES))
    database = graph.server().database
    record = CorpusRecord(corpus_name, "now", "none", 2, {}, 1, 1, database, metadata_keys=("year",))
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)
    stores = CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))
    nothing = np.zeros(2, dtype=np.float32)

    def make(k: int, **changed: Any) -> SearchRequest[RerankOptions]:
        now = replace(stores, notes=[])
        return replace(SearchRequest(now, Question("who", nothing, lambda _: nothing), k, RerankOptions()), **changed)

    yield make
    vectors.close()
    driver.execute_query("MATCH (node {corpus: $corpus}) DETACH DELETE node", corpus=corpus_name)


@pytest.mark.parametrize(
    ("k", "most", "filters", "found", "depths"),
    [
        (3, 1, None, ["c0-1", "c1-1", "c2-1"], [3, 7, 15, 31, 63, 126]),
        (10, 1, {"year": 1900}, ["c0-1"], [10]),
        (10, 1, {"year": [1900, 1902]}, ["c0-1", "c2-1"], [10, 28, 64]),
        (3, 2, {"year": [1900, 1902]}, ["c0-1", "c0-2", "c2-1"], [3, 6, 12, 24, 48]),
        (10, 1, {"year": {"gte": 1901}}, ["c1-1", "c2-1", "c3-1"], [10, 28, 64]),
        (2, 0, None, ["c0-1", "c0-2"], [2]),
    ],
)
def test_it_ends_when_every_document_has_its_hits(
    request_of: Any, k: int, most: int, filters: Any, found: list[str], depths: list[int]
) -> None:
    shelf, request = Shelf(), request_of(k, filters=filters)
    hits = search_distinct(shelf, request, most).hits
    assert [hit.chunk.id for hit in hits] == found
    assert [hit.rank for hit in hits] == list(range(1, len(found) + 1))
    assert shelf.depths == depths
    assert request.stores.notes == []


def test_it_goes_no_deeper_than_a_bound_and_says_so(request_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "DEEPEST", 50)
    shelf, request = Shelf(), request_of(3)
    hits = search_distinct(shelf, request, 1).hits
    assert [hit.chunk.id for hit in hits] == ["c0-1", "c1-1"]
    assert shelf.depths[-1] == 50
    (note,) = request.stores.notes
    assert note.startswith("the limit of 1 hits per document leaves 2 of the best 50 hits, and no others were searched")


def test_while_documents_change_their_present_number_does_not_count(request_of: Any) -> None:
    shelf, request = Shelf(), request_of(10, filters={"year": 1900})
    record = replace(request.stores.record, generation=2)
    search_distinct(shelf, replace(request, stores=replace(request.stores, record=record)), 1)
    assert shelf.depths == [10, 28, 64]
