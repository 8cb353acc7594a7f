"""Small corpora of recorded facts in a real Neo4j and a real Qdrant, and the contents of their graphs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.language.embedders.base import OnDone
from tetragraph.model import Chunk, content_id
from tetragraph.progress import NoProgress
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Kind
from tetragraph.systems.bipartite_graph.build import FactBuildReport, build
from tetragraph.systems.bipartite_graph.options import BuildOptions

DIMENSION = 8
KINDS: tuple[Kind, ...] = ("relations", "entities")
IN_THE_DICTIONARY = {"halvik": "HALVIK", "orla brandt": "Orla BRANDT"}
"""Normalised names of entities that the corpus' dictionary has, and how it writes them."""
TYPES = {"Orla Brandt": "person", "Brandt": "person", "O. Brandt": "person", "Elva Kron": "person", "1921": "date"}
"""What the recorded names are taken for."""
CREATE = """
UNWIND $rows AS row
MERGE (document:Document {corpus: $corpus, id: row.document}) SET document.title = row.title
MERGE (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk += {title: row.title, text: row.text, position: 0, start: 0, end: size(row.text), tokens: 1}
MERGE (document)-[:HAS_CHUNK {position: 0}]->(chunk)
"""
DELETE = """
UNWIND $ids AS id MATCH (chunk:Chunk {corpus: $corpus, id: id})<-[:HAS_CHUNK]-(document) DETACH DELETE chunk, document
"""
State = dict[str, Any]
Triple = tuple[str, str, str]


class Embedder:
    """Vectors drawn by a generator that the text seeds; keeps what it was asked for."""

    name, dimension, max_tokens, model_hash = "drawn", DIMENSION, 512, ""

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> NDArray[np.float32]:
        self.embedded += passages
        if on_done:
            on_done(len(passages))
        return np.array([self.embed_question(text) for text in passages], dtype=np.float32).reshape(-1, DIMENSION)

    def embed_question(self, question: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(question.encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).normal(size=DIMENSION)
        return (vector / np.linalg.norm(vector)).astype(np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


@dataclass
class World:
    """One corpus of documents of one chunk, whose text is its triples."""

    stores: CorpusStores
    driver: neo4j.Driver
    file: Path
    embedder: Embedder = field(default_factory=Embedder)
    chunks: dict[str, Chunk] = field(default_factory=dict)

    def record(self, triples: Mapping[str, Sequence[Triple]]) -> None:
        """Make the file of recorded triples, by document."""
        types = {"entities": list(TYPES), "entity_types": list(TYPES.values())}
        rows = [{"passage_id": document, "triples": found, **types} for document, found in sorted(triples.items())]
        self.file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def add(self, triples: Mapping[str, Sequence[Triple]]) -> None:
        """Write documents, by their id."""
        for document, found in triples.items():
            text = " ".join(f"{' '.join(triple)}." for triple in found) or "Nothing."
            chunk = Chunk(f"c-{document}", document, document, document, text, 0, 0, len(text), 1)
            self.chunks[chunk.id] = chunk
        rows = [
            {"document": document, "id": f"c-{document}", "title": document, "text": self.chunks[f"c-{document}"].text}
            for document in triples
        ]
        self.run(CREATE, rows=rows)

    def remove(self, *documents: str) -> None:
        """Delete documents with their chunks."""
        for document in documents:
            del self.chunks[f"c-{document}"]
        self.run(DELETE, ids=[f"c-{document}" for document in documents])

    @property
    def table(self) -> ChunkTable:
        ids = sorted(self.chunks)
        vectors = np.zeros((len(ids), DIMENSION), dtype=np.float32)
        return ChunkTable(ArraySet(chunk_table.pack([self.chunks[chunk] for chunk in ids], vectors)))

    def build(self, options: BuildOptions | None = None, **more: Any) -> FactBuildReport:
        """Build the graph as it was built before, where nothing else is said."""
        return build(self.stores, self.table, self.embedder, NoProgress(), options, **more)

    def build_recorded(self) -> FactBuildReport:
        return self.build(BuildOptions(extractor=str(self.file)))

    def run(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """A query past the code under test."""
        with self.driver.session() as session:
            return session.run(query, corpus=self.stores.name, **parameters).data()

    def nodes(self, label: str) -> dict[str, dict[str, Any]]:
        """Every node of a label with its properties but corpus and id."""
        rows = self.run(f"MATCH (n:{label} {{corpus: $corpus}}) RETURN n.id AS id, properties(n) AS n")
        assert len({row["id"] for row in rows}) == len(rows)
        return {row["id"]: {key: row["n"][key] for key in row["n"] if key not in {"corpus", "id"}} for row in rows}

    def edges(self, kind: str) -> list[tuple[str, str, dict[str, Any]]]:
        """Every relationship of a type: ids of its ends, and its properties."""
        rows = self.run(
            f"MATCH (a {{corpus: $corpus}})-[e:{kind}]->(b) RETURN a.id AS a, b.id AS b, properties(e) AS e "
            "ORDER BY a, b, e.document"
        )
        return [(row["a"], row["b"], row["e"]) for row in rows]

    def points(self, kind: Kind) -> dict[str, list[float]]:
        """The vectors in Qdrant."""
        batches = self.stores.vectors.scroll(self.stores.name, kind)
        return {name: vector.tolist() for ids, vectors in batches for name, vector in zip(ids, vectors, strict=True)}

    def state(self) -> State:
        """All that a build makes, in both stores."""
        return {
            "root": list(self.nodes("BipartiteGraph").values()),
            **{label: self.nodes(label) for label in ("Relation", "Entity", "Alias", "Extraction")},
            **{kind: self.edges(kind) for kind in ("PARTICIPATES_IN", "STATED_IN", "ALIAS_OF", "KEPT_APART")},
            **{kind: self.points(kind) for kind in KINDS},
            "hashes": {kind: self.stores.vectors.hashes(self.stores.name, kind) for kind in KINDS},
        }


@pytest.fixture
def make_world(
    graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path
) -> Iterator[Callable[[str], World]]:
    """Makes corpora whose names begin alike, each with two entities in its dictionary, and all with one file."""
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)

    def make(suffix: str = "") -> World:
        name = corpus_name + suffix
        record = CorpusRecord(name, "now", "drawn", DIMENSION, {}, 1, 1, graph.server().database)
        stores = CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))
        world = World(stores, driver, tmp_path / "triples.jsonl")
        named = [{"id": content_id(key), "name": name} for key, name in IN_THE_DICTIONARY.items()]
        world.run("UNWIND $rows AS r CREATE (:Entity {corpus: $corpus, id: r.id, name: r.name, df: 2})", rows=named)
        return world

    yield make
    vectors.close()


@pytest.fixture
def world(make_world: Callable[[str], World]) -> World:
    """One empty corpus."""
    return make_world("")
