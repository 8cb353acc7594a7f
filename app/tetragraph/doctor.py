"""What is wrong with this installation and its corpora, and what to do about it. Looks only; mends nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tetragraph import llm
from tetragraph.connection import Connection, open_graph
from tetragraph.errors import LlmNotConfigured, StoreError, TetragraphError
from tetragraph.ingest.documents import find_pending, passage_hash
from tetragraph.language.embedders import load_embedder
from tetragraph.language.spacy_model import installed_model
from tetragraph.llm import LanguageModel
from tetragraph.progress import Silent
from tetragraph.publishing import Options, asks_model
from tetragraph.settings import Settings
from tetragraph.stores import chunk_table, local, migrations
from tetragraph.stores.graph import Graph
from tetragraph.stores.local import Finding
from tetragraph.stores.open_vectors import open_vectors
from tetragraph.systems import bipartite_graph, encoding_tree


def examine(settings: Settings) -> Iterator[Finding]:
    """Check Java, jars and server, schema, models, and every corpus; one finding a check, as it is made.

    A stopped local Neo4j is not started: the checks that need it are left out, and a finding says so.
    """
    yield from _models(settings)
    if not settings.neo4j_uri:
        yield from local.inspect(settings)
        if local.find(settings) is None:
            yield Finding("corpora", ok=True, detail="not looked at: Neo4j is not running; `tetragraph up` starts it")
            return
    try:
        graph = open_graph(settings, Silent())
    except StoreError as error:
        yield Finding("neo4j", ok=False, detail=str(error))
        return
    try:
        yield from _database(settings, graph)
    finally:
        graph.close()


def _models(settings: Settings) -> Iterator[Finding]:
    yield _outcome("embedder", lambda: f"{settings.embedder}: {load_embedder(settings.embedder, settings).dimension}d")
    model = installed_model()
    missing = "none: entities stay without a type; `pip install 'tetragraph[local]'`"
    yield Finding("spacy model", ok=model is not None, detail=model or missing)
    yield _outcome("language model", lambda: _language_model(settings))


def _language_model(settings: Settings) -> str:
    """One sentence on the model that is set, without asking it.

    Raises:
        LlmError: it cannot be asked, or the file of its replies cannot be used.
    """
    if not settings.llm:
        return "none is set: nothing asks one, and answers are extractive"
    LanguageModel.open(settings).close()
    found = llm.status(settings)
    return f"{found.model}, {found.replies:,} replies are kept; `tetragraph llm check` asks it"


def _database(settings: Settings, graph: Graph) -> Iterator[Finding]:
    server = graph.server()
    yield Finding("neo4j", ok=True, detail=f"{server.version} {server.edition}")
    missing = "not installed: method gain answers from memory, and says so"
    yield Finding("gds", ok=server.gds is not None, detail=server.gds or missing)
    schema = _outcome("schema", lambda: _valid(graph))
    yield schema
    if not schema.ok:
        return
    connection = Connection(settings, graph, open_vectors(settings))
    try:
        for row in graph.read("corpus/find_corpora"):
            yield _outcome(f"corpus {row['name']}", partial(_examine_corpus, connection, row["name"]))
    finally:
        connection.vectors.close()


def _valid(graph: Graph) -> str:
    migrations.validate(graph)
    return f"version {migrations.schema_version()}"


def _examine_corpus(connection: Connection, corpus: str) -> str:
    """One sentence on a corpus whose stores agree.

    Raises:
        StoreError: they do not, or an ingest was interrupted.
        LlmNotConfigured: it is kept up to date with a language model, and none is set.
    """
    stores = connection.stores(corpus)
    again = f"run `tetragraph ingest SOURCE --corpus {stores.name}` again, it finishes what is missing"
    if unfinished := len(find_pending(stores)):
        raise StoreError(f"an ingest of {unfinished} documents is under way or was interrupted: {again}")
    expected = {chunk.id: passage_hash(chunk) for chunk in chunk_table.find_chunks(stores)}
    found = stores.vectors.hashes(stores.name, "chunks")
    missing = len(expected.keys() - found.keys())
    orphaned = len(found.keys() - expected.keys())
    stale = sum(found[chunk_id] != expected[chunk_id] for chunk_id in expected.keys() & found.keys())
    if missing or orphaned or stale:
        raise StoreError(
            f"Neo4j and Qdrant differ: {missing} vectors missing, {orphaned} without a chunk, {stale} of another "
            f"text: drop the corpus (`tetragraph delete {stores.name}`) and ingest it again"
        )
    asking = [graph for graph in stores.record.graphs if asks_model(graph, stores, Options())]
    if asking and not connection.settings.llm:
        raise LlmNotConfigured(
            f"{', '.join(asking)} was built with a language model, and none is set: the next ingest would fail; set "
            f"TETRAGRAPH_LLM, or build it without one"
        )
    if "tree" in stores.record.graphs:
        encoding_tree.check_stores(stores, list(expected))
    if "bipartite" in stores.record.graphs:
        bipartite_graph.check_stores(stores, expected)
    return f"{len(expected)} chunks, each with its vector; generation {stores.record.generation}"


def _outcome(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, ok=True, detail=check())
    except TetragraphError as error:
        return Finding(name, ok=False, detail=str(error))
