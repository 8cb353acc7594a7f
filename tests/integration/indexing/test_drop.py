"""Nothing of a dropped corpus is left or comes back, whatever runs beside the drop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import neo4j
import pytest

from tetragraph import Document, Tetragraph, queries
from tetragraph.doctor.findings import Finding
from tetragraph.errors import CorpusBusy, UnknownCorpus
from tetragraph.indexing import operations
from tetragraph.indexing.drop_contents import delete_vectors
from tetragraph.indexing.lease import Lease
from tetragraph.model.anchors import SessionRecord
from tetragraph.settings import Settings
from tetragraph.stores.graph import Graph
from tetragraph.stores.vector_sets import corpus_of
from tetragraph.stores.vectors import VectorStore
from tetragraph.systems.anchor_graph.session_store import SessionStore

PATIENCE_S = 60
TEXT = "Oslo is the capital of Norway."
MADE_WITH = {"embedder": "none", "dimension": 3, "settings": "{}", "schema_version": 1}

LEFT = {
    "session": "CREATE (:Session {corpus: $corpus, id: 's', question: 'Who?'})",
    "job": "CREATE (:Job {corpus: $corpus, id: 'j', status: 'done', ended: 0})",
    "queued": "CREATE (:Job {corpus: $corpus, id: 'j', status: 'queued', created: 0})",
    "ended": "CREATE (:Job {corpus: $corpus, id: 'j', status: 'done', ended: timestamp()})",
}


def begin_session(graph: Graph, corpus: str) -> SessionRecord:
    return SessionStore(graph, corpus).create(
        "Where is Oslo?",
        retriever="evidence",
        reasoner="token_free",
        options={},
        k=3,
        filters={},
        ttl=None,
        now=datetime(2026, 3, 1, 12, tzinfo=UTC),
    )


def hold_lease(graph: Graph, corpus: str) -> None:
    with Lease(graph, corpus) as lease:
        lease.hold()


def labels(driver: neo4j.Driver, corpus: str) -> list[list[str]]:
    rows = driver.execute_query("MATCH (n {corpus: $corpus}) RETURN labels(n) AS labels", corpus=corpus).records
    return [row["labels"] for row in rows]


def test_a_session_that_begins_while_its_corpus_is_dropped_is_dropped_too(
    server_settings: Settings, driver: neo4j.Driver, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tetragraph.connect(server_settings) as client, Tetragraph.connect(server_settings) as user:
        client.corpus(corpus_name).ingest([Document("oslo", "Oslo", TEXT)])

        def delete_and_ask(vectors: VectorStore, corpus: str) -> None:
            delete_vectors(vectors, corpus)
            session = begin_session(user.connection.graph, corpus)
            assert SessionStore(user.connection.graph, corpus).get(session.id).status == "running"

        monkeypatch.setattr(operations, "delete_vectors", delete_and_ask)
        client.corpus(corpus_name).drop()
    assert labels(driver, corpus_name) == []


@pytest.mark.parametrize(
    ("write", "error"), [(begin_session, UnknownCorpus), (hold_lease, CorpusBusy)], ids=["session", "lease"]
)
def test_what_waits_for_the_last_step_of_a_drop_finds_no_corpus(
    graph: Graph,
    driver: neo4j.Driver,
    corpus_name: str,
    write: Callable[[Graph, str], object],
    error: type[Exception],
) -> None:
    graph.write("corpus/upsert_corpus", corpus=corpus_name, **MADE_WITH)
    raised: list[type[Exception]] = []

    def work() -> None:
        try:
            write(graph, corpus_name)
        except error as found:
            raised.append(type(found))

    with driver.session() as session, session.begin_transaction() as dropping:
        dropping.run(queries.get("corpus/delete_corpus").text, corpus=corpus_name).consume()
        thread = threading.Thread(target=work)
        thread.start()
        wait_until_blocked(driver)
        dropping.commit()
    thread.join(PATIENCE_S)
    assert raised == [error]
    assert labels(driver, corpus_name) == []


@pytest.mark.parametrize("left", ["all", "session", "job"])
def test_what_is_left_without_a_node_of_the_corpus_is_found_and_can_be_deleted(
    server_settings: Settings, driver: neo4j.Driver, corpus_name: str, left: str
) -> None:
    with Tetragraph.connect(server_settings) as client:
        if left == "all":
            client.corpus(corpus_name).ingest([Document("oslo", "Oslo", TEXT)])
            begin_session(client.connection.graph, corpus_name)
            driver.execute_query("MATCH (c:Corpus {corpus: $corpus}) DETACH DELETE c", corpus=corpus_name)
        else:
            driver.execute_query(LEFT[left], corpus=corpus_name)
        (found,) = remains(client, corpus_name)
        assert (found.kind, found.state) == ("half dropped", "not here")
        assert f"`tetragraph delete {corpus_name}`" in found.detail
        client.corpus(corpus_name).drop()
        assert labels(driver, corpus_name) == []
        assert not [name for name, _ in client.connection.vectors.collections() if corpus_of(name) == corpus_name]
        assert remains(client, corpus_name) == []
        with pytest.raises(UnknownCorpus):
            client.corpus(corpus_name).drop()


@pytest.mark.parametrize("left", ["queued", "ended"])
def test_a_job_that_will_make_its_corpus_or_ended_lately_is_no_fault(
    server_settings: Settings, driver: neo4j.Driver, corpus_name: str, left: str
) -> None:
    driver.execute_query(LEFT[left], corpus=corpus_name)
    with Tetragraph.connect(server_settings) as client:
        assert remains(client, corpus_name) == []
        with pytest.raises(UnknownCorpus):
            client.corpus(corpus_name).drop()
    assert labels(driver, corpus_name) == [["Job"]]


def remains(client: Tetragraph, corpus: str) -> list[Finding]:
    return [finding for finding in client.doctor().faults if finding.name == f"corpus {corpus}"]


def wait_until_blocked(driver: neo4j.Driver) -> None:
    """Wait until a transaction waits for a lock of another one."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = driver.execute_query("SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status")
        if found.records:
            return
        time.sleep(0.05)
    pytest.fail("no transaction waits")
