"""Small corpora in the real stores, written without the ingest."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.model import Metadata, content_id
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Point

DIMENSION = 32
Texts = Mapping[str, str]
MakeCorpus = Callable[..., CorpusStores]

TEXTS = {
    "Lisbon": "Lisbon is the capital of Portugal and lies on the river Tagus.",
    "Porto": "Porto is a city on the river Douro, known for its wine.",
    "Tagus": "The Tagus is the longest river of the Iberian peninsula.",
    "Madrid": "Madrid is the capital of Spain.",
}
METADATA: Mapping[str, Metadata] = {
    "Lisbon": {"country": "Portugal", "people": 545_000, "capital": True, "written": "2024-05-30"},
    "Porto": {"country": "Portugal", "people": 231_000.0, "capital": False, "written": "2024-05-31T23:59:00+02:00"},
    "Tagus": {"length_km": 1007, "tags": ["water", "long"], "written": "2024-06-01 00:00"},
    "Madrid": {"country": "Spain", "people": 3_300_000, "capital": True, "written": "3rd of May 2024"},
}

SOURCES = {
    "Lisbon": "places/portugal/lisbon.md",
    "Porto": "places/portugal/porto.PDF",
    "Tagus": "places/rivers.csv:3",
}


def embed(text: str) -> Vectors:
    """A bag of words in 32 buckets: alike where words are shared."""
    vector = np.full(DIMENSION, 0.01, dtype=np.float32)
    for word in text.lower().replace(".", " ").replace(",", " ").split():
        vector[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    return vector / np.float32(np.linalg.norm(vector))


@pytest.fixture
def ask() -> Callable[[str], Question]:
    return lambda text: Question(text, embed(text), embed)


@pytest.fixture
def make_corpus(graph: Graph, tmp_path: Path) -> Iterator[MakeCorpus]:
    """Makes a corpus of one-chunk documents, title to text."""
    vectors = EdgeVectors(tmp_path / "qdrant", wait_s=0.0)

    def make(name: str, texts: Texts = TEXTS, metadata: Mapping[str, Metadata] = METADATA) -> CorpusStores:
        _write(graph, name, texts, metadata)
        vectors.ensure(name, "chunks", DIMENSION)
        points = [
            Point(content_id(title), embed(text), content_id(text), metadata.get(title, {}))
            for title, text in texts.items()
        ]
        vectors.upsert(name, "chunks", points)
        keys = tuple(sorted({key for values in metadata.values() for key in values}))
        record = CorpusRecord(name, "now", "words", DIMENSION, {}, 1, 1, "test", keys)
        return CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))

    yield make
    vectors.close()


def _write(graph: Graph, corpus: str, texts: Texts, metadata: Mapping[str, Metadata]) -> None:
    documents: Sequence[Mapping[str, object]] = [
        {
            "id": title,
            "properties": {"title": title, "source": SOURCES.get(title, "")}
            | {f"meta_{key}": value for key, value in metadata.get(title, {}).items()},
        }
        for title in texts
    ]
    chunks = [
        {"id": content_id(title), "document_id": title, "title": title, "text": text, "position": 0, "start": 0}
        | {"end": len(text), "tokens": len(text.split()), "sha256": content_id(text), "previous": None}
        for title, text in texts.items()
    ]
    graph.write("ingest/upsert_documents", corpus=corpus, rows=documents)
    graph.write("ingest/upsert_chunks", corpus=corpus, rows=chunks)
