"""A small corpus in a real Neo4j, and steps of a search in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest

from tetragraph.model import Bridge, ChainStep, Chunk, Hit
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
)
from tetragraph.model.usage import Usage
from tetragraph.stores import chunk_table
from tetragraph.stores.graph import Graph
from tetragraph.systems.anchor_graph.session_store import SessionStore

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUESTION = "In which river's valley was Żółć’s 建築家 born?"
MADE_WITH = {"embedder": "none", "dimension": 3, "settings": "{}", "schema_version": 1}
CREATE = """
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus.generation = 7
FOREACH (i IN range(1, 8) |
  CREATE (document:Document {corpus: $corpus, id: 'd' + i, title: 'Title ' + i, meta_year: 1900 + i})
  CREATE (chunk:Chunk {corpus: $corpus, id: 'c' + i, title: 'Title ' + i, text: 'Text ' + i, position: 0, start: 0})
  SET chunk.end = 6, chunk.tokens = 2
  CREATE (document)-[:HAS_CHUNK {position: 0}]->(chunk)
  CREATE (:Entity {corpus: $corpus, id: 'e' + i, name: 'Entity ' + i, df: 1}))
"""
Rows = list[dict[str, Any]]


class World:
    """One corpus of eight chunks and eight entities, and the sessions of it."""

    def __init__(self, graph: Graph, driver: neo4j.Driver, corpus: str) -> None:
        self.graph = graph
        self.corpus = corpus
        self._driver = driver
        graph.write("corpus/upsert_corpus", corpus=corpus, **MADE_WITH)
        self.run(CREATE)
        rows = graph.read("corpus/find_chunks_by_id", corpus=corpus, ids=[f"c{i}" for i in range(1, 9)])
        self.chunks: dict[str, Chunk] = {row["id"]: chunk_table.from_row(row) for row in rows}

    def store(self) -> SessionStore:
        """Sessions as another process sees them."""
        return SessionStore(self.graph, self.corpus)

    def create(self, store: SessionStore, question: str = QUESTION, **changed: Any) -> SessionRecord:
        """Begin a session with the settings that all of these tests have, but for what is named."""
        settings: dict[str, Any] = {
            "retriever": "evidence",
            "reasoner": "token_free",
            "options": {"steps": 4, "graph": True},
            "k": 10,
            "filters": {"year": [1901, 1902], "title": "Title 1"},
            "ttl": None,
            "now": NOW,
        }
        return store.create(question, **{**settings, **changed})

    def steps(self, question: str = QUESTION, mark: str = "") -> tuple[AnchorStep, ...]:
        """Three steps, the second of which gives a known anchor attributes, a relation and a chunk, and an order.

        Args:
            question: Which they are of.
            mark: Stands in every name and thought, so that steps of several sessions can be told apart.
        """
        tower = Anchor(f"tower{mark}", f"Tower{mark}", ("a building", "high"), 1, "e1", ("c2", "c1"))
        maker = Anchor(f"maker{mark}", f"Maker{mark} 建築家", (), 1, "", ("c1",))
        first = AnchorGraph((tower, maker), (Anchored(tower.key, "built by", maker.key, 1),))
        grown = Anchor(tower.key, tower.name, (*tower.attributes, "żółty"), 1, "e1", ("c2", "c1", "c3"))
        town = Anchor(f"a town{mark}", f"A Town{mark}", ("in a valley",), 2, "e2", ("c4", "c3"))
        more = Anchored(maker.key, "born in", town.key, 2), Anchored(tower.key, "stands in", town.key, 2)
        second = AnchorGraph((grown, maker, town), (*first.relations, *more))
        chain = ChainStep("Who built it?", (), (Bridge("e1", "Maker", 0.1),), (("c1", 1 / 3), ("c2", 0.2)))
        usage = Usage(calls=2, cached=1, input_tokens=321, output_tokens=45, cost=0.1 + 0.2, seconds=1.5)
        shared: dict[str, Any] = {"question": question, "judgement": "insufficient"}
        return (
            AnchorStep(
                number=1,
                query=question,
                retriever="evidence",
                hits=self.hits("c2", "c1"),
                graph=first,
                thought=f"not yet{mark}",
                next_query="Where was 建築家 born?",
                notes=("One note.", "\u2028?"),
                usage=usage,
                chain=(chain,),
                **shared,
            ),
            AnchorStep(
                number=2,
                query="Where was 建築家 born?",
                retriever="evidence",
                hits=self.hits("c4", "c3", "c1"),
                graph=second,
                thought=f"nearly{mark}",
                next_query=f"Which valley{mark}?",
                **shared,
            ),
            AnchorStep(3, question, f"Which valley{mark}?", "dense", self.hits("c5"), second, "", "sufficient"),
        )

    def hits(self, *chunks: str) -> tuple[Hit, ...]:
        return tuple(Hit(rank, 1 / (rank + 2), self.chunks[chunk]) for rank, chunk in enumerate(chunks, start=1))

    def run(self, query: str, **parameters: Any) -> Rows:
        """A query past the code under test."""
        with self._driver.session() as session:
            return session.run(query, corpus=self.corpus, **parameters).data()

    def state(self, session: str) -> Rows:
        """All that a session is in Neo4j, but for who owns it."""
        return self.run(
            "MATCH (:Session {corpus: $corpus, id: $session})-[:HAS_STEP|ADDED*0..2]->(n) WITH DISTINCT n "
            "OPTIONAL MATCH (n)-[r]->(m) "
            "RETURN labels(n) AS n, n {.*, owner: null} AS properties, type(r) AS type, properties(r) AS r, m.id AS m "
            "ORDER BY n, properties.id, type, m, r.step, r.position, r.rank",
            session=session,
        )

    def count(self) -> dict[str, int]:
        """How many nodes there are of each label of sessions."""
        rows = self.run(
            "UNWIND ['Session', 'Step', 'Anchor'] AS label "
            "RETURN label, COUNT { MATCH (n {corpus: $corpus}) WHERE label IN labels(n) } AS n"
        )
        return {row["label"]: row["n"] for row in rows}


@pytest.fixture
def make_world(graph: Graph, driver: neo4j.Driver, corpus_name: str) -> Callable[[str], World]:
    """Makes corpora whose names begin alike."""
    return lambda suffix: World(graph, driver, corpus_name + suffix)


@pytest.fixture
def world(make_world: Callable[[str], World]) -> World:
    return make_world("")
