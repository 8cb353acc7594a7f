"""One corpus on the session's Neo4j, and what the client finds in it for the questions of every adapter."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapted_corpus import NAME, QUESTIONS, SHARED, documents
from running_service import remote_client, running_service
from tetragraph import AsyncTetragraph, Corpus, Settings, Tetragraph
from tetragraph.client.asynchronous import AsyncCorpus
from tetragraph.stores.graph import Graph


@pytest.fixture(scope="session")
def corpus_settings(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    base = Path(os.environ[SHARED]) if SHARED in os.environ else tmp_path_factory.mktemp("adapters")
    return neo4j_server.model_copy(update={"home": base / "home", "cache": base / "cache", "serve_rate": 0})


@pytest.fixture(scope="session")
def client(corpus_settings: Settings, graph: Graph) -> Iterator[Tetragraph]:
    with Tetragraph.connect(corpus_settings) as client:
        yield client


@pytest.fixture(scope="session")
def corpus(client: Tetragraph) -> Iterator[Corpus]:
    """The corpus, with all graphs; no test changes it."""
    corpus = client.corpus(NAME)
    corpus.ingest(documents(), build=("bipartite", "gain", "tree"))
    yield corpus
    if SHARED not in os.environ:
        corpus.drop()


@pytest.fixture(scope="session")
def async_corpus(client: Tetragraph, corpus: Corpus) -> AsyncCorpus:
    """The same for asyncio."""
    return AsyncTetragraph(client).corpus(corpus.name)


@pytest.fixture(scope="module", params=("local", "remote"))
def corpora(request: pytest.FixtureRequest, client: Tetragraph, corpus: Corpus) -> Iterator[tuple[Corpus, AsyncCorpus]]:
    """The corpus of the client, or of a client of a service of it, and the same for asyncio."""
    if request.param == "local":
        yield corpus, AsyncTetragraph(client).corpus(NAME)
        return
    with running_service(client) as address, remote_client(client, address) as remote:
        yield remote.corpus(NAME), AsyncTetragraph(remote).corpus(NAME)


@pytest.fixture(scope="session")
def expected(corpus: Corpus) -> list[list[str]]:
    """Ids of the five best chunks of each question, as the client finds them."""
    return [[hit.chunk.id for hit in corpus.search(question, k=5)] for question in QUESTIONS]


@pytest.fixture
def environment(corpus: Corpus, corpus_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stores of the corpus in the variables that a user sets."""
    monkeypatch.setenv("NEO4J_URI", str(corpus_settings.neo4j_uri))
    monkeypatch.setenv("NEO4J_PASSWORD", corpus_settings.neo4j_password.get_secret_value())
    monkeypatch.setenv("TETRAGRAPH_HOME", str(corpus_settings.home))
