"""Faults between the stores, to be planted into a corpus that has all graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import neo4j
import numpy as np

from tetragraph import Tetragraph
from tetragraph.doctor import Finding
from tetragraph.stores.vectors import KINDS, Kind, Point

Found = set[tuple[str, str]]
"""Kind and part of each fault."""


PROJECT = "RETURN gds.graph.project($name, 0, 1)"
"""Statement that projects a graph of two nodes."""


@dataclass(frozen=True)
class Patient:
    """A corpus with all graphs, and what is needed to harm it."""

    client: Tetragraph
    driver: neo4j.Driver
    corpus: str

    def run(self, *statements: str, **values: Any) -> None:
        for statement in statements:
            self.driver.execute_query(statement, corpus=self.corpus, **values)

    def ids(self, kind: Kind) -> list[str]:
        return sorted(self.client.connection.vectors.hashes(self.corpus, kind))

    def lose(self, kind: Kind, count: int = 2) -> None:
        self.client.connection.vectors.delete(self.corpus, kind, self.ids(kind)[:count])

    def replace(self, kind: Kind, *, node: str = "", sha256: str = "0" * 64, vector: bool = False) -> None:
        """Put a point in the place of another, or where none belongs: with the vector of a third, or the right one."""
        node = node or self.ids(kind)[0]
        source = self.ids(kind)[-1] if vector else node
        store = self.client.connection.vectors
        found = store.get(self.corpus, kind, [source])[source]
        (present,) = store.fetch(self.corpus, kind, [node])
        sentences = None if present.sentences is None else np.tile(found, (len(present.sentences), 1))
        store.upsert(self.corpus, kind, [replace(present, vector=found, sha256=sha256, sentences=sentences)])

    def hash_of(self, kind: Kind) -> str:
        return self.client.connection.vectors.hashes(self.corpus, kind)[self.ids(kind)[0]]

    def look(self) -> Found:
        return told(self.client.doctor(corpus=self.corpus).faults)


def told(findings: tuple[Finding, ...]) -> Found:
    return {(finding.kind, finding.part) for finding in findings}


def lose_points(patient: Patient) -> Found:
    for kind in ("entities", "relations", "communities"):
        patient.lose(kind)
    chunk = patient.ids("chunks")[0]
    store = patient.client.connection.vectors
    store.upsert(
        patient.corpus, "chunks", [Point(chunk, store.get(patient.corpus, "chunks", [chunk])[chunk], "0" * 64)]
    )
    return {("missing vectors", kind) for kind in KINDS} | {("stale vectors", "chunks")}


def lose_collections(patient: Patient) -> Found:
    for kind in KINDS:
        patient.client.connection.vectors.drop(patient.corpus, kind)
    return {("missing vectors", kind) for kind in KINDS}


def take_other_texts(patient: Patient) -> Found:
    for kind in ("entities", "relations", "communities"):
        patient.replace(kind, vector=True)
    return {("stale vectors", kind) for kind in ("entities", "relations", "communities")}


def take_the_vector_of_another_chunk(patient: Patient) -> Found:
    patient.replace("chunks", sha256=patient.hash_of("chunks"), vector=True)
    return {("other vectors", "chunks"), ("stale vectors", "communities")}


def change_metadata(patient: Patient) -> Found:
    store, ids = patient.client.connection.vectors, patient.ids("chunks")
    changed, bare = store.fetch(patient.corpus, "chunks", ids[:2])
    points = [replace(changed, payload={**changed.payload, "year": 1234}), replace(bare, payload={})]
    store.upsert(patient.corpus, "chunks", points)
    return {("other metadata", "chunks")}


def change_hashes(patient: Patient) -> Found:
    patient.run("MATCH (c:Chunk {corpus: $corpus}) WITH c LIMIT 3 SET c.sha256 = 'of another text'")
    return {("wrong hashes", "")}


def leave_an_ended_holder(patient: Patient) -> Found:
    patient.run(
        "MATCH (s:IngestState {corpus: $corpus}) SET s.holder = 'elsewhere pid 1 ab', s.heartbeat = timestamp() - 90000"
    )
    return {("dead lease", "")}


def leave_a_generation_unpublished(patient: Patient) -> Found:
    patient.run(
        "MATCH (c:Corpus {corpus: $corpus}) SET c.generation = c.generation + 1",
        "MATCH (t:EncodingTree {corpus: $corpus}) SET t.unfinished = true",
        "MATCH (g:BipartiteGraph {corpus: $corpus}) SET g.unfinished = true",
        "MATCH (:Chunk {corpus: $corpus})-[m:MENTIONS]->() WITH m LIMIT 5 DELETE m",
    )
    patient.lose("chunks")
    return {("interrupted change", "")}


def lose_the_schema(patient: Patient) -> Found:
    newest = "MATCH (m:SchemaMigration) WITH m ORDER BY m.version DESC LIMIT 1 DELETE m"
    patient.run("DROP INDEX entity_name", newest)
    return {("schema", "")}


def leave_projections(patient: Patient) -> Found:
    key = patient.client.connection.stores(patient.corpus).record.key
    for name in (f"{key}-gain-000000000000-0123abcd", f"{key}-evidence-000000000000-0123abcd"):
        patient.run(PROJECT, name=name)
    return {("stale projections", "")}


def add_points_of_nothing(patient: Patient) -> Found:
    for kind in KINDS:
        patient.client.connection.vectors.upsert(
            patient.corpus, kind, [Point("ghost", np.eye(384, dtype=np.float32)[0], "0" * 64)]
        )
    return {("orphaned vectors", kind) for kind in KINDS}


def make_collections_of_another_size(patient: Patient) -> Found:
    for kind in ("chunks", "entities"):
        patient.client.connection.vectors.drop(patient.corpus, kind)
        patient.client.connection.vectors.ensure(patient.corpus, kind, 8)
    return {("wrong layout", "chunks"), ("wrong layout", "entities")}


def add_nodes_of_nothing(patient: Patient) -> Found:
    labels = ("Chunk", "Entity", "Relation", "Community", "Step", "Anchor", "Alias")
    patient.run(
        *(f"CREATE (:{label} {{corpus: $corpus, id: 'ghost', name: 'Ghost', level: 1, size: 0}})" for label in labels)
    )
    parts = ("chunks", "entities", "relations", "communities", "steps", "anchors", "aliases")
    return {("orphaned nodes", part) for part in parts}


def miscount(patient: Patient) -> Found:
    patient.run(
        "MATCH (e:Entity {corpus: $corpus}) WHERE e.df > 0 WITH e ORDER BY e.id LIMIT 2 SET e.df = 99",
        "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.id LIMIT 1 SET c.size = 99",
        "MATCH (r:Relation {corpus: $corpus}) WITH r ORDER BY r.id LIMIT 1 SET r.weight = 99",
        "MATCH (c:Chunk {corpus: $corpus})-[g:INFO_GAIN]->() WITH c, collect(g) AS gains LIMIT 1 "
        "UNWIND gains AS gain DELETE gain",
    )
    return {("incomplete graph", graph) for graph in ("entities", "tree", "bipartite", "gain")}


def lose_nodes_of_facts(patient: Patient) -> Found:
    patient.run(
        "MATCH (e:Entity {corpus: $corpus})-[:PARTICIPATES_IN]->() "
        "WITH DISTINCT e ORDER BY e.id LIMIT 3 DETACH DELETE e",
        "MATCH (r:Relation {corpus: $corpus}) WITH r ORDER BY r.id DESC LIMIT 3 DETACH DELETE r",
    )
    return {("incomplete graph", "bipartite"), ("orphaned nodes", "entities")}


def lose_single_edges(patient: Patient) -> Found:
    for kind in ("INFO_GAIN", "AFFINITY"):
        patient.run(
            f"MATCH (a {{corpus: $corpus}})-[edge:{kind}]->(b) WHERE COUNT {{ (a)-[:{kind}]-() }} > 1 "
            "WITH a, b, edge ORDER BY a.id, b.id LIMIT 1 DELETE edge"
        )
    return {("incomplete graph", graph) for graph in ("gain", "tree")}


def change_weights(patient: Patient) -> Found:
    patient.run(
        "MATCH (:Chunk {corpus: $corpus})-[e:INFO_GAIN]->() WITH e LIMIT 1 SET e.gain = e.gain + 0.125",
        "MATCH (:Chunk {corpus: $corpus})-[e:AFFINITY]->() WITH e LIMIT 1 SET e.weight = e.weight * 1.5",
        "MATCH (:Entity {corpus: $corpus})-[e:PARTICIPATES_IN]->() WITH e LIMIT 1 SET e.confidence = 0.0625",
    )
    return {("incomplete graph", graph) for graph in ("gain", "tree", "bipartite")}


def lose_roots_and_places(patient: Patient) -> Found:
    patient.run(
        "MATCH (t:EncodingTree {corpus: $corpus}) DETACH DELETE t",
        "MATCH (g:BipartiteGraph {corpus: $corpus}) DETACH DELETE g",
        "MATCH (:Community {corpus: $corpus})-[place:CONTAINS]->(:Chunk) WITH place LIMIT 1 DELETE place",
    )
    return {("incomplete graph", "tree"), ("incomplete graph", "bipartite")}


def leave_sessions_and_notes(patient: Patient) -> Found:
    patient.run(
        "CREATE (:Session {corpus: $corpus, id: 'old', expires: '2001-01-01T00:00:00Z'})"
        "-[:HAS_STEP]->(:Step {corpus: $corpus, id: 'old-1'})",
        "CREATE (:PendingDocument {corpus: $corpus, id: 'old', generation: 0, added: [], removed: [], vectors: true})",
    )
    return {("expired sessions", ""), ("finished notes", "")}


Plant = Callable[[Patient], Found]
KEEPING: list[tuple[Plant, ...]] = [
    (lose_points, leave_projections),
    (lose_collections,),
    (take_other_texts, change_hashes, leave_an_ended_holder),
    (take_the_vector_of_another_chunk,),
    (change_metadata,),
    (leave_a_generation_unpublished,),
    (lose_the_schema,),
]
DELETING: list[tuple[Plant, ...]] = [
    (add_points_of_nothing, leave_sessions_and_notes),
    (make_collections_of_another_size,),
    (add_nodes_of_nothing,),
    (miscount,),
    (lose_roots_and_places,),
    (lose_nodes_of_facts,),
    (lose_single_edges,),
    (change_weights,),
]


def names(plants: tuple[Plant, ...]) -> str:
    return "+".join(plant.__name__ for plant in plants)
