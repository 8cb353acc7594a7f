"""A small corpus with results for every statement for analysts.

It has two documents that repeat each other, a copy, a death before a birth, contradictory numbers and roles, two themes
with a border, names merged across types, and four sessions. Tests also write a copy of it under another name.
"""

from __future__ import annotations

from typing import Any

import neo4j

DOCUMENTS = {"d1": ("c1", "c2"), "d2": ("c3", "c4"), "d3": ("c5",), "d4": ("c6",), "d5": ("c7",)}
YEARS = {"d1": 1900, "d2": 1900, "d3": 1901, "d5": 1901}
TEXTS = {
    "c1": "The harbour of Halvik has 400 people and a lighthouse.",
    "c2": "The harbour of Halvik has 500 people.",
    "c3": "Kron was born by the harbour.",
    "c4": "Reyer was born in March.",
    "c5": "Kron taught Reyer, was born, died.",
    "c6": "Tide sleeps.",
    "c7": "Tide sleeps.",
}
ENTITIES = {
    "e1": ("Harbour", "PLACE"),
    "e2": ("Kron", "PERSON"),
    "e3": ("Reyer", "PERSON"),
    "e4": ("Tide", ""),
    "e5": ("400 people", ""),
    "e6": ("1874", "DATE"),
    "e7": ("12 May 1856", "DATE"),
    "e8": ("1 June 1850", "DATE"),
    "e9": ("500 people", ""),
    "f1": ("1860", "DATE"),
    "f2": ("3 March 1874", "DATE"),
    "f3": ("1990", "DATE"),
    "f4": ("Fjord", "PLACE"),
    "f5": ("Old Port", "PLACE"),
}
MENTIONS = [
    ("c1", "e1", 1),
    ("c1", "f4", 1),
    ("c1", "f5", 1),
    ("c2", "e1", 1),
    ("c2", "e4", 1),
    ("c3", "e1", 1),
    ("c3", "e2", 1),
    ("c4", "e3", 1),
    ("c5", "e2", 2),
    ("c5", "e3", 1),
    ("c5", "f4", 1),
    ("c5", "f5", 1),
    ("c6", "e4", 1),
]
DESCRIBES = [("c5", "e2")]
RELATIONS = {
    "r1": ("born", 0.9, 2),
    "r2": ("born", 0.8, 1),
    "r3": ("died", 0.9, 1),
    "r4": ("born", 0.8, 1),
    "r5": ("has", 0.7, 1),
    "r6": ("has", 0.6, 1),
    "r7": ("teaches", 0.9, 1),
    "r8": ("teaches", 0.9, 1),
    "r9": ("sleeps", 0.5, 1),
    "s1": ("born", 0.8, 1),
    "s2": ("died", 0.9, 1),
    "s3": ("has", 0.9, 1),
}
PARTICIPANTS = [
    ("e2", "r1", "subject"),
    ("e7", "r1", "time"),
    ("e2", "r2", "subject"),
    ("f1", "r2", "time"),
    ("e2", "r3", "subject"),
    ("e8", "r3", "time"),
    ("e3", "r4", "subject"),
    ("e6", "r4", "time"),
    ("e1", "r5", "subject"),
    ("e4", "r5", "topic"),
    ("e5", "r5", "object"),
    ("e1", "r6", "subject"),
    ("e4", "r6", "topic"),
    ("e9", "r6", "object"),
    ("e2", "r7", "subject"),
    ("e3", "r7", "object"),
    ("e3", "r8", "subject"),
    ("e2", "r8", "object"),
    ("e2", "r9", "subject"),
    ("e4", "r9", "topic"),
    ("e3", "s1", "subject"),
    ("f2", "s1", "time"),
    ("e3", "s2", "subject"),
    ("f3", "s2", "time"),
    ("e2", "s3", "subject"),
    ("e1", "s3", "place"),
    ("e5", "s3", "object"),
]
STATEMENTS = [
    ("r1", "c3", 0, 29),
    ("r1", "c5", 0, 10),
    ("r2", "c4", 0, 24),
    ("r3", "c5", 5, 24),
    ("r4", "c4", 0, 24),
    ("r5", "c1", 4, 36),
    ("r6", "c2", 0, 37),
    ("r7", "c5", 8, 15),
    ("r8", "c4", 0, 24),
    ("r9", "c6", 0, 12),
    ("s1", "c4", 0, 24),
    ("s2", "c4", 0, 24),
    ("s3", "c3", 0, 29),
]
ALIASES = [
    ("a1", "H. Kron", "PERSON", "e2", "short form", 0.85, "d3", 2),
    ("a2", "Kronn", "PERSON", "e2", "spelling", 0.95, "", 1),
    ("a3", "Reyer Hall", "PLACE", "e3", "qualifier", 0.9, "", 2),
    ("a4", "Cron", "PERSON", "e2", "spelling", 0.97, "", 2),
]
GAINS = [
    ("c1", "c3", 0.02, "redundant"),
    ("c3", "c1", 0.04, "redundant"),
    ("c2", "c4", 0.01, "redundant"),
    ("c4", "c2", 0.03, "redundant"),
    ("c2", "c1", 0.05, "redundant"),
    ("c4", "c1", 0.06, "redundant"),
    ("c5", "c6", 0.7, "significant"),
    ("c1", "c6", 0.9, "novel"),
    ("c6", "c5", 0.2, "redundant"),
]
AFFINITIES = [
    ("c1", "c2", 0.95, 0.5),
    ("c2", "c3", 0.3, 0.25),
    ("c3", "c4", 0.2, 1.0),
    ("c4", "c5", 0.3, 0.25),
    ("c5", "c6", 0.92, 0.5),
]
THEMES = {"t1": ("c1", "c2", "c3"), "t2": ("c4", "c5", "c6")}
SESSIONS = [
    ("s1", "Who built it?", "sufficient", "2026-01-01T10:00:00Z"),
    ("s2", "Who taught?", "steps", "2026-01-02T10:00:00Z"),
    ("s3", "When?", "sufficient", "2026-01-02T11:00:00Z"),
    ("s4", "Who taught?", "sufficient", "2026-01-02T12:00:00Z"),
]
STEPS = [("p1", "s1", 1), ("p2", "s1", 2), ("p3", "s2", 1), ("p4", "s3", 1), ("p5", "s4", 1)]
RETRIEVED = [
    ("p1", "c1", 1),
    ("p1", "c2", 2),
    ("p2", "c5", 1),
    ("p3", "c1", 1),
    ("p3", "c2", 2),
    ("p3", "c6", 3),
    ("p4", "c2", 1),
    ("p5", "c1", 1),
]
ANCHORS = [("k1", "p1", "e1", "c1"), ("k2", "p2", "e2", "c5"), ("k3", "p3", "e1", "c1"), ("k4", "p5", "e1", "c1")]

WRITES: list[tuple[str, list[Any]]] = [
    (
        "CREATE (d:Document {corpus: $corpus, id: row[0], title: 'Document ' + row[0], meta_year: row[2]}) WITH d, row "
        "UNWIND row[1] AS chunk CREATE (d)-[:HAS_CHUNK]->(:Chunk {corpus: $corpus, id: chunk[0], text: chunk[1], "
        "sha256: chunk[1], title: 'Chunk ' + chunk[0], tokens: size(chunk[1])})",
        [[key, [[one, TEXTS[one]] for one in chunks], YEARS.get(key)] for key, chunks in DOCUMENTS.items()],
    ),
    (
        "CREATE (:Entity {corpus: $corpus, id: row[0], name: row[1], type: row[2]})",
        [[key, *value] for key, value in ENTITIES.items()],
    ),
    (
        "CREATE (:Relation {corpus: $corpus, id: row[0], description: 'fact ' + row[0], type: row[1], "
        "confidence: row[2], weight: row[3]})",
        [[key, *value] for key, value in RELATIONS.items()],
    ),
    (
        "MATCH (c:Chunk {corpus: $corpus, id: row[0]}), (e:Entity {corpus: $corpus, id: row[1]}) "
        "CREATE (c)-[:MENTIONS {count: row[2]}]->(e)",
        MENTIONS,
    ),
    (
        "MATCH (c:Chunk {corpus: $corpus, id: row[0]}), (e:Entity {corpus: $corpus, id: row[1]}) "
        "CREATE (c)-[:DESCRIBES]->(e)",
        DESCRIBES,
    ),
    (
        "MATCH (e:Entity {corpus: $corpus, id: row[0]}), (r:Relation {corpus: $corpus, id: row[1]}) "
        "CREATE (e)-[:PARTICIPATES_IN {role: row[2], confidence: 0.9}]->(r)",
        PARTICIPANTS,
    ),
    (
        "MATCH (r:Relation {corpus: $corpus, id: row[0]}), (c:Chunk {corpus: $corpus, id: row[1]}) "
        "CREATE (r)-[:STATED_IN {start: row[2], end: row[3]}]->(c)",
        STATEMENTS,
    ),
    (
        "MATCH (e:Entity {corpus: $corpus, id: row[3]}) CREATE (:Alias {corpus: $corpus, id: row[0], name: row[1], "
        "type: row[2]})-[:ALIAS_OF {reason: row[4], score: row[5], document: row[6], generation: row[7]}]->(e)",
        ALIASES,
    ),
    (
        "MATCH (a:Chunk {corpus: $corpus, id: row[0]}), (b:Chunk {corpus: $corpus, id: row[1]}) "
        "CREATE (a)-[:INFO_GAIN {gain: row[2], level: row[3]}]->(b)",
        GAINS,
    ),
    (
        "MATCH (a:Chunk {corpus: $corpus, id: row[0]}), (b:Chunk {corpus: $corpus, id: row[1]}) "
        "CREATE (a)-[:AFFINITY {semantic: row[2], weight: row[3]}]->(b)",
        AFFINITIES,
    ),
    (
        "CREATE (:EncodingTree {corpus: $corpus, id: $corpus, structural_entropy: 1.2, one_dimensional_entropy: 2.0, "
        "built_ratio: 0.5, changed: 0.25})",
        [0],
    ),
    (
        "MATCH (t:EncodingTree {corpus: $corpus}) CREATE (t)-[:CONTAINS]->(c:Community {corpus: $corpus, id: row[0], "
        "name: 'theme ' + row[0], level: 1, size: 3, volume: 2.5, cut: 1.0}) WITH c, row "
        "MATCH (chunk:Chunk {corpus: $corpus}) WHERE chunk.id IN row[1] CREATE (c)-[:CONTAINS]->(chunk)",
        [[key, list(chunks)] for key, chunks in THEMES.items()],
    ),
    (
        "CREATE (:Session {corpus: $corpus, id: row[0], question: row[1], stopped: row[2], started: row[3], "
        "status: 'ended'})",
        SESSIONS,
    ),
    (
        "MATCH (s:Session {corpus: $corpus, id: row[1]}) CREATE (s)-[:HAS_STEP]->(:Step {corpus: $corpus, "
        "id: row[0], number: row[2], question: s.question, thought: 'thought ' + row[0]})",
        STEPS,
    ),
    (
        "MATCH (p:Step {corpus: $corpus, id: row[0]}), (c:Chunk {corpus: $corpus, id: row[1]}) "
        "CREATE (p)-[:RETRIEVED {rank: row[2]}]->(c)",
        RETRIEVED,
    ),
    (
        "MATCH (p:Step {corpus: $corpus, id: row[1]}), (e:Entity {corpus: $corpus, id: row[2]}), "
        "(c:Chunk {corpus: $corpus, id: row[3]}) CREATE (p)-[:ADDED]->(a:Anchor {corpus: $corpus, id: row[0]}), "
        "(a)-[:REFERS_TO]->(e), (a)-[:SEEN_IN]->(c)",
        ANCHORS,
    ),
]


def write(driver: neo4j.Driver, corpus: str) -> None:
    """Write the corpus under a name."""
    with driver.session() as session:
        for statement, rows in WRITES:
            given = [list(row) if isinstance(row, tuple) else row for row in rows]
            session.run(f"UNWIND $rows AS row {statement}", corpus=corpus, rows=given).consume()


def remove(driver: neo4j.Driver, corpus: str) -> None:
    """Delete the corpus of a name."""
    with driver.session() as session:
        session.run("MATCH (n {corpus: $corpus}) DETACH DELETE n", corpus=corpus).consume()
