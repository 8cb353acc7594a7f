"""Statements for people count each thing once, also in graphs that join it more than once."""

from __future__ import annotations

from typing import Any

import neo4j
import pytest

from tetragraph.stores.graph import Graph

DEEP_TREE = """
UNWIND [['t1', 1], ['t2', 1], ['u1', 2], ['u2', 2], ['u3', 2]] AS theme
CREATE (:Community {corpus: $corpus, id: theme[0], level: theme[1], name: theme[0]})
WITH count(*) AS themes
UNWIND [['c1', 'u1'], ['c2', 'u1'], ['c3', 'u2'], ['c4', 'u3']] AS row
MATCH (theme:Community {corpus: $corpus, id: row[1]})
CREATE (theme)-[:CONTAINS]->(:Chunk {corpus: $corpus, id: row[0], title: row[0]})
WITH count(*) AS chunks
UNWIND [['t1', 'u1'], ['t1', 'u2'], ['t2', 'u3']] AS row
MATCH (above:Community {corpus: $corpus, id: row[0]}), (below:Community {corpus: $corpus, id: row[1]})
CREATE (above)-[:CONTAINS]->(below)
WITH count(*) AS inner
UNWIND [['c1', 'c2', 0.5], ['c1', 'c3', 0.25], ['c1', 'c4', 0.25]] AS row
MATCH (one:Chunk {corpus: $corpus, id: row[0]}), (other:Chunk {corpus: $corpus, id: row[1]})
CREATE (one)-[:AFFINITY {weight: row[2]}]->(other)
"""
FACTS = """
CREATE (first:Entity {corpus: $corpus, id: 'e1'}), (second:Entity {corpus: $corpus, id: 'e2'})
CREATE (fact:Relation {corpus: $corpus, id: 'r1'}), (other:Relation {corpus: $corpus, id: 'r2'})
CREATE (first)-[:PARTICIPATES_IN {role: 'subject'}]->(fact)<-[:PARTICIPATES_IN {role: 'subject'}]-(second)
CREATE (first)-[:PARTICIPATES_IN {role: 'subject'}]->(other)<-[:PARTICIPATES_IN {role: 'object'}]-(second)
"""
SEARCH = """
CREATE (session:Session {corpus: $corpus, id: 's1', question: 'Who?', started: '2026', status: 'ended'})
CREATE (anchor:Anchor {corpus: $corpus, id: 'a1'}), (late:Anchor {corpus: $corpus, id: 'a2'})
CREATE (session)-[:HAS_STEP]->(:Step {corpus: $corpus, id: 'p1'})-[:ADDED]->(anchor)
CREATE (session)-[:HAS_STEP]->(second:Step {corpus: $corpus, id: 'p2'})-[:ADDED]->(anchor)
CREATE (second)-[:ADDED]->(late)
"""
TAGGED = """
UNWIND [['d1', ['x', 'y', 'x']], ['d2', ['x']], ['d3', []], ['d4', 'z'], ['d5', null], ['d6', [1, 2]]] AS row
CREATE (document:Document {corpus: $corpus, id: row[0], meta_tags: row[1]})
CREATE (document)-[:HAS_CHUNK]->(:Chunk {corpus: $corpus, id: row[0] + 'a', tokens: 10})
CREATE (document)-[:HAS_CHUNK]->(:Chunk {corpus: $corpus, id: row[0] + 'b', tokens: 5})
"""
CASES: dict[str, tuple[str, dict[str, Any], list[tuple[Any, ...]]]] = {
    "analytics/find_chunks_between_themes": (
        DEEP_TREE,
        {"level": 1, "limit": 9},
        [("c4", "c4", "t2", "t1", 1.0, 0.25), ("c1", "c1", "t1", "t2", 0.25, 1.0)],
    ),
    "facts/find_roles": (FACTS, {}, [("subject", 2), ("object", 1)]),
    "browser/find_latest_sessions": (SEARCH, {"limit": 9}, [(1, "Who?", None, None, 2, 2)]),
    "analytics/find_documents_by_metadata": (
        TAGGED,
        {"key": "tags", "limit": 9},
        [("z", 1, 2, 15), ("y", 1, 2, 15), ("x", 2, 4, 30), ("2", 1, 2, 15), ("1", 1, 2, 15), ("", 2, 4, 30)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_statement_counts_each_thing_once(graph: Graph, driver: neo4j.Driver, corpus_name: str, name: str) -> None:
    world, parameters, rows = CASES[name]
    driver.execute_query(world, corpus=corpus_name)
    assert [tuple(row.values()) for row in graph.read(name, corpus=corpus_name, **parameters)] == rows
