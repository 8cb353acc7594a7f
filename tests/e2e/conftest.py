"""A small set of documents to ingest, and the fingerprint of a corpus."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import neo4j
import pytest

import anchored_world
import small_world
from command_line import Cli, run_here, run_process
from environments import own_home, user_environment
from tetragraph import Document, Settings, Tetragraph
from tetragraph.stores.graph import Graph


@pytest.fixture(scope="session")
def world() -> list[Document]:
    """Twelve documents that name one another."""
    return small_world.documents()


@pytest.fixture
def world_file(world: list[Document], tmp_path: Path) -> Path:
    """The same as a file of JSON lines."""
    file = tmp_path / "world.jsonl"
    rows = [{"id": one.id, "title": one.title, "text": one.text, **one.metadata} for one in world]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def client(server_settings: Settings) -> Iterator[Tetragraph]:
    """A client on the session's Neo4j, with vectors and cache of this test."""
    with Tetragraph.connect(server_settings) as client:
        yield client


@pytest.fixture
def environment(server_settings: Settings) -> Mapping[str, str]:
    """What a user would set to work with the session's server from another process."""
    return user_environment(server_settings, COLUMNS="100")


@pytest.fixture
def cli(environment: Mapping[str, str], tmp_path: Path) -> Cli:
    """Runs ``tetragraph`` in a folder of this test, as a process of its own would."""
    return partial(run_here, environment=environment, folder=tmp_path)


@pytest.fixture
def cli_process(environment: Mapping[str, str], tmp_path: Path) -> Cli:
    """Runs ``tetragraph`` in a folder of this test, in a process of its own."""
    return partial(run_process, environment=environment, folder=tmp_path)


@pytest.fixture(scope="session")
def fingerprint(driver: neo4j.Driver) -> Callable[[Tetragraph, str], small_world.Fingerprint]:
    """Everything that a corpus is in both stores, except its name, its time and its generation."""
    return partial(small_world.fingerprint, driver)


@pytest.fixture(scope="module")
def anchored_settings(neo4j_server: Settings, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a home of the module, on the session's server."""
    return own_home(neo4j_server, tmp_path_factory.mktemp("anchored"))


@pytest.fixture(scope="module")
def anchored(anchored_settings: Settings) -> Iterator[str]:
    """Name of a corpus with all graphs that the tests of a module only search in; sessions of it are theirs."""
    name = f"anchored-{uuid.uuid4().hex[:12]}"
    with Tetragraph.connect(anchored_settings) as client:
        client.corpus(name).ingest(anchored_world.documents(), build=("bipartite", "gain", "tree"))
    yield name
    with Tetragraph.connect(anchored_settings) as client:
        client.corpus(name).drop()
