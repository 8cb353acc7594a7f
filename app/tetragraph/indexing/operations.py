"""Changes of a corpus: ingest, build, delete and drop, in stages that can be resumed.

Documents and vectors come first. Entities and the graphs are built on all chunks of the corpus; each build compares
the expected with the stored graph and writes the difference, so running it again completes an interrupted run.
Publishing is the last step (see :mod:`tetragraph.indexing.publishing`): one transaction that marks the new generation
as complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from tetragraph.connection import Connection
from tetragraph.errors import CorpusBusy, InvalidInput, UnknownDocument
from tetragraph.executors import LOCAL, Executor
from tetragraph.indexing import origins, sources
from tetragraph.indexing import reembed as reembedding
from tetragraph.indexing.change import CorpusChange
from tetragraph.indexing.corpus_settings import check_same, choose_settings
from tetragraph.indexing.drop_contents import delete_nodes, delete_vectors
from tetragraph.indexing.furniture import Furniture
from tetragraph.indexing.known_entities import set_gazetteer
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.publishing import delete_pending_notes
from tetragraph.indexing.reembed import ReembedReport, Trial
from tetragraph.indexing.remains import mark_remains
from tetragraph.indexing.report import IngestReport
from tetragraph.indexing.restore_mark import abandon_restore
from tetragraph.indexing.sources import Source
from tetragraph.language.embedders.steps import EmbedTexts, executor_of
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, SETTING, Gazetteer
from tetragraph.llm import not_configured
from tetragraph.model.display import first_of
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph.model.usage import (
    UNLIMITED,
    Budget,
    Estimate,
)
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table, gds, migrations
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import BuildTarget
from tetragraph.systems.registry import BUILD_TARGETS, check_build_targets, find_build_target
from tetragraph.validation import check_boolean, check_known_options


def ingest(
    connection: Connection,
    corpus: str,
    source: Source,
    build: Sequence[str],
    embedder: str | None,
    chunk_tokens: int | None,
    progress: Progress,
    *,
    sentences: str | None = None,
    arrays: bool | None = None,
    loader: str | None = None,
    prefix: str | None = None,
    moved: bool = False,
    prune: bool = False,
    reading: ReadingOptions = DEFAULT_READING,
    gazetteer: Gazetteer = NO_GAZETTEER,
    budget: Budget = UNLIMITED,
    executor: Executor = LOCAL,
) -> IngestReport:
    """Add documents to a corpus and publish it; see ``Corpus.ingest``."""
    check_build_targets(build)
    documents = sources.read_documents(source, loader, prefix, reading)
    if prune:
        sources.find_places(source)
    _check_workers(connection, corpus, embedder, executor)
    stores = connection.find_stores(corpus) or _create_corpus(
        connection, corpus, embedder, chunk_tokens, sentences=sentences, arrays=arrays, gazetteer=gazetteer
    )
    check_same(stores.record, embedder, {"chunk_tokens": chunk_tokens, "sentences": sentences, "arrays": arrays})
    _check_model(connection, stores, [*stores.record.graphs, *build], {})
    with Lease(stores.graph, corpus) as lease:
        _hold_if_new(stores, lease)
        llm = connection.operation("ingest", corpus, budget)
        work = CorpusChange(connection, stores, lease, progress, llm, executor)
        with work.watch.stage("documents"):
            work.writer.recover()
            set_gazetteer(stores, lease, gazetteer)
            furniture = Furniture(stores)
            read = furniture.leave_out(documents, reading)
            total = sources.count_documents(source, loader)
            work.writer.ingest(read, total, moved=moved, after_first=work.publish_first)
            furniture.save()
            gone = origins.find_gone(stores, source, loader, prefix, reading) if prune else []
            work.writer.delete(gone)
        return work.publish(build, rebuilt=(), deleted=tuple(gone), notes=_note_gone(stores, source))


@contextmanager
def begin_sync(
    connection: Connection,
    corpus: str,
    build: Sequence[str],
    budget: Budget,
    gazetteer: Gazetteer,
    progress: Progress,
    executor: Executor,
) -> Iterator[tuple[CorpusStores, Lease, CorpusChange]]:
    """The change of a corpus that a sync makes; creates the corpus if there is none. See ``Corpus.sync``."""
    check_build_targets(build)
    _check_workers(connection, corpus, None, executor)
    stores = connection.find_stores(corpus) or _create_corpus(
        connection, corpus, None, None, sentences=None, arrays=None, gazetteer=gazetteer
    )
    _check_model(connection, stores, [*stores.record.graphs, *build], {})
    with Lease(stores.graph, corpus) as lease:
        _hold_if_new(stores, lease)
        llm = connection.operation("sync", corpus, budget)
        yield stores, lease, CorpusChange(connection, stores, lease, progress, llm, executor)


def _hold_if_new(stores: CorpusStores, lease: Lease) -> None:
    """Acquire the lease of a corpus without a generation at once, so that it is shown as one that is being changed."""
    if stores.record.published == 0:
        lease.hold()


def reembed(
    connection: Connection,
    corpus: str,
    embedder: str,
    keep_s: float,
    budget: Budget,
    progress: Progress,
    *,
    trial: Trial | None = None,
) -> ReembedReport:
    """Change the embedder of a corpus; see ``Corpus.reembed``."""
    stores = connection.stores(corpus)
    _check_model(connection, stores, stores.record.graphs, {})
    llm = connection.operation("reembed", corpus, budget)
    return reembedding.reembed(connection, corpus, embedder, llm, progress, keep_s=keep_s, trial=trial)


def find_gone(
    connection: Connection,
    corpus: str,
    source: Source,
    loader: str | None,
    prefix: str | None,
    reading: ReadingOptions = DEFAULT_READING,
) -> tuple[str, ...]:
    """Find what an ingest with ``prune`` would delete; see ``Corpus.find_gone``."""
    stores = connection.find_stores(corpus)
    sources.find_places(source)
    return tuple(origins.find_gone(stores, source, loader, prefix, reading)) if stores else ()


def _note_gone(stores: CorpusStores, source: Source) -> tuple[str, ...]:
    """A note on documents whose files are gone; empty where the source is not made of paths alone."""
    try:
        gone = origins.find_gone_files(stores, source)
    except InvalidInput:
        return ()
    if not gone:
        return ()
    return (
        "files of this source that were ingested before are gone, and their documents are still found: "
        f"{first_of([repr(one) for one in gone], 1)}; ingest it with --prune (prune=True) to delete them",
    )


def rebuild(
    connection: Connection,
    corpus: str,
    graph: str,
    options: Mapping[str, Any],
    progress: Progress,
    *,
    if_drifted: bool = False,
    budget: Budget = UNLIMITED,
    executor: Executor = LOCAL,
) -> IngestReport:
    """Build a graph on all chunks; see ``Corpus.build``."""
    target = find_build_target(graph)
    check_boolean("if_drifted", if_drifted)
    if if_drifted and not target.drifts:
        drifting = " or ".join(name for name, one in BUILD_TARGETS.items() if one.drifts)
        raise InvalidInput(f"what is built if it drifted must be the {drifting}, got {graph!r}")
    if options and if_drifted:
        raise InvalidInput(f"a {graph} with other options is rebuilt anyway, got if_drifted and {', '.join(options)}")
    read = _read_options(target, options)
    stores = connection.stores(corpus)
    _check_model(connection, stores, [graph], read)
    _check_workers(connection, corpus, None, executor)
    with Lease(stores.graph, corpus) as lease:
        llm = connection.operation(f"build {graph}", corpus, budget)
        work = CorpusChange(connection, stores, lease, progress, llm, executor)
        with work.watch.stage("recovery"):
            work.writer.recover()
        is_due = not if_drifted or target.drift(stores) > connection.settings.tree_drift
        return work.publish([graph], rebuilt=[graph] if is_due else (), options=read)


def estimate(connection: Connection, corpus: str, graph: str, options: Mapping[str, Any]) -> Estimate:
    """Estimate the cost of building a graph; see ``Corpus.estimate``."""
    target = find_build_target(graph)
    read = _read_options(target, options)
    stores = connection.stores(corpus)
    if not target.uses_llm(stores, read.get(graph)):
        return Estimate("", calls=0, cached=0, input_tokens=0, output_tokens=0, cost=0.0, seconds=0.0)
    llm = connection.llm
    table = chunk_table.read(stores)
    return llm.estimate(target.llm_requests(stores, table, read.get(graph), llm.name))


def change_entity_names(
    connection: Connection, corpus: str, change: Callable[[CorpusStores], None], progress: Progress
) -> IngestReport:
    """Change which names denote an entity, and update the bipartite graph; see ``Entities.split``.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        change: Writes the decision, or refuses it with an error.
        progress: Receives every stage.
    """
    stores = connection.stores(corpus)
    with Lease(stores.graph, corpus) as lease:
        work = CorpusChange(connection, stores, lease, progress, connection.operation("change names", corpus))
        lease.hold()
        change(stores)
        work.writer.recover()
        return work.publish((), rebuilt=())


def delete(connection: Connection, corpus: str, document_ids: Sequence[str], progress: Progress) -> IngestReport:
    """Delete documents; see ``Corpus.delete``."""
    stores = connection.stores(corpus)
    known, begun = _find_deletable(stores, document_ids)
    missing = sorted({*document_ids} - known - begun)
    if missing:
        raise UnknownDocument(f"corpus {corpus!r} has no document {missing[0]!r}: this call deleted nothing")
    asked = [graph for graph in stores.record.graphs if not BUILD_TARGETS[graph].llm_only_for_new_chunks]
    _check_model(connection, stores, asked, {})
    with Lease(stores.graph, corpus) as lease:
        work = CorpusChange(connection, stores, lease, progress, connection.operation("delete", corpus))
        with work.watch.stage("documents"):
            work.writer.delete(sorted(known))
        return work.publish((), rebuilt=(), deleted=tuple(sorted(set(document_ids))))


def _find_deletable(stores: CorpusStores, document_ids: Sequence[str]) -> tuple[set[str], set[str]]:
    """Find which of some documents the corpus has, and which an interrupted change has deleted."""
    rows = stores.graph.read("ingest/find_documents_by_id", corpus=stores.name, ids=list(document_ids))
    noted = stores.graph.read("ingest/find_deleted_documents", corpus=stores.name, ids=list(document_ids))
    return {row["id"] for row in rows}, {row["id"] for row in noted}


def drop(connection: Connection, corpus: str, job: str = "") -> None:
    """Remove a corpus, or what an interrupted restore or the loss of its node left of one; see ``Corpus.drop``.

    The node of the corpus is deleted last, so that the operation can be repeated, together with sessions and jobs that
    began in the meantime.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        job: Id of the job of a service that drops the corpus; every other job of the corpus is deleted. Empty for none.
    """
    mark_remains(connection.graph, corpus)
    if abandon_restore(connection.graph, connection.vectors, corpus, job):
        return
    stores = connection.stores(corpus)
    with Lease(stores.graph, corpus) as lease:
        lease.hold()
        stores.graph.write("ingest/upsert_generation", corpus=corpus, metadata_keys=[])
        delete_nodes(stores.graph, corpus, job)
        delete_pending_notes(stores, stores.record.generation + 1)
        delete_vectors(connection.vectors, corpus)
        gds.drop_all(stores.graph, stores.record.key)
        stores.arrays.forget(stores.record.key)
        begun = ("corpus/delete_jobs", {"corpus": corpus, "job": job})
        stores.graph.write_all([("corpus/delete_corpus", {"corpus": corpus}), begun])


def _check_model(
    connection: Connection, stores: CorpusStores, graphs: Iterable[str], options: Mapping[str, Any]
) -> None:
    """Refuse a change that would need a language model where none is configured, before anything is written."""
    asking = sorted(name for name in {*graphs} if BUILD_TARGETS[name].uses_llm(stores, options.get(name)))
    if asking and not connection.settings.llm:
        error = not_configured()
        error.add_note(f"Corpus {stores.name!r} asks it for: {', '.join(asking)}.")
        raise error


def _check_workers(connection: Connection, corpus: str, embedder: str | None, executor: Executor) -> None:
    """Start the workers of an executor and check that they compute the same bytes, before anything is written."""
    stores = connection.find_stores(corpus)
    name = stores.record.embedder if stores else connection.embedder(embedder or connection.settings.embedder).name
    executor.check([] if executor_of(name, executor) is LOCAL else [EmbedTexts(name)])


def _read_options(target: BuildTarget[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Build options by name of the target; empty if none are given, which keeps the stored options.

    Raises:
        InvalidInput: the target has no options or none of that name, or a value breaks its rule.
    """
    if not given:
        return {}
    if target.build_options is None:
        having = ", ".join(name for name, one in BUILD_TARGETS.items() if one.build_options)
        raise InvalidInput(f"what is built with options must be one of {having}, got {target.name!r}")
    known = [field.name for field in fields(target.build_options)]
    check_known_options(f"the build of {target.name}", given, known)
    return {target.name: target.build_options(**given)}


def _create_corpus(
    connection: Connection,
    corpus: str,
    embedder: str | None,
    chunk_tokens: int | None,
    *,
    sentences: str | None,
    arrays: bool | None,
    gazetteer: Gazetteer = NO_GAZETTEER,
) -> CorpusStores:
    model = connection.embedder(embedder or connection.settings.embedder)
    settings = choose_settings(model, chunk_tokens, sentences)
    if arrays is False:
        settings["arrays"] = False
    if gazetteer:
        settings[SETTING] = gazetteer.setting
    created = connection.graph.write(
        "corpus/upsert_corpus",
        corpus=corpus,
        embedder=model.name,
        dimension=model.dimension,
        settings=json.dumps(settings, sort_keys=True),
        schema_version=migrations.schema_version(),
    )
    if not created:
        raise CorpusBusy(
            f"corpus {corpus!r} is being restored from a backup, or that was interrupted: wait, restore it again, or "
            f"delete what is there (`tetragraph delete {corpus}`)"
        )
    return connection.stores(corpus)
