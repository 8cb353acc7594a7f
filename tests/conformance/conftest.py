"""A corpus of twelve documents with all graphs for cases that only read, and the parts of a build."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import pytest

import small_world
from tetragraph import Corpus, Document, Settings, Tetragraph
from tetragraph.progress import NoProgress
from tetragraph.stores import chunk_table
from tetragraph.stores.graph import Graph
from tetragraph.systems.base import BuildContext
from tetragraph.systems.registry import BUILD_TARGETS

MakeCorpus = Callable[[], Corpus]


@pytest.fixture(scope="session")
def conformance_settings(neo4j_server: Settings, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a home and a cache of this suite, on the session's server."""
    base = tmp_path_factory.mktemp("conformance")
    return neo4j_server.model_copy(update={"home": base / "home", "cache": base / "cache", "serve_rate": 0})


@pytest.fixture(scope="session")
def opened(conformance_settings: Settings) -> Iterator[Tetragraph]:
    """A client that all cases share."""
    with Tetragraph.connect(conformance_settings) as client:
        yield client


@pytest.fixture(scope="session")
def world() -> list[Document]:
    """Twelve documents that name one another."""
    return small_world.documents()


@pytest.fixture(scope="session")
def searched(opened: Tetragraph, world: list[Document]) -> Iterator[Corpus]:
    """The world with every build target; only for cases that read."""
    corpus = opened.corpus(f"conformance-{uuid.uuid4().hex[:12]}")
    corpus.ingest(world, build=tuple(BUILD_TARGETS))
    yield corpus
    corpus.drop()


@pytest.fixture
def make_corpus(opened: Tetragraph) -> Iterator[MakeCorpus]:
    """Names corpora of one case; they are dropped afterwards."""
    made: list[str] = []

    def make() -> Corpus:
        made.append(f"conformance-{uuid.uuid4().hex[:12]}")
        return opened.corpus(made[-1])

    yield make
    existing = {summary.name for summary in opened.corpora()}
    for name in made:
        if name in existing:
            opened.corpus(name).drop()


@pytest.fixture
def fingerprint(driver: neo4j.Driver, opened: Tetragraph) -> Callable[[Corpus], small_world.Fingerprint]:
    """Everything that a corpus is in both stores, except its name, its time and its generation."""
    return lambda corpus: small_world.fingerprint(driver, opened, corpus.name)


@pytest.fixture
def context_of(opened: Tetragraph) -> Callable[[Corpus], BuildContext]:
    """The dependencies of a build of a corpus as it stands now."""

    def make(corpus: Corpus) -> BuildContext:
        stores = opened.connection.stores(corpus.name)
        table = chunk_table.read(stores)
        return BuildContext(stores, table, opened.connection.embedder_of(stores.record), NoProgress())

    return make


@pytest.fixture(scope="session")
def support() -> Path:
    """The folder of the modules that tests share."""
    return Path(small_world.__file__).parent
