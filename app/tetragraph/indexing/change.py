"""A change of a corpus, from the first document to the published generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tetragraph.connection import Connection
from tetragraph.executors import LOCAL, Executor
from tetragraph.indexing.documents import DocumentWriter, find_pending
from tetragraph.indexing.inventory import describe, find_changed_graphs
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.publishing import Publishing, delete_pending_notes
from tetragraph.indexing.report import IngestReport
from tetragraph.llm import LazyOperation
from tetragraph.progress import Progress, Stopwatch
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.registry import BUILD_TARGETS


class CorpusChange:
    """One change of a corpus, from the first document to the new generation."""

    def __init__(
        self,
        connection: Connection,
        stores: CorpusStores,
        lease: Lease,
        progress: Progress,
        llm: LazyOperation,
        executor: Executor = LOCAL,
    ) -> None:
        self._connection = connection
        self._name = stores.name
        self._llm = llm
        self._executor = executor
        self.watch = Stopwatch()
        with self.watch.stage("model"):
            embedder = connection.embedder_of(stores.record)
        self._changed_graphs: dict[str, dict[str, int]] = {}
        lease.call_before_first_change(self._find_changed_graphs)
        near_copies = connection.settings.near_copies
        self._publishing = Publishing(embedder, lease, progress, llm, self.watch, near_copies, executor)
        tokens = stores.record.settings["chunk_tokens"]
        self.writer = DocumentWriter(stores, embedder, tokens, lease, progress, executor)

    def publish_first(self) -> None:
        """Publish the first documents of a new corpus, without graphs, so that they are found while others are read."""
        stores = self._connection.stores(self._name)
        if stores.record.published == 0:
            replace(self._publishing, watch=Stopwatch()).publish(stores, (), {})  # its time is that of the documents

    def complete_interrupted(self) -> None:
        """Publish what an interrupted change has written, if it left notes.

        Notes name documents and chunks by their ids: this is called before something gives documents other ids.
        """
        stores = self._connection.stores(self._name)
        if find_pending(stores):
            replace(self._publishing, watch=Stopwatch()).publish(stores, (), {}, self._changed_graphs)

    def publish(
        self,
        build: Sequence[str],
        rebuilt: Sequence[str],
        deleted: tuple[str, ...] = (),
        options: Mapping[str, Any] | None = None,
        notes: tuple[str, ...] = (),
    ) -> IngestReport:
        """Publish if anything has changed, and return the report."""
        stores = self._connection.stores(self._name)
        new = [graph for graph in build if graph not in stores.record.graphs]
        record = stores.record
        is_complete = 0 < record.published == record.generation and not find_pending(stores)
        is_complete = is_complete and record.chunks is not None  # published by a version without these numbers
        written = not is_complete or bool(new) or bool(rebuilt)
        if written:
            self._publishing.publish(stores, {*new, *rebuilt}, options or {}, self._changed_graphs)
        else:
            delete_pending_notes(stores, stores.record.published)
        done = self.writer.report
        return IngestReport(
            added=tuple(done.added),
            changed=tuple(done.changed),
            deleted=deleted,
            unchanged=done.unchanged,
            recovered=done.recovered,
            skipped=tuple(done.skipped),
            counts=stores.graph.read("corpus/count_corpus", corpus=self._name)[0],
            generation=self._connection.stores(self._name).record.generation,
            written=written,
            notes=(
                *self._executor.notes,
                *stores.notes,
                *self._llm.notes,
                *done.reading_notes.lines(),
                *done.note_languages(stores.record.embedder),
                *self._notes(),
                *self._notes_of_loss(rebuilt),
                *notes,
            ),
            seconds={stage: round(seconds, 3) for stage, seconds in self.watch.seconds.items()},
            usage=self._llm.usage,
            executor=self._executor.name,
        )

    def _find_changed_graphs(self) -> None:
        self._changed_graphs |= find_changed_graphs(self._connection.stores(self._name))

    def _notes_of_loss(self, rebuilt: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            f"the {BUILD_TARGETS[name].title} was changed by something else than tetragraph ({describe(words)}): "
            f"`tetragraph build {name} -c {self._name}` restores it"
            for name, words in self._changed_graphs.items()
            if name not in rebuilt
        )

    def _notes(self) -> tuple[str, ...]:
        stores, limit = self._connection.stores(self._name), self._connection.settings.tree_drift
        drifts = {name: BUILD_TARGETS[name].drift(stores) for name in stores.record.graphs}
        return tuple(
            f"updates have reduced the information in the {BUILD_TARGETS[name].title} by {drift:.1%}: "
            f"`tetragraph build {name} -c {self._name} --if-drifted` rebuilds it"
            for name, drift in drifts.items()
            if drift > limit
        )
