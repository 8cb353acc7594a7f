"""Repairs of one corpus; each can be killed at any time and run again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from tetragraph.connection import Connection
from tetragraph.doctor.corpus_checks import CorpusCheck, wrong_hashes
from tetragraph.doctor.findings import Finding
from tetragraph.doctor.vector_checks import Contents
from tetragraph.host.batches import in_batches
from tetragraph.indexing.chunking import is_as_ingested
from tetragraph.indexing.documents import DocumentWriter
from tetragraph.indexing.inventory import find_changed_graphs
from tetragraph.indexing.lease import Lease, find_holder
from tetragraph.indexing.publishing import Publishing, delete_pending_notes
from tetragraph.indexing.vector_copy import with_metadata
from tetragraph.llm import LazyOperation
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores, raise_llm_not_configured
from tetragraph.stores.vectors import Kind
from tetragraph.systems.anchor_graph import SessionStore
from tetragraph.systems.base import CheckContext
from tetragraph.systems.registry import BUILD_TARGETS

_BATCH = 256
"""Points whose metadata are written at a time."""
NOTE = "doctor"
"""Id of the note on chunks whose document is gone."""
_ORPHANS = {
    "entities": "doctor/delete_entities",
    "communities": "doctor/delete_communities",
    "steps": "doctor/delete_steps",
    "anchors": "doctor/delete_anchors",
    "aliases": "doctor/delete_aliases",
}
_VECTORS = frozenset({"missing vectors", "stale vectors", "other vectors", "orphaned vectors", "wrong layout"})


class CorpusRepair:
    """Repairs one corpus under its lease.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        delete: Whether stored data may be deleted.
        progress: Receives the stages of embedding and building.
    """

    def __init__(self, connection: Connection, corpus: str, *, delete: bool, progress: Progress) -> None:
        self._connection = connection
        self._corpus = corpus
        self._delete = delete
        self._progress = progress
        self._changed_graphs: set[str] = set()

    @staticmethod
    def check_free(connection: Connection, corpus: str) -> None:
        """Refuse a corpus that is being changed.

        Raises:
            CorpusBusy: another process changes it.
            UnknownCorpus: there is no corpus of that name.
        """
        connection.stores(corpus)
        holder = find_holder(connection.graph, corpus)
        if holder and holder.is_alive:
            with Lease(connection.graph, corpus) as lease:
                lease.hold()

    def repair(self, findings: Sequence[Finding]) -> None:
        """Repair these faults, vectors before the graphs that are built on them.

        Raises:
            CorpusBusy: another process changes the corpus.
            StoreError, EmbeddingFailed, MissingDependency: the repair failed.
        """
        kinds = {finding.kind for finding in findings}
        stores = self._stores()
        with Lease(stores.graph, self._corpus) as lease:
            lease.hold()
            self._changed_graphs = {*find_changed_graphs(stores)}
            self._repair_independent_faults(stores, kinds)
            orphans = {finding.part for finding in findings if finding.kind == "orphaned nodes"}
            self._delete_orphans(stores, orphans)
            if kinds & _VECTORS:
                self._write_vectors(stores, lease, findings)
            if "interrupted change" in kinds or "chunks" in orphans:
                self._finish(lease)
            elif orphans | {finding.part for finding in findings if finding.kind == "incomplete graph"}:
                self._publish(lease, self._rebuilt(findings))
            elif kinds & _VECTORS:
                graphs = list(stores.record.graphs)
                stores.graph.write("ingest/upsert_published", corpus=self._corpus, graphs=graphs, contents="")

    def _stores(self) -> CorpusStores:
        return self._connection.stores(self._corpus)

    def _repair_independent_faults(self, stores: CorpusStores, kinds: Collection[str]) -> None:
        """Repair faults that no other data depends on."""
        if "expired sessions" in kinds:
            SessionStore(stores.graph, self._corpus).prune(datetime.now(UTC))
        if "damaged cache" in kinds:
            stores.arrays.delete_damaged(stores.record.key)
        if "finished notes" in kinds:
            delete_pending_notes(stores, stores.record.published)
        if "other metadata" in kinds:
            self._write_metadata(stores)
        if "missing links" in kinds:
            stores.graph.write("doctor/link_next", corpus=self._corpus)
        if "wrong hashes" in kinds:
            contents = self._contents(stores)
            rows = wrong_hashes(contents)
            changed = [row["id"] for row in rows if not is_as_ingested(contents.chunks[row["id"]])]
            stores.graph.write("doctor/upsert_changed_documents", corpus=self._corpus, ids=changed)
            list(stores.graph.write_rows("doctor/upsert_hashes", rows, corpus=self._corpus))

    def _write_metadata(self, stores: CorpusStores) -> None:
        """Write the metadata of Neo4j to the points that have others; nothing is computed from them."""
        contents = self._contents(stores)
        ids = contents.with_other_metadata(contents.compare("chunks"))
        for some in in_batches(ids, _BATCH):
            points = stores.vectors.fetch(self._corpus, "chunks", some)
            stores.vectors.upsert(self._corpus, "chunks", list(with_metadata(stores, "chunks", points)))

    def _delete_orphans(self, stores: CorpusStores, parts: Collection[str]) -> None:
        for part, query in _ORPHANS.items():
            if part in parts:
                stores.graph.write(query, corpus=self._corpus)
        if "chunks" in parts:
            self._delete_chunks(stores)

    def _delete_chunks(self, stores: CorpusStores) -> None:
        """Delete chunks without a document like those of a deleted document: note and change are one transaction."""
        rows = stores.graph.read("doctor/find_lost_chunks", corpus=self._corpus)
        ids = [row["id"] for row in rows]
        stores.graph.write_all(
            [
                ("doctor/upsert_lost_chunks", {"corpus": self._corpus, "note": NOTE, "ids": ids}),
                ("doctor/delete_lost_chunks", {"corpus": self._corpus, "ids": ids}),
                ("ingest/upsert_generation", {"corpus": self._corpus, "metadata_keys": []}),
            ]
        )

    def _write_vectors(self, stores: CorpusStores, lease: Lease, findings: Iterable[Finding]) -> None:
        """Write the points that the collections with faults should hold.

        The generation rises first, because everything computed from the earlier vectors is out of date; a kill then
        leaves an interrupted change, which the checks find.
        """
        wanted: dict[str, set[str]] = {}
        for finding in findings:
            wanted.setdefault(finding.part, set()).add(finding.kind)
        stores.graph.write("ingest/upsert_generation", corpus=self._corpus, metadata_keys=[])
        contents = self._contents(stores)
        for kind in contents.kinds:
            if _VECTORS & wanted.get(kind, set()):
                self._write_collection(contents, kind, wanted[kind], lease)

    def _write_collection(self, contents: Contents, kind: Kind, kinds: Collection[str], lease: Lease) -> None:
        stores, layout = contents.stores, contents.layout(kind)
        if "wrong layout" in kinds:
            stores.vectors.drop(self._corpus, kind)
        stores.vectors.ensure(self._corpus, kind, layout.dimension, sentences=layout.sentences)
        found = contents.compare(kind)
        partial = contents.with_wrong_sentences() if kind == "chunks" else []
        ids = sorted({*found.missing, *found.stale, *partial})
        if "other vectors" in kinds:
            ids = list(contents.chunks)
        for points in contents.points(kind, ids):
            lease.hold()
            stores.vectors.upsert(self._corpus, kind, points)
        if "orphaned vectors" in kinds:
            stores.vectors.delete(self._corpus, kind, found.orphaned)

    def _contents(self, stores: CorpusStores) -> Contents:
        return Contents(CheckContext(stores, lambda: self._connection.embedder_of(stores.record), self._progress))

    def _rebuilt(self, findings: Sequence[Finding]) -> list[str]:
        """Names of the targets to rebuild; every publish updates the entities."""
        parts = {finding.part for finding in findings if finding.kind in ("orphaned nodes", "incomplete graph")}
        return sorted(name for name, target in BUILD_TARGETS.items() if parts & {name, *target.orphan_kinds})

    def _finish(self, lease: Lease) -> None:
        """Complete an interrupted change as the next ingest would: missing vectors, then everything built on them."""
        stores = self._stores()
        embedder = self._connection.embedder_of(stores.record)
        tokens = stores.record.settings["chunk_tokens"]
        DocumentWriter(stores, embedder, tokens, lease, self._progress).recover()
        self._write_collection(self._contents(stores), "chunks", {"missing vectors"}, lease)
        self._publish(lease, CorpusCheck.of(self._connection, self._corpus).unfinished())

    def _publish(self, lease: Lease, rebuilt: Sequence[str]) -> None:
        stores = self._stores()
        embedder = self._connection.embedder_of(stores.record)
        no_llm, near_copies = LazyOperation(raise_llm_not_configured), self._connection.settings.near_copies
        publishing = Publishing(embedder, lease, self._progress, no_llm, near_copies=near_copies)
        publishing.publish(stores, rebuilt, {}, self._changed_graphs)
