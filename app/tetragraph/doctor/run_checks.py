"""Runs all checks, each after those on whose subject it depends."""

from __future__ import annotations

from collections.abc import Iterator

from tetragraph.connection import Connection, open_graph
from tetragraph.doctor.corpus_checks import CorpusCheck
from tetragraph.doctor.findings import Finding, fault
from tetragraph.doctor.installation_checks import (
    check_local,
    check_models,
    check_schema,
    check_server,
    check_vectors,
)
from tetragraph.errors import InvalidInput, MissingDependency, StoreError, UnknownCorpus
from tetragraph.indexing.lease import find_holder
from tetragraph.indexing.remains import find_remains
from tetragraph.indexing.restore_mark import find_restores
from tetragraph.indexing.unfinished_reembed import find_unfinished
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores import gds, local
from tetragraph.stores.vector_sets import corpus_of, set_name
from tetragraph.stores.vectors import Kind


def examine(settings: Settings, corpus: str | None = None) -> Iterator[Finding]:
    """Check the installation of the settings, or one corpus alone; yields each finding when it is made.

    Nothing is changed. A stopped local Neo4j is not started: the checks that need it are left out, and a finding
    reports that.

    Raises:
        UnknownCorpus: there is no corpus of that name.
    """
    if corpus is None:
        yield from check_installation(settings)
    opened = connect(settings)
    if isinstance(opened, Finding):
        yield opened
        return
    try:
        yield from check(opened, corpus)
    finally:
        opened.close()


def check_installation(settings: Settings) -> Iterator[Finding]:
    """Check the requirements other than the databases."""
    yield from check_models(settings)
    if not settings.neo4j_uri:
        yield from check_local(settings)


def connect(settings: Settings) -> Connection | Finding:
    """A connection that does not change the schema, or a finding with the reason why there is none."""
    if not settings.neo4j_uri and local.find(settings) is None:
        return Finding("corpora", ok=True, detail="not looked at: Neo4j is not running; `tetragraph up` starts it")
    try:
        graph = open_graph(settings, NoProgress())
    except StoreError as error:
        return fault("neo4j", "unreachable", str(error))
    try:
        return Connection(settings, graph)
    except (InvalidInput, MissingDependency) as error:
        graph.close()
        return fault("qdrant", "not usable", str(error))


def check(connection: Connection, corpus: str | None = None) -> Iterator[Finding]:
    """Check databases and corpora through an open connection; see :func:`examine`."""
    if corpus is None:
        yield from check_server(connection.graph)
    vectors = check_vectors(connection.vectors)
    if corpus is None or not vectors.ok:
        yield vectors
    schema = check_schema(connection.graph)
    if corpus is None or not schema.ok:
        yield schema
    if not schema.ok:
        return
    yield from _projections(connection, corpus)
    if corpus is not None:
        yield from _reembedding(connection, corpus)
        yield from _corpus(connection, corpus, corpus)
        return
    if vectors.ok:
        yield from _abandoned(connection)
    yield from _restores(connection)
    yield from _remains(connection)
    yield from _reembeddings(connection)
    for row in connection.graph.read("corpus/find_corpora"):
        yield from _corpus(connection, row["name"], corpus)


def stale_projections(connection: Connection, corpus: str | None) -> list[str]:
    """Names of projections that no later search uses; only those of the corpus if one is given."""
    stores = [connection.stores(row["name"]) for row in connection.graph.read("corpus/find_corpora")]
    records = [one.record for one in stores]
    stale = gds.find_stale(connection.graph, {record.key: record.published for record in records})
    key = next((record.key for record in records if record.name == corpus), "")
    return [name for name in stale if corpus is None or name.startswith(f"{key}-")]


def abandoned_collections(connection: Connection) -> list[tuple[str, Kind]]:
    """Collections of this database whose corpora it does not have.

    They are listed before the corpora are read, as one that is made meanwhile has its node first, and again
    afterwards, as one that is dropped has it until its collections are gone.
    """
    listed = connection.vectors.collections()
    known = {row["name"] for row in connection.graph.read("corpus/find_corpora")}
    known |= {*find_restores(connection.graph)}
    for row in connection.graph.read("reembed/find_vector_sets"):
        known |= {set_name(row["name"], row["next"] or 1)}
        if row["is_former_kept"]:
            known |= {name for name, _ in listed if corpus_of(name) == row["name"]}
        elif row["used"] > 1:
            known = known - {row["name"]} | {set_name(row["name"], row["used"])}
    unknown = [one for one in listed if one[0] not in known]
    there = {*connection.vectors.collections()} if unknown else set()
    return [one for one in unknown if one in there]


def _projections(connection: Connection, corpus: str | None) -> Iterator[Finding]:
    if stale := stale_projections(connection, corpus):
        detail = f"{len(stale)} projections in the server's memory are of older generations or of nothing that is left"
        yield fault("gds", "stale projections", detail, count=len(stale))


def _abandoned(connection: Connection) -> Iterator[Finding]:
    found = abandoned_collections(connection)
    names = sorted({corpus for corpus, _ in found})
    if names:
        detail = f"{len(found)} collections of this Neo4j are of corpora that it does not have: {', '.join(names)}"
        yield fault("qdrant", "abandoned collections", detail, count=len(found))


def _restores(connection: Connection) -> Iterator[Finding]:
    """A finding for each restore that was interrupted; one that is running is none."""
    for name in find_restores(connection.graph):
        holder = find_holder(connection.graph, name)
        if holder is None or not holder.is_alive:
            detail = f"restore or copy it again, or delete what is there (`tetragraph delete {name}`)"
            yield fault(f"corpus {name}", "interrupted restore", detail)


def _remains(connection: Connection) -> Iterator[Finding]:
    """A finding for each corpus whose node is gone and whose other nodes are there."""
    for name in find_remains(connection.graph):
        detail = (
            f"nodes of it are left, and there is no such corpus: `tetragraph delete {name}` deletes them, an ingest of "
            "that name keeps them"
        )
        yield fault(f"corpus {name}", "half dropped", detail)


def _reembeddings(connection: Connection) -> Iterator[Finding]:
    """A line for each corpus whose change of the embedder is running or was interrupted."""
    for row in connection.graph.read("reembed/find_vector_sets"):
        if row["next"]:
            yield from _reembedding(connection, row["name"])


def _reembedding(connection: Connection, corpus: str) -> Iterator[Finding]:
    """The line of a corpus whose change of the embedder is not complete: no fault, as searches work."""
    if unfinished := find_unfinished(connection.graph, corpus):
        detail = f"being embedded with {unfinished.embedder}, or that was interrupted: {unfinished.remedy}"
        yield Finding(f"corpus {corpus}", ok=True, detail=detail)


def _corpus(connection: Connection, corpus: str, asked: str | None) -> Iterator[Finding]:
    """The findings of a corpus; none if it is dropped meanwhile."""
    try:
        findings = CorpusCheck.of(connection, corpus).findings()
    except UnknownCorpus:
        if corpus == asked:
            raise
        return
    yield from findings
