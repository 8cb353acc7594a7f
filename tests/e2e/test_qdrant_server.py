"""A whole corpus on a Qdrant server: as on the engine in the process, through faults, and from one to the other."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from qdrant_client import QdrantClient

import qdrant_server
from command_line import Cli, run_here
from environments import user_environment
from qdrant_server import KEY, QdrantServer
from small_world import GRAPHS, KINDS, Fingerprint
from tetragraph import AsyncTetragraph, Document, Settings, Tetragraph, errors
from tetragraph.model import Filters
from tetragraph.progress import NoProgress
from tetragraph.stores.open_vectors import open_server
from tetragraph.systems.bipartite_graph.vectors import STAGES
from tetragraph.systems.registry import RETRIEVERS

ENTITIES = STAGES["entities"]
QUESTIONS = ("Who founded the Reyer Academy?", "Who was the father of the surgeon who wrote The Grey Harbour?")
FILTERS: tuple[Filters | None, ...] = (None, {"year": {"gte": 1904}, "kind": "page"})
Print = Callable[[Tetragraph, str], Fingerprint]


@pytest.fixture
def settings_with_server(server_settings: Settings, qdrant_settings: Settings) -> Settings:
    """Settings of this test with the session's Neo4j and Qdrant servers."""
    fields = ("qdrant_url", "qdrant_api_key")
    return server_settings.model_copy(update={name: getattr(qdrant_settings, name) for name in fields})


@pytest.fixture
def served(settings_with_server: Settings, corpus_name: str) -> Iterator[Tetragraph]:
    """A client on both servers; collections of the test's corpora are removed afterwards."""
    with Tetragraph.connect(settings_with_server) as client:
        yield client
    with closing(qdrant_server.driver(settings_with_server)) as admin:
        for one in admin.get_collections().collections:
            if one.name.startswith(corpus_name):
                admin.delete_collection(one.name)


@pytest.fixture
def admin(settings_with_server: Settings) -> Iterator[QdrantClient]:
    with closing(qdrant_server.driver(settings_with_server)) as client:
        yield client


def environment_of(settings: Settings, **variables: str) -> Mapping[str, str]:
    key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else ""
    given = {"QDRANT_URL": str(settings.qdrant_url), "QDRANT_API_KEY": key, "COLUMNS": "200", **variables}
    return user_environment(settings, **given)


@pytest.fixture
def cli_served(settings_with_server: Settings, tmp_path: Path) -> Cli:
    """Runs ``tetragraph`` with both servers in its environment."""
    return partial(run_here, environment=environment_of(settings_with_server), folder=tmp_path)


def hits(client: Tetragraph, corpus: str) -> dict[tuple[str, str], list[str]]:
    """Ids of the hits of every method and question, with a filter and without."""
    return {
        (method, question): [
            hit.chunk.id
            for filters in FILTERS
            for hit in client.corpus(corpus).search(question, method=method, k=8, filters=filters)
        ]
        for method in RETRIEVERS
        for question in QUESTIONS
    }


def facts(client: Tetragraph, corpus: str, engine: str) -> list[list[str]]:
    """Ids of the facts that an engine finds for every question, with a filter and without."""
    return [
        [fact.relation for fact in client.corpus(corpus).facts(question, k=8, filters=filters, engine=engine)]
        for filters in FILTERS
        for question in QUESTIONS
    ]


def test_every_change_and_every_method_give_what_the_engine_in_the_process_gives(
    served: Tetragraph, client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Print
) -> None:
    names = (f"{corpus_name}-served", f"{corpus_name}-local")
    for one, name in zip((served, client), names, strict=True):
        corpus = one.corpus(name)
        corpus.ingest(world[:9], build=GRAPHS)
        corpus.ingest([*world[9:], Document(world[0].id, world[0].title, "Elva Kron moved to Old Port.", "world")])
        corpus.delete(world[4].id)
    on_server, local = (fingerprint(one, name) for one, name in zip((served, client), names, strict=True))
    assert on_server == local
    assert served.doctor(corpus=names[0]).ok
    assert facts(served, names[0], "stores") == facts(client, names[1], "stores") == facts(client, names[1], "memory")

    served.copy_vectors("local", corpus=names[0])

    assert hits(served, names[0]) == hits(client, names[0])
    served.corpus(names[0]).drop()
    assert not [name for name, _ in served.connection.vectors.collections() if name == names[0]]


def test_vectors_go_to_the_server_and_back_without_an_embedding(
    served: Tetragraph, client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Print, cli_served: Cli
) -> None:
    documents = [Document(one.id, one.title, one.text, "world", {**one.metadata, "open": True}) for one in world]
    client.corpus(corpus_name).ingest(documents, build=GRAPHS)
    before = fingerprint(client, corpus_name)
    client.connection.vectors.close()  # another process would wait until it is idle

    done = cli_served("vectors", "copy", "--to", "server", "-c", corpus_name)

    total = sum(client.connection.vectors.count(corpus_name, kind) for kind in KINDS)
    assert done.returncode == 0, done.stderr
    assert f"{corpus_name}: {total} vectors copied, 0 were there" in done.stdout
    assert fingerprint(served, corpus_name) == before
    assert served.doctor(corpus=corpus_name).ok
    assert len(served.corpus(corpus_name).search("harbour", method="dense", filters={"open": True}, k=20)) == 12

    for kind in KINDS:
        client.connection.vectors.drop(corpus_name, kind)
    client.connection.vectors.close()
    [back] = served.copy_vectors("local", corpus=corpus_name)
    assert (back.copied, back.present) == (total, 0)
    assert fingerprint(client, corpus_name) == before
    assert len(client.corpus(corpus_name).search("harbour", method="dense", filters={"open": True}, k=20)) == 12
    client.connection.vectors.close()
    again = json.loads(cli_served("vectors", "copy", "--to", "local", "-c", corpus_name, "--json").stdout)
    assert again == [{"corpus": corpus_name, "copied": 0, "present": total}]


def test_copying_needs_a_server_and_one_of_two_directions(client: Tetragraph, served: Tetragraph) -> None:
    with pytest.raises(errors.InvalidInput, match="QDRANT_URL is not set"):
        client.copy_vectors("server")
    with pytest.raises(errors.InvalidInput, match="'server' or 'local', got 'cloud'"):
        served.copy_vectors("cloud")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(errors.UnknownCorpus):
        served.copy_vectors("local", corpus="nobody")
    with pytest.raises(errors.InvalidInput, match="QDRANT_URL is not set"):
        client.copy_vectors("local")


def test_the_collections_of_another_neo4j_are_neither_used_nor_deleted(
    served: Tetragraph,
    settings_with_server: Settings,
    corpus_name: str,
    world: list[Document],
    cli_served: Cli,
) -> None:
    other = open_server(settings_with_server, "another-database")
    other.ensure(corpus_name, "chunks", 384, sentences=True)
    other.ensure(f"{corpus_name}-gone", "entities", 8)
    corpus = served.corpus(corpus_name)

    with pytest.raises(errors.StoreError, match=r"another Neo4j database .another-database"):
        corpus.ingest(world, build=())

    assert corpus.counts()["documents"] == 0
    assert not [one for one in served.doctor().findings if one.kind == "abandoned collections"]
    findings = json.loads(cli_served("doctor", "--repair", "--yes", "-c", corpus_name, "--json").stdout)
    assert ["another Neo4j database" in one["detail"] for one in findings if not one["ok"]] == [True]
    assert other.layout(corpus_name, "chunks") == (384, True)
    assert (f"{corpus_name}-gone", "entities") in other.collections()
    done = cli_served("vectors", "claim", corpus_name)
    assert "now of this Neo4j: chunks" in done.stdout
    corpus.ingest(world, build=())
    assert served.doctor(corpus=corpus_name).ok
    other.close()


def test_the_doctor_makes_findings_of_a_server(
    settings_with_server: Settings, served: Tetragraph, corpus_name: str, world: list[Document], tmp_path: Path
) -> None:
    served.corpus(corpus_name).ingest(world[:2], build=())

    def findings(code: int, *words: str, **variables: str) -> list[dict[str, Any]]:
        environment = environment_of(settings_with_server, TETRAGRAPH_QDRANT_RETRIES="0", **variables)
        done = run_here("doctor", "--json", *words, environment=environment, folder=tmp_path)
        assert done.returncode == code, done.stderr
        return [one for one in json.loads(done.stdout) if one["name"] in ("qdrant", f"corpus {corpus_name}")]

    qdrant, corpus = findings(4 if served.doctor().faults else 0)
    assert str(settings_with_server.qdrant_url) in qdrant["detail"]
    assert qdrant["detail"][0] == "1"
    assert corpus["ok"]
    with socket.socket() as taken:  # bound and not listening: nothing answers there
        taken.bind(("127.0.0.1", 0))
        away = findings(4, QDRANT_URL=f"http://127.0.0.1:{taken.getsockname()[1]}")
    assert [(one["ok"], one["kind"]) for one in away] == [(False, "unreachable"), (False, "StoreUnavailable")]
    denied = findings(4, "-c", corpus_name, QDRANT_API_KEY="another-key")
    assert [(one["ok"], one["kind"]) for one in denied] == [(False, "denied"), (False, "StoreDenied")]
    [unusable] = findings(4, QDRANT_URL="localhost:6333")
    assert (unusable["kind"], unusable["ok"]) == ("not usable", False)
    assert "must be like http://localhost:6333" in unusable["detail"]


class KillIn(NoProgress):
    """Kills the server once, as soon as a stage has begun or has made progress."""

    def __init__(self, server: QdrantServer, stage: str, *, is_later: bool = False) -> None:
        self._server, self._stage, self._is_later = server, stage, is_later

    def start(self, stage: str, total: int | None, unit: str) -> None:
        if not self._is_later:
            self._kill(stage)

    def advance(self, stage: str, amount: int = 1) -> None:
        self._kill(stage)

    def _kill(self, stage: str) -> None:
        if stage == self._stage:
            self._stage = ""
            self._server.kill()


def test_a_server_killed_in_an_ingest_ends_it_and_the_same_ingest_goes_on(
    own_qdrant: QdrantServer,
    server_settings: Settings,
    client: Tetragraph,
    corpus_name: str,
    world: list[Document],
    fingerprint: Print,
) -> None:
    settings = own_qdrant.of(server_settings).model_copy(update={"qdrant_retries": 0})
    name, undisturbed = f"{corpus_name}-killed", f"{corpus_name}-whole"
    with Tetragraph.connect(settings) as killed:
        corpus = killed.corpus(name)
        for stage in ("documents", "embedding", ENTITIES, "tree"):
            kill = KillIn(own_qdrant, stage, is_later=stage == "embedding")
            with pytest.raises(errors.StoreUnavailable, match="Qdrant does not answer"):
                corpus.ingest(world, build=GRAPHS, progress=kill)
            assert not killed.doctor(corpus=name).ok
            own_qdrant.start()
        corpus.ingest(world, build=GRAPHS)
        client.corpus(undisturbed).ingest(world, build=GRAPHS)
        assert killed.doctor(corpus=name).ok
        assert fingerprint(killed, name) == fingerprint(client, undisturbed)


def test_a_delete_that_was_broken_off_is_finished_by_the_same_delete(
    own_qdrant: QdrantServer, server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    settings = own_qdrant.of(server_settings).model_copy(update={"qdrant_retries": 0})
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(world[:3])
        own_qdrant.kill()
        with pytest.raises(errors.StoreUnavailable):
            corpus.drop()
        own_qdrant.start()
        [finding] = client.doctor(corpus=corpus_name).faults
        assert finding.kind == "half dropped"
        assert f"`tetragraph delete {corpus_name}` finishes that" in finding.detail
        corpus.drop()
        assert client.connection.vectors.collections() == []
        assert corpus_name not in [one.name for one in client.corpora()]


def test_an_ingest_without_its_server_writes_nothing(
    own_qdrant: QdrantServer, server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    settings = own_qdrant.of(server_settings).model_copy(update={"qdrant_retries": 0})
    with Tetragraph.connect(settings) as client:
        own_qdrant.kill()
        corpus = client.corpus(corpus_name)
        with pytest.raises(errors.StoreUnavailable):
            corpus.ingest(world)
        assert corpus.counts()["documents"] == 0


def test_a_paused_server_is_one_clear_error_and_works_when_it_goes_on(
    own_qdrant: QdrantServer, server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    settings = own_qdrant.of(server_settings).model_copy(update={"qdrant_timeout_s": 1.0})
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(world)
        before = corpus.search(QUESTIONS[0], method="dense")
        own_qdrant.pause()
        try:
            with pytest.raises(errors.StoreUnavailable, match="does not answer"):
                corpus.search(QUESTIONS[0], method="dense")
        finally:
            own_qdrant.resume()
        assert corpus.search(QUESTIONS[0], method="dense") == before


async def _wrong_key(settings: Settings, corpus: str, world: list[Document]) -> None:
    async with await AsyncTetragraph.connect(settings) as client:
        with pytest.raises(errors.StoreDenied, match="set QDRANT_API_KEY"):
            await client.corpus(corpus).ingest(world)


def test_a_wrong_key_is_denied_before_anything_is_written(
    settings_with_server: Settings, served: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    import asyncio

    wrong = settings_with_server.model_copy(update={"qdrant_api_key": SecretStr(f"{KEY}-of-another")})
    asyncio.run(_wrong_key(wrong, corpus_name, world))
    assert served.corpus(corpus_name).counts()["documents"] == 0


def test_a_snapshot_of_an_earlier_state_is_found_and_brought_up_to_neo4j(
    served: Tetragraph,
    settings_with_server: Settings,
    admin: QdrantClient,
    corpus_name: str,
    world: list[Document],
    fingerprint: Print,
) -> None:
    corpus, collection = served.corpus(corpus_name), f"{corpus_name}__chunks"
    corpus.ingest(world[:10], build=GRAPHS)
    snapshot = qdrant_server.take_snapshot(admin, settings_with_server, collection)
    corpus.ingest(world[10:])
    corpus.delete(world[0].id, world[1].id)
    expected = fingerprint(served, corpus_name)

    qdrant_server.restore_snapshot(settings_with_server, collection, snapshot)

    found = {(one.kind, one.count) for one in served.doctor(corpus=corpus_name).faults}
    assert {("missing vectors", 2), ("orphaned vectors", 2)} <= found
    assert served.doctor(corpus=corpus_name, repair=True, delete=True).ok
    assert fingerprint(served, corpus_name) == expected


def test_approximate_searches_say_so(
    settings_with_server: Settings, served: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    served.corpus(corpus_name).ingest(world)
    assert served.corpus(corpus_name).search("harbour", method="dense").notes == ()
    with Tetragraph.connect(settings_with_server.model_copy(update={"qdrant_exact": False})) as approximate:
        [note] = approximate.corpus(corpus_name).search("harbour", method="dense").notes
    assert "Qdrant's index found, which can miss some: TETRAGRAPH_QDRANT_EXACT is off" in note
