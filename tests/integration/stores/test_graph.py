"""The graph port on a real server: outages, denied access, deadlocks, time limits."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tetragraph import errors, queries
from tetragraph.settings import Settings
from tetragraph.stores.graph import Graph

QUERIES = {
    "upsert_pair": """// upsert_pair — two nodes, one after the other
// Params  $corpus: STRING, $first: STRING, $second: STRING
// Returns none
// Access  write
MERGE (a:Chunk {corpus: $corpus, id: $first}) SET a.position = coalesce(a.position, 0) + 1
MERGE (b:Chunk {corpus: $corpus, id: $second}) SET b.position = coalesce(b.position, 0) + 1
""",
    "count_slowly": """// count_slowly — takes minutes
// Params  none
// Returns n: INTEGER
// Access  read
UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(a + b) AS n
""",
}


@pytest.fixture
def own_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Adds the query files above, beside those of the project."""
    for name, text in QUERIES.items():
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / f"{name}.cypher").write_text(text, encoding="utf-8")
    for folder in queries.root().iterdir():
        (tmp_path / folder.name).symlink_to(str(folder))
    monkeypatch.setattr(queries, "root", lambda *_: tmp_path)
    queries.get.cache_clear()
    yield
    queries.get.cache_clear()


def connected(server: Settings, port: int | None = None, *, retry_s: float = 5.0, timeout_s: float = 600.0) -> Graph:
    uri = f"bolt://127.0.0.1:{port}" if port else str(server.neo4j_uri)
    return Graph.connect(
        uri, server.neo4j_user, server.neo4j_password.get_secret_value(), retry_s=retry_s, timeout_s=timeout_s
    )


def test_a_server_that_goes_away_is_one_clear_error_and_the_client_works_again(
    graph: Graph, neo4j_server: Settings, proxy: Any
) -> None:
    client = connected(neo4j_server, proxy.port, retry_s=1.0)
    assert client.server() == graph.server()
    proxy.cut()
    with pytest.raises(errors.StoreUnavailable, match=r"Neo4j does not answer.*server/get_server"):
        client.read("server/get_server")
    proxy.restore()
    assert client.server() == graph.server()
    client.close()


def test_a_read_that_loses_its_connection_is_repeated(graph: Graph, neo4j_server: Settings, proxy: Any) -> None:
    client = connected(neo4j_server, proxy.port)
    proxy.hold()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.server)
        time.sleep(0.2)
        proxy.cut()
        proxy.release()
        proxy.restore()
        assert answer.result(timeout=30) == graph.server()
    client.close()


def test_a_wrong_password_is_denied_with_what_to_set(neo4j_server: Settings) -> None:
    with pytest.raises(errors.StoreDenied, match="NEO4J_PASSWORD"):
        Graph.connect(str(neo4j_server.neo4j_uri), "neo4j", "not-the-password")


def test_nothing_listening_is_unavailable_and_names_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(errors.StoreUnavailable, match=f"does not answer at bolt://127.0.0.1:{port}"):
        Graph.connect(f"bolt://127.0.0.1:{port}", "neo4j", "x")


def test_a_database_that_is_not_there_is_named(neo4j_server: Settings) -> None:
    password = neo4j_server.neo4j_password.get_secret_value()
    with pytest.raises(errors.StoreUnavailable, match=r"nosuchdatabase.*NEO4J_DATABASE"):
        Graph.connect(str(neo4j_server.neo4j_uri), "neo4j", password, "nosuchdatabase", retry_s=0.5)


@pytest.mark.usefixtures("own_queries")
def test_a_transaction_that_takes_too_long_is_ended_by_the_server(neo4j_server: Settings) -> None:
    client = connected(neo4j_server, timeout_s=0.5)
    with pytest.raises(errors.QueryFailed, match="too long"):
        client.read("own/count_slowly")
    client.close()


@pytest.mark.usefixtures("own_queries")
def test_deadlocks_between_threads_are_broken_and_repeated(graph: Graph, corpus_name: str) -> None:
    def work(turn: int) -> None:
        first, second = ("a", "b") if turn % 2 else ("b", "a")
        graph.write("own/upsert_pair", corpus=corpus_name, first=first, second=second)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(120))) == [None] * 120


def test_a_value_that_cannot_be_sent_is_refused_and_the_connection_stays_good(graph: Graph) -> None:
    for name in ("\ud800", 2**70, object(), {1: 2}):
        with pytest.raises(errors.InvalidInput, match="integers of 64 bits"):
            graph.read("corpus/get_corpus", corpus=name)
    assert graph.read("corpus/get_corpus", corpus="test-nothing") == []


def test_a_closed_connection_says_so(neo4j_server: Settings) -> None:
    client = connected(neo4j_server)
    client.close()
    for call in (client.server, lambda: client.write("corpus/get_corpus", corpus="test-nothing")):
        with pytest.raises(errors.StoreUnavailable, match=r"^the client was closed: connect again"):
            call()


def test_several_statements_happen_together_or_not_at_all(graph: Graph, corpus_name: str) -> None:
    row = {"id": "d", "properties": {"title": "T"}}
    broken = {"id": "e", "properties": {"title": {"a": "map"}}}
    with pytest.raises(errors.QueryFailed, match="ingest/upsert_documents"):
        graph.write_all(
            [("ingest/upsert_documents", {"corpus": corpus_name, "rows": rows}) for rows in ([row], [broken])]
        )
    assert graph.read("ingest/find_documents_by_id", corpus=corpus_name, ids=["d"]) == []


def test_a_page_of_chunks_without_documents_is_not_the_last_one(
    graph: Graph, driver: neo4j.Driver, corpus_name: str
) -> None:
    driver.execute_query(
        "UNWIND ['a', 'b', 'c', 'd'] AS id CREATE (chunk:Chunk {corpus: $corpus, id: id}) "
        "WITH chunk WHERE chunk.id IN ['c', 'd'] "
        "CREATE (:Document {corpus: $corpus, id: chunk.id})-[:HAS_CHUNK]->(chunk)",
        corpus=corpus_name,
    )
    pages = graph.pages("corpus/find_chunks", corpus=corpus_name, limit=1)
    assert [row["id"] for row in pages] == ["c", "d"]
