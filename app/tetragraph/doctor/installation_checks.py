"""Checks outside the corpora: models, the local Neo4j, the servers and the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tetragraph import llm
from tetragraph.doctor.findings import Finding, fault
from tetragraph.errors import MigrationError, StoreDenied, StoreError, TetragraphError
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders import load_embedder
from tetragraph.language.spacy_model import installed_model
from tetragraph.llm import LanguageModel
from tetragraph.settings import Settings
from tetragraph.stores import gds, local, migrations
from tetragraph.stores.graph import Graph
from tetragraph.stores.vectors import VectorStore


def check_models(settings: Settings) -> Iterator[Finding]:
    """Check embedder, parser and language model."""
    yield outcome("embedder", lambda: f"{settings.embedder}: {load_embedder(settings.embedder, settings).dimension}d")
    model = installed_model()
    missing = f"none: entities stay without a type; `{install_command('local')}`"
    yield Finding("spacy model", ok=True, detail=model) if model else fault("spacy model", "missing", missing)
    yield outcome("language model", lambda: _language_model(settings))


def check_local(settings: Settings) -> Iterator[Finding]:
    """Check the requirements of a local Neo4j, and whether one is running."""
    for found in local.inspect(settings):
        is_well = Finding(found.name, ok=True, detail=found.detail)
        yield is_well if found.ok else fault(found.name, "missing", found.detail)


def check_server(graph: Graph) -> Iterator[Finding]:
    """Report the version of Neo4j, and check that Graph Data Science is installed."""
    server = graph.server()
    yield Finding("neo4j", ok=True, detail=f"{server.version} {server.edition}")
    missing = "not installed: method gain answers from memory, and says so"
    version = gds.find_version(graph)
    yield Finding("gds", ok=True, detail=version) if version else fault("gds", "missing", missing)


def check_vectors(vectors: VectorStore) -> Finding:
    """Whether the vector store answers and accepts the key, with its version and address."""
    try:
        found = vectors.server()
    except StoreDenied as error:
        return fault("qdrant", "denied", str(error))
    except StoreError as error:
        return fault("qdrant", "unreachable", str(error))
    detail = f"{found.version} at {found.address}"
    if found.fault:
        return fault("qdrant", "other version", f"{detail}: {found.fault}")
    return Finding("qdrant", ok=True, detail=detail)


def check_schema(graph: Graph) -> Finding:
    """Check that the database has the schema of this version."""
    try:
        gaps = migrations.find_gaps(graph)
    except MigrationError as error:
        return fault("schema", "other schema", str(error))
    lacks = [*(f"{name} was not applied" for name in gaps.unapplied), *(f"{name} is missing" for name in gaps.missing)]
    if gaps.other:
        return fault("schema", "other schema", f"{'; '.join([*gaps.other, *lacks])}: drop what differs, and look again")
    if lacks:
        return fault("schema", "schema", "; ".join(lacks), count=len(lacks))
    return Finding("schema", ok=True, detail=f"version {migrations.schema_version()}")


def outcome(name: str, check: Callable[[], str]) -> Finding:
    """The finding of a check that returns a detail if there is no fault and raises the fault otherwise."""
    try:
        return Finding(name, ok=True, detail=check())
    except TetragraphError as error:
        return fault(name, type(error).__name__, str(error))


def _language_model(settings: Settings) -> str:
    """One sentence on the configured model, without calling it.

    Raises:
        LlmError: the model cannot be called, or its cache file cannot be used.
    """
    if not settings.llm:
        return "none is set: nothing asks one, and answers are extractive"
    LanguageModel.open(settings).close()
    found = llm.status(settings)
    return f"{found.model}, {found.replies:,} replies are kept; `tetragraph llm check` asks it"
