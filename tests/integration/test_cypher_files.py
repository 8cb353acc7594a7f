"""Rules for query files that need a server: they compile, return the declared columns, and have good plans."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import neo4j
import pytest

from tetragraph import queries
from tetragraph.stores.graph import Graph

FILES = list(queries.names())
DUMMIES = {
    "STRING": "x",
    "INTEGER": 1,
    "FLOAT": 0.5,
    "BOOLEAN": True,
    "MAP": {},
    "LIST<STRING>": ["x"],
    "LIST<INTEGER>": [1],
    "LIST<FLOAT>": [0.5],
    "LIST<MAP>": [{"id": "x"}],
    "LIST<LIST>": [["x", 0.5]],
}
FORBIDDEN = {"AllNodesScan", "CartesianProduct", "Eager", "NodeByLabelScan"}
QUERY_TYPES = {"read": {"r", "s"}, "write": {"w", "rw"}, "schema": {"s"}}
"""Procedures that look at the server count as schema for Neo4j."""
NODES = """
UNWIND range(1, 200) AS i
WITH toString(i) AS id
CREATE (corpus:Corpus {corpus: $corpus, id: id}), (state:IngestState {corpus: $corpus, id: id}),
       (pending:PendingDocument {corpus: $corpus, id: id}), (document:Document {corpus: $corpus, id: id}),
       (chunk:Chunk {corpus: $corpus, id: id}), (entity:Entity {corpus: $corpus, id: id, name: id}),
       (tree:EncodingTree {corpus: $corpus, id: id}), (community:Community {corpus: $corpus, id: id}),
       (:BipartiteGraph {corpus: $corpus, id: id}), (:Extraction {corpus: $corpus, id: id}),
       (relation:Relation {corpus: $corpus, id: id}), (alias:Alias {corpus: $corpus, id: id, name: id}),
       (session:Session {corpus: $corpus, id: id, started: id, expires: id, series: id}),
       (:ServiceKey {corpus: $corpus, id: id}), (:Job {corpus: $corpus, id: id, status: 'done'}),
       (step:Step {corpus: $corpus, id: id}), (anchor:Anchor {corpus: $corpus, id: id})
CREATE (document)-[:HAS_CHUNK]->(chunk), (chunk)-[:MENTIONS]->(entity), (chunk)-[:DESCRIBES]->(entity),
       (chunk)-[:NEXT]->(chunk), (chunk)-[:INFO_GAIN]->(chunk), (chunk)-[:AFFINITY]->(chunk),
       (tree)-[:CONTAINS]->(community), (community)-[:CONTAINS]->(chunk),
       (entity)-[:PARTICIPATES_IN]->(relation), (relation)-[:STATED_IN]->(chunk),
       (alias)-[:ALIAS_OF]->(entity), (alias)-[:KEPT_APART]->(entity),
       (session)-[:HAS_STEP]->(step), (session)-[:FORKED_FROM]->(session), (step)-[:RETRIEVED]->(chunk),
       (step)-[:FOUND]->(relation),
       (step)-[:ADDED]->(anchor), (anchor)-[:ANCHORED]->(anchor), (anchor)-[:REFERS_TO]->(entity),
       (anchor)-[:SEEN_IN]->(chunk)
"""
PROPERTIES = """
id corpus name created embedder dimension settings schema_version generation published metadata_keys graphs title source
sha256 text position start end tokens type description confidence df count gain level judge candidate version applied
added removed vectors holder heartbeat asked height structural_entropy one_dimensional_entropy built_ratio changed
unfinished size volume cut entropy semantic logical distance weight extractor facts relations entities merges role
reason score document question status stopped retriever reasoner options k filters started expires answer owner
series locked number query thought judgement next_query next_retriever notes usage chain retrieved rank key attributes
step phrase summary origin contents page chunks reward scopes patterns used revoked
restoring vector_set next_set next_embedder rebuild kind location mean_terms near near_copies section similarity_scale
small terms titles left_out furniture language request digest caller ended sequence attempts progress result problem
cancel receiver spool meta_valid_from meta_valid_to meta_supersedes named_by_file kept_until stem_languages
""".split()  # noqa: SIM905  # a list of words reads better than a wall of quotes


@pytest.fixture(scope="module")
def sample(graph: Graph, driver: neo4j.Driver) -> Iterator[neo4j.Session]:
    """A session on a database that knows all labels, types and properties, with nodes enough for real plans."""
    corpus = f"test-{uuid.uuid4().hex[:12]}"
    with driver.session() as session:
        session.run(NODES, corpus=corpus).consume()
        for name in PROPERTIES:
            session.run("CALL db.createProperty($name)", name=name).consume()
        session.run("CALL db.resampleOutdatedIndexes()").consume()
        session.run("CALL db.clearQueryCaches()").consume()  # plans of other tests were made for other numbers
        yield session
        session.run("MATCH (n {corpus: $corpus}) DETACH DELETE n", corpus=corpus).consume()


def operators(plan: Mapping[str, Any]) -> set[str]:
    found = {plan["operatorType"].split("@")[0].split("(")[0]}
    return found.union(*(operators(child) for child in plan.get("children", [])))


@pytest.mark.parametrize("name", FILES)
def test_the_file_compiles_returns_what_it_declares_and_plans_well(sample: neo4j.Session, name: str) -> None:
    query = queries.get(name)
    values = {parameter: DUMMIES[declared] for parameter, declared in query.parameters.items()}
    result = sample.run(f"EXPLAIN {query.text}", values)
    keys = list(result.keys())
    summary = result.consume()
    assert keys == list(query.returns)
    assert summary.query_type in QUERY_TYPES[query.access]
    complaints = [status.status_description for status in summary.gql_status_objects if status.is_notification]
    assert complaints == []
    if summary.plan is None:
        assert query.plan == ()
        return
    planned = operators(summary.plan)
    assert {operator.split("(")[0] for operator in query.plan} <= planned
    assert FORBIDDEN & planned <= set(query.allows)
    if "after" in query.parameters:
        assert "Limit" in planned, "a page is to be read in the order of the index, not sorted out of all behind it"
