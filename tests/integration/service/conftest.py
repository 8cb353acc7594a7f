"""A service on the session's stores, with keys, and a client that calls its app."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

import small_world
from running_service import remote_client, running_service
from tetragraph import Settings, Tetragraph
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.stores.graph import Graph

MakeKey = Callable[..., str]


@pytest.fixture(scope="module")
def opened(neo4j_server: Settings, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tetragraph]:
    """A client that the tests of a module share."""
    base = tmp_path_factory.mktemp("service")
    settings = neo4j_server.model_copy(update={"home": base / "home", "cache": base / "cache", "serve_rate": 0})
    with Tetragraph.connect(settings) as client:
        yield client


@pytest.fixture(scope="module")
def world(opened: Tetragraph) -> Iterator[str]:
    """Name of a corpus of twelve documents that is only read."""
    name = f"service-{uuid.uuid4().hex[:12]}"
    opened.corpus(name).ingest(small_world.documents(), build=("bipartite", "gain", "tree"))
    yield name
    opened.corpus(name).drop()


@pytest.fixture
def make_key(opened: Tetragraph) -> Iterator[MakeKey]:
    """Creates keys, ``make_key("search", "corpus", …)``, and deletes them after the test."""
    store = KeyStore(opened.connection.graph)
    made: list[str] = []

    def make(scope: str, *corpora: str) -> str:
        key, record = store.create([scope], corpora or ["*"])
        made.append(record.id)
        return key

    yield make
    for identity in made:
        store.revoke(identity)
        store.delete(identity)


@pytest.fixture
def http(opened: Tetragraph) -> Iterator[TestClient]:
    """Calls the app as a program of this machine would."""
    app = create_app(opened, ServiceConfig.of(opened.connection.settings))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def address(opened: Tetragraph) -> Iterator[str]:
    """Address of a running service."""
    with running_service(opened) as address:
        yield address


@pytest.fixture(scope="module")
def remote(opened: Tetragraph, address: str) -> Iterator[Tetragraph]:
    """A client of the service whose key may do everything."""
    with remote_client(opened, address) as client:
        yield client
