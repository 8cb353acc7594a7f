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
CASES: dict[str, tuple[str, dict[str, Any], list[tuple[Any, ...]]]] = {
    "analytics/find_chunks_between_themes": (
        DEEP_TREE,
        {"level": 1, "limit": 9},
        [("c4", "c4", "t2", "t1", 1.0, 0.25), ("c1", "c1", "t1", "t2", 0.25, 1.0)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_statement_counts_each_thing_once(graph: Graph, driver: neo4j.Driver, corpus_name: str, name: str) -> None:
    world, parameters, rows = CASES[name]
    driver.execute_query(world, corpus=corpus_name)
    assert [tuple(row.values()) for row in graph.read(name, corpus=corpus_name, **parameters)] == rows
