"""Statements that users write: they read one corpus, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import neo4j
import pytest

from command_line import Cli
from tetragraph import Tetragraph
from tetragraph.errors import InvalidInput, QueryFailed
from tetragraph.model import Document

COUNT = "MATCH (c:Chunk {corpus: $corpus}) RETURN count(c) AS chunks"
REFUSED = [
    "MATCH (c:Chunk {corpus: $corpus}) SET c.title = 'changed'",
    "MATCH (c:Chunk {corpus: $corpus}) DETACH DELETE c",
    "CREATE (n:Chunk {corpus: $corpus})",
    "MERGE (n:Stranger {corpus: $corpus}) RETURN n",
    "MATCH (c:Chunk {corpus: $corpus}) CALL (c) { DETACH DELETE c } IN TRANSACTIONS OF 1 ROW",
    "MATCH (c:Chunk {corpus: $corpus}) CALL (c) { RETURN c.title AS t } IN TRANSACTIONS RETURN t",
    "FOREACH (x IN [$corpus] | CREATE (:Stranger))",
    "CREATE INDEX stranger FOR (n:Stranger) ON (n.x) // $corpus\n",
    "WITH $corpus AS c LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "WITH $corpus AS c LOAD CSV FROM 'http://127.0.0.1:9/' AS line RETURN line",
    "WITH $corpus AS c CALL gds.graph.project('stranger', '*', '*') YIELD graphName RETURN graphName",
    "WITH $corpus AS c CALL gds.beta.graph.export.csv('x', {exportName: 'y'}) YIELD nodeCount RETURN nodeCount",
    "WITH $corpus AS c CALL dbms.listConfig() YIELD name, value RETURN name, value",
    "WITH $corpus AS c CALL db.createLabel('Stranger') RETURN c",
    "MATCH (c:Chunk {corpus: $corpus}) RETURN gds.graph.project('stranger', c, c)",
    "MATCH (c:Chunk {corpus: $corpus}) RETURN `gds`.`graph` . project /* */ ('stranger', c, c)",
    "MATCH (c:Chunk {corpus: $corpus}) RETURN \\u0067ds.graph.project('stranger', c, c)",
    "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery <> $corpus RETURN currentQuery",
    "SHOW SETTINGS YIELD name, value WHERE name <> $corpus RETURN name, value",
    "TERMINATE TRANSACTIONS $corpus",
    "PROFILE MATCH (c:Chunk {corpus: $corpus}) RETURN c.title",
    "/* */ explain MATCH (c:Chunk {corpus: $corpus}) RETURN c.title",
    "MATCH (c:Chunk) RETURN c.title",
    "MATCH (c:Chunk {corpus: 'another'}) RETURN c.title // $corpus",
    "MATCH (c:Chunk {corpus: '$corpus'}) RETURN c.title",
    "",
]


@pytest.fixture
def two(client: Tetragraph, corpus_name: str) -> tuple[str, str]:
    """Names of two corpora with other documents."""
    other = f"{corpus_name}-b"
    client.corpus(corpus_name).ingest([Document("a", "Halvik", "Halvik is a town.", metadata={"year": 1900})], build=())
    client.corpus(other).ingest([Document("b", "Stranger", "Nobody may read this.")], build=())
    return corpus_name, other


def everything(driver: neo4j.Driver) -> tuple[Any, ...]:
    with driver.session() as session:
        nodes = session.run("MATCH (n) RETURN labels(n) AS l, properties(n) AS p ORDER BY elementId(n)")
        found = [str(row.data()) for row in nodes]
        schema = session.run("SHOW INDEXES YIELD name RETURN collect(name) AS names").single(strict=True)["names"]
        graphs = session.run("CALL gds.graph.list() YIELD graphName RETURN collect(graphName) AS n").single(strict=True)
        return found, sorted(schema), sorted(graphs["n"])


def test_a_statement_that_does_more_than_read_is_refused_and_changes_nothing(
    client: Tetragraph, two: tuple[str, str], driver: neo4j.Driver
) -> None:
    corpus, before = client.corpus(two[0]), everything(driver)
    for statement in REFUSED:
        with pytest.raises((InvalidInput, QueryFailed)) as refused:
            corpus.cypher(statement)
        assert isinstance(refused.value, InvalidInput) or "TERMINATE" in statement or "SHOW" in statement, statement
    assert everything(driver) == before


def test_a_reading_statement_gives_rows_of_its_corpus(client: Tetragraph, two: tuple[str, str]) -> None:
    corpus = client.corpus(two[0])
    assert corpus.cypher(COUNT).rows == ({"chunks": 1},)
    found = corpus.cypher(
        "MATCH path = (d:Document {corpus: $corpus})-[:HAS_CHUNK]->(c) WHERE d.meta_year >= $least "
        "RETURN d, path, date('2026-11-22') AS day, duration('P1D') AS length, point({x: 1.0, y: 2.0}) AS place",
        {"least": 1900},
    )[0]
    assert (found["d"]["labels"], found["d"]["properties"]["title"]) == (["Document"], "Halvik")
    assert [node["labels"] for node in found["path"]["nodes"]] == [["Document"], ["Chunk"]]
    assert [one["type"] for one in found["path"]["relationships"]] == ["HAS_CHUNK"]
    assert (found["day"], found["length"], found["place"]) == ("2026-11-22", "P1D", [1.0, 2.0])
    assert corpus.cypher("WITH $corpus AS c CALL db.labels() YIELD label RETURN label").rows


def test_a_fault_is_reported_at_its_place_in_the_text_of_the_user(client: Tetragraph, two: tuple[str, str]) -> None:
    corpus = client.corpus(two[0])
    matched = "MATCH (c {corpus: $corpus})"
    for text, place, line in (
        (f"{matched} RETURNS c", "(line 1, column 29 (offset: 28))", f"{matched} RETURNS c"),
        (f"{matched}\n RETURNS c", "(line 2, column 2 (offset: 29))", " RETURNS c"),
    ):
        with pytest.raises(QueryFailed, match="Invalid input 'RETURNS'") as told:
            corpus.cypher(text)
        assert f'{place}\n"{line}"\n' in str(told.value)
        assert "EXPLAIN" not in str(told.value)


def test_rows_beyond_the_limit_are_left_out_with_a_note(client: Tetragraph, two: tuple[str, str]) -> None:
    corpus = client.corpus(two[0])
    cut = corpus.cypher("UNWIND range(1, 5) AS n RETURN n, $corpus AS corpus", limit=2)
    assert ([row["n"] for row in cut], cut.notes) == (
        [1, 2],
        ("there are more than 2 rows: raise the limit to see them",),
    )
    assert corpus.cypher("UNWIND range(1, 2) AS n RETURN n, $corpus AS corpus", limit=2).notes == ()
    with pytest.raises(QueryFailed, match="took too long"):
        corpus.cypher(
            "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b "
            "WITH a WHERE $corpus <> '' AND a * b < 0 RETURN count(a)",
            timeout_s=0.5,
        )


@pytest.mark.parametrize(
    "arguments",
    [
        {"parameters": {"corpus": "b"}},
        {"parameters": [1]},
        {"parameters": {"x": object()}},
        {"limit": 0},
        {"timeout_s": 0},
        {"timeout_s": float("nan")},
    ],
)
def test_an_argument_of_a_statement_that_breaks_its_rule_is_refused(
    client: Tetragraph, two: tuple[str, str], arguments: Mapping[str, Any]
) -> None:
    with pytest.raises(InvalidInput):
        client.corpus(two[0]).cypher(COUNT, **arguments)


def test_the_command_prints_a_table_or_writes_a_file(cli: Cli, two: tuple[str, str], tmp_path: Path) -> None:
    titles = "MATCH (c:Chunk {corpus: $corpus}) RETURN c.id AS id, c.title AS title, $n AS n"
    printed = cli("cypher", "query", titles, "-c", two[0], "-p", "n=2", "--json")
    assert [(row["title"], row["n"]) for row in json.loads(printed.stdout)] == [("Halvik", 2)]
    written = cli("cypher", "query", titles, "-c", two[0], "-p", "n==1+1", "--out", "titles.csv")
    assert written.returncode == 0
    assert (tmp_path / "titles.csv").read_text(encoding="utf-8").endswith(",Halvik,'=1+1\n")
    told = cli("cypher", "query", titles, "-c", two[0], "-p", "n==1+1", "--out", "titles.csv", "--json")
    assert json.loads(told.stdout) == {"written": "titles.csv", "rows": 1}
    nowhere = cli("cypher", "query", COUNT, "-c", two[0], "--out", "/proc/no/such.csv")
    assert (nowhere.returncode, "a place that can be written to" in nowhere.stderr) == (2, True)
    refused = cli("cypher", "query", REFUSED[0], "-c", two[0])
    assert (refused.returncode, refused.stdout) == (2, "")
