"""Small corpora in a real Neo4j and a real Qdrant, generated so that every edge is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import neo4j
import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table, gds
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Point

DIMENSION = 6
NAMES = ("Anna", "Bert", "Cora", "Dora Island", "Emil", "Fram")

CREATE = """
MERGE (document:Document {corpus: $corpus, id: $id}) SET document.title = $title
MERGE (chunk:Chunk {corpus: $corpus, id: $id})
SET chunk += {title: $title, text: $text, position: 0, start: 0, end: size($text), tokens: 1}
MERGE (document)-[:HAS_CHUNK {position: 0}]->(chunk)
FOREACH (name IN $mentions |
  MERGE (entity:Entity {corpus: $corpus, id: name.id}) SET entity.name = name.name
  MERGE (chunk)-[:MENTIONS {count: 1}]->(entity))
FOREACH (name IN $describes |
  MERGE (entity:Entity {corpus: $corpus, id: name.id}) SET entity.name = name.name MERGE (chunk)-[:DESCRIBES]->(entity))
"""
DELETE = "MATCH (node {corpus: $corpus, id: $id}) WHERE node:Chunk OR node:Document DETACH DELETE node"


@dataclass
class World:
    """One corpus; chunk ``i`` always has the same id, vector, title and text."""

    stores: CorpusStores
    driver: neo4j.Driver
    chunks: dict[str, Chunk]
    vectors: dict[str, NDArray[np.float32]]

    @property
    def table(self) -> ChunkTable:
        ids = sorted(self.chunks)
        vectors = np.array([self.vectors[chunk] for chunk in ids], dtype=np.float32).reshape(len(ids), DIMENSION)
        return ChunkTable(ArraySet(chunk_table.pack([self.chunks[chunk] for chunk in ids], vectors)))

    def add(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Write chunks with their entities and vectors; returns their ids in order."""
        points = []
        for number in numbers:
            rng = np.random.default_rng(number)
            vector = (rng.normal(size=DIMENSION) + 1).astype(np.float32)
            title = NAMES[number] if number < len(NAMES) else f"Page {number}"
            mentions = [name for name in rng.choice(NAMES, 2, replace=False).tolist() if name != title]
            chunk = Chunk(
                f"c{number:03d}", f"c{number:03d}", title, title, f"It knows {' and '.join(mentions)}.", 0, 0, 9, 1
            )
            self.chunks[chunk.id] = chunk
            self.vectors[chunk.id] = vector / np.linalg.norm(vector)
            points.append(Point(chunk.id, self.vectors[chunk.id], ""))
            named = {"mentions": _entities(mentions), "describes": _entities([title] if title in NAMES else [])}
            values = {"corpus": self.stores.name, "id": chunk.id, "title": title, "text": chunk.text, **named}
            with self.driver.session() as session:
                session.run(CREATE, values).consume()
        self.stores.vectors.upsert(self.stores.name, "chunks", points)
        return tuple(sorted(point.id for point in points))

    def remove(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Delete chunks everywhere; returns their ids in order."""
        ids = sorted(f"c{number:03d}" for number in numbers)
        for chunk in ids:
            del self.chunks[chunk], self.vectors[chunk]
            with self.driver.session() as session:
                session.run(DELETE, corpus=self.stores.name, id=chunk).consume()
        self.stores.vectors.delete(self.stores.name, "chunks", ids)
        return tuple(ids)

    def edges(self) -> dict[tuple[str, str], dict[str, object]]:
        """Every INFO_GAIN edge with its properties."""
        query = (
            "MATCH (a:Chunk {corpus: $corpus})-[e:INFO_GAIN]->(b:Chunk) RETURN a.id AS a, b.id AS b, properties(e) AS e"
        )
        with self.driver.session() as session:
            return {(row["a"], row["b"]): row["e"] for row in session.run(query, corpus=self.stores.name)}

    def published(self, generation: int, *, changing: bool = False) -> CorpusStores:
        """The stores as a search finds them when that generation is complete."""
        record = replace(self.stores.record, generation=generation + changing, published=generation)
        return replace(self.stores, record=record, notes=[])

    def question(self, text: str, number: int = 0) -> Question:
        vector = self.vectors[sorted(self.chunks)[number]]
        return Question(text, vector, lambda _: vector)


def _entities(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": content_id(name.lower()), "name": name.lower()} for name in names]


@pytest.fixture
def make_world(
    graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path
) -> Iterator[Callable[[str], World]]:
    """Makes empty corpora whose names begin alike; their projections are dropped afterwards."""
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)
    made: list[World] = []

    def make(suffix: str = "") -> World:
        name = corpus_name + suffix
        record = CorpusRecord(name, "now", "test", DIMENSION, {}, 1, 1, graph.server().database)
        stores = CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))
        vectors.ensure(name, "chunks", DIMENSION)
        root = {"embedder": "test", "dimension": DIMENSION, "settings": "{}", "schema_version": 1}
        graph.write("corpus/upsert_corpus", corpus=name, **root)
        made.append(World(stores, driver, {}, {}))
        return made[-1]

    yield make
    for world in made:
        gds.drop_all(graph, world.stores.record.key)
        with driver.session() as session:
            session.run("MATCH (node {corpus: $corpus}) DETACH DELETE node", corpus=world.stores.name).consume()
    vectors.close()


@pytest.fixture
def world(make_world: Callable[[str], World]) -> World:
    """One corpus of fourteen chunks, six of which describe something."""
    world = make_world("")
    world.add(range(14))
    return world
