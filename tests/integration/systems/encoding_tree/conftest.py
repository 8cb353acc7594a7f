"""Generated small corpora of a few topics in a real Neo4j and a real Qdrant, and the contents of their trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Point
from tetragraph.systems.encoding_tree.options import BuildOptions

DIMENSION = 8
TOPICS = (
    ("harbour ships", ("Halvik", "Old Port", "Orla Brandt")),
    ("paint canvas", ("Elva Kron", "Tomas Reyer", "Mina Holt")),
    ("poems verse", ("Jens Arild", "Low Tide", "Ida Brandt")),
    ("clocks springs", ("Carl Dorn", "Ghent", "Anna Weil")),
)
SPREAD = 0.5
"""Of a chunk's vector around that of its topic."""

CREATE = """
UNWIND $rows AS row
MERGE (document:Document {corpus: $corpus, id: row.document}) SET document.title = row.document
MERGE (chunk:Chunk {corpus: $corpus, id: row.id})
SET chunk += {title: '', text: row.text, position: row.position, start: 0, end: size(row.text), tokens: 1}
MERGE (document)-[:HAS_CHUNK {position: row.position}]->(chunk)
FOREACH (name IN row.mentions |
  MERGE (entity:Entity {corpus: $corpus, id: name.id}) SET entity.name = name.name
  MERGE (chunk)-[:MENTIONS {count: 1}]->(entity))
FOREACH (name IN row.describes |
  MERGE (entity:Entity {corpus: $corpus, id: name.id}) SET entity.name = name.name MERGE (chunk)-[:DESCRIBES]->(entity))
"""
DELETE = """
UNWIND $ids AS id MATCH (chunk:Chunk {corpus: $corpus, id: id})<-[:HAS_CHUNK]-(document) DETACH DELETE chunk, document
"""
State = dict[str, Any]


@dataclass
class World:
    """One corpus of documents of two chunks; those of document ``n`` are always the same."""

    stores: CorpusStores
    driver: neo4j.Driver
    chunks: dict[str, Chunk] = field(default_factory=dict)
    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def table(self) -> ChunkTable:
        ids = sorted(self.chunks)
        vectors = np.array([self.vectors[chunk] for chunk in ids], dtype=np.float32).reshape(len(ids), DIMENSION)
        return ChunkTable(ArraySet(chunk_table.pack([self.chunks[chunk] for chunk in ids], vectors)))

    def add(self, documents: Sequence[int]) -> tuple[str, ...]:
        """Write documents with their entities and vectors; returns the ids of their chunks in order."""
        rows, points = [], []
        for number in (2 * document + half for document in documents for half in range(2)):
            row, vector = _chunk(number)
            rows.append(row)
            self.vectors[row["id"]] = vector
            self.chunks[row["id"]] = Chunk(
                row["id"], row["document"], "", row["document"], row["text"], row["position"], 0, len(row["text"]), 1
            )
            points.append(Point(row["id"], vector, ""))
        self.run(CREATE, rows=rows)
        self.stores.vectors.upsert(self.stores.name, "chunks", points)
        return tuple(sorted(point.id for point in points))

    def remove(self, documents: Sequence[int]) -> tuple[str, ...]:
        """Delete documents everywhere; returns the ids of their chunks in order."""
        ids = sorted(f"c{2 * document + half:03d}" for document in documents for half in range(2))
        for chunk in ids:
            del self.chunks[chunk], self.vectors[chunk]
        self.run(DELETE, ids=ids)
        self.stores.vectors.delete(self.stores.name, "chunks", ids)
        return tuple(ids)

    def run(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """A query past the code under test."""
        with self.driver.session() as session:
            return session.run(query, corpus=self.stores.name, **parameters).data()

    def affinities(self) -> dict[tuple[str, str], dict[str, float]]:
        """Every AFFINITY with its properties."""
        rows = self.run("MATCH (a {corpus: $corpus})-[e:AFFINITY]->(b) RETURN a.id AS a, b.id AS b, properties(e) AS e")
        found = {(row["a"], row["b"]): row["e"] for row in rows}
        assert len(found) == len(rows)
        return found

    def communities(self) -> dict[str, dict[str, Any]]:
        """Every Community with its properties but its corpus."""
        rows = self.run("MATCH (c:Community {corpus: $corpus}) RETURN c {.*, corpus: null} AS c")
        return {row["c"]["id"]: {name: value for name, value in row["c"].items() if value is not None} for row in rows}

    def contains(self) -> list[tuple[str, str, str]]:
        """Every CONTAINS: labels of its ends in one word, and their ids; the root goes without."""
        query = """
        MATCH (a {corpus: $corpus})-[:CONTAINS]->(b)
        RETURN labels(a)[0] + '-' + labels(b)[0] AS kind, CASE WHEN a:Community THEN a.id END AS a, b.id AS b
        """
        return sorted((row["kind"], row["a"] or "", row["b"]) for row in self.run(query))

    def homes(self) -> dict[str, list[str]]:
        """The communities that hold each chunk directly."""
        rows = self.run(
            "MATCH (chunk:Chunk {corpus: $corpus}) RETURN chunk.id AS chunk, "
            "COLLECT { MATCH (chunk)<-[:CONTAINS]-(c:Community) RETURN c.id ORDER BY c.id } AS homes"
        )
        return {row["chunk"]: row["homes"] for row in rows}

    def root(self) -> dict[str, Any] | None:
        """The EncodingTree with its properties but corpus and id."""
        rows = self.run("MATCH (tree:EncodingTree {corpus: $corpus}) RETURN properties(tree) AS tree")
        assert len(rows) <= 1
        return (
            {name: rows[0]["tree"][name] for name in rows[0]["tree"] if name not in {"corpus", "id"}} if rows else None
        )

    def points(self) -> dict[str, list[float]]:
        """The vectors of the communities in Qdrant."""
        batches = self.stores.vectors.scroll(self.stores.name, "communities")
        return {name: vector.tolist() for ids, vectors in batches for name, vector in zip(ids, vectors, strict=True)}

    def state(self) -> State:
        """All that a build makes, in both stores."""
        return {
            "root": self.root(),
            "communities": self.communities(),
            "contains": self.contains(),
            "affinities": self.affinities(),
            "hashes": self.stores.vectors.hashes(self.stores.name, "communities"),
            "points": self.points(),
        }

    def published(self, generation: int, *, changing: bool = False) -> CorpusStores:
        """The stores as a search finds them when that generation is complete."""
        record = replace(self.stores.record, generation=generation + changing, published=generation)
        return replace(self.stores, record=record, notes=[])

    def question(self, text: str, number: int = 0) -> Question:
        vector = self.vectors[sorted(self.chunks)[number]]
        return Question(text, vector, lambda _: vector)


def _chunk(number: int) -> tuple[dict[str, Any], NDArray[np.float32]]:
    """A row of the query, and the vector: near the topic of its document."""
    rng = np.random.default_rng(number)
    document = number // 2
    words, names = TOPICS[document % len(TOPICS)]
    vector = np.eye(DIMENSION)[document % len(TOPICS)] + SPREAD * rng.normal(size=DIMENSION) / np.sqrt(DIMENSION)
    mentions = rng.choice(names, 2, replace=False).tolist()
    row = {
        "document": f"d{document:03d}",
        "id": f"c{number:03d}",
        "position": number % 2,
        "text": f"{words.split()[number % 2].title()} of {mentions[0]} and {mentions[1]}.",
        "mentions": _entities(mentions),
        "describes": _entities([names[document % 3]] if number % 2 == 0 and document < 12 else []),
    }
    return row, (vector / np.linalg.norm(vector)).astype(np.float32)


def _entities(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": content_id(name.lower()), "name": name} for name in names]


@pytest.fixture
def small() -> BuildOptions:
    """Settings for corpora of some dozen chunks."""
    return BuildOptions(neighbours=4)


@pytest.fixture
def make_world(
    graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path
) -> Iterator[Callable[[str], World]]:
    """Makes empty corpora whose names begin alike."""
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)

    def make(suffix: str = "") -> World:
        name = corpus_name + suffix
        record = CorpusRecord(name, "now", "test", DIMENSION, {}, 1, 1, graph.server().database)
        vectors.ensure(name, "chunks", DIMENSION)
        return World(CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays")), driver)

    yield make
    vectors.close()


@pytest.fixture
def world(make_world: Callable[[str], World]) -> World:
    """One corpus of sixteen documents, 32 chunks, on four topics."""
    world = make_world("")
    world.add(range(16))
    return world
