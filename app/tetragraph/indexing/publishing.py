"""The last step of every change: entities and graphs follow the chunks, and a new generation is published."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from tetragraph.executors import LOCAL, Executor
from tetragraph.indexing import corpus_entities
from tetragraph.indexing.corpus_terms import update_terms
from tetragraph.indexing.documents import find_change
from tetragraph.indexing.inventory import Inventory
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.near_copies import update_near_copies
from tetragraph.language.embedders import Embedder
from tetragraph.language.lexicon.stemming import choose_languages
from tetragraph.llm import Operation
from tetragraph.progress import Progress, Stopwatch
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import StagedSet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.stores.graph import Statement
from tetragraph.systems.base import BuildContext, BuildReport
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

logger = logging.getLogger("tetragraph")


@dataclass(frozen=True, slots=True)
class Publishing:
    """Dependencies of one publish.

    Attributes:
        embedder: The embedder of the corpus.
        lease: The exclusive right to change the corpus.
        progress: Receives every stage.
        llm: Returns the language model operation, which starts on its first call.
        watch: Measures every stage.
        near_copies: Whether near copies are looked for; otherwise there are none.
        executor: Where builds compute what is expensive.
    """

    embedder: Embedder
    lease: Lease
    progress: Progress
    llm: Callable[[], Operation]
    watch: Stopwatch = field(default_factory=Stopwatch)
    near_copies: bool = True
    executor: Executor = LOCAL

    def publish(
        self,
        stores: CorpusStores,
        rebuilt: Collection[str],
        options: Mapping[str, Any],
        changed_graphs: Collection[str] = (),
        switch: Sequence[Statement] = (),
    ) -> int:
        """Update entities and graphs to the current chunks, and publish a new generation.

        Every publish updates all graphs of the corpus; those in ``rebuilt`` are computed on all chunks instead.

        Args:
            stores: The stores of the corpus.
            rebuilt: Names of the build targets that are built, not updated.
            options: Build options by name of the target; the stored options where absent.
            changed_graphs: Names of the build targets that something else had changed before this change (see
                :func:`tetragraph.indexing.inventory.find_changed_graphs`); unless rebuilt, they keep their published
                counts, so that the loss is still found.
            switch: Statements of the transaction that publishes.

        Returns:
            The new generation.
        """
        with ExitStack() as stack:
            with self.watch.stage("read"):
                staged = stack.enter_context(chunk_table.stage(stores))
                table = ChunkTable(staged.arrays)
                change = find_change(stores)
                stores = _with_stem_languages(stores)
            self._update_words(stores, table)
            if stores.record.must_rebuild:
                rebuilt = {*rebuilt, *stores.record.graphs}
            reports = self._update_graphs(stores, table, change, rebuilt, options)
            self.lease.hold()
            contents = Inventory.read(stores, list(reports)).to_publish({*changed_graphs} - {*rebuilt})
            published = {"corpus": stores.name, "graphs": list(reports), "contents": contents}
            row = stores.graph.write_all(
                [*switch, ("reembed/delete_rebuild", {"corpus": stores.name}), ("ingest/upsert_published", published)]
            )[0]
            generation = int(row["generation"])
            with self.watch.stage("arrays"):
                _prepare(stores, staged, generation, reports)
        stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.watch.seconds.items())
        logger.info("corpus %s: published generation %d (%s)", stores.name, generation, stages)
        return generation

    def _update_words(self, stores: CorpusStores, table: ChunkTable) -> None:
        """Update what follows from the words of the chunks, which are in memory only meanwhile."""
        chunks = table.chunks()
        with self.watch.stage("entities"):
            self.lease.hold()
            analysis = corpus_entities.analyse(stores, chunks)
            corpus_entities.update_entities(stores, chunks, analysis, self.progress)
        with self.watch.stage("terms"):
            self.lease.hold()
            update_terms(stores, analysis, table.vectors, self.progress)
        with self.watch.stage("copies"):
            self.lease.hold()
            update_near_copies(stores, chunks, analysis, self.progress, wanted=self.near_copies)

    def _update_graphs(
        self,
        stores: CorpusStores,
        table: ChunkTable,
        change: Change,
        rebuilt: Collection[str],
        options: Mapping[str, Any],
    ) -> dict[str, BuildReport | None]:
        """Build or update every graph; returns their reports by name, in order of name."""
        context = BuildContext(stores, table, self.embedder, self.progress, self.llm, self.executor)
        reports: dict[str, BuildReport | None] = {}
        for name in sorted({*stores.record.graphs, *rebuilt}):
            target = BUILD_TARGETS[name]
            with self.watch.stage(name):
                self.lease.hold()
                is_rebuilt = name in rebuilt
                report = target.build(context, options.get(name)) if is_rebuilt else target.update(context, change)
                reports[name] = report
        return reports


def _with_stem_languages(stores: CorpusStores) -> CorpusStores:
    """The stores with a record that has the languages to stem in the present documents."""
    counts = stores.graph.read("corpus/count_languages", corpus=stores.name)
    languages = choose_languages({row["language"]: row["documents"] for row in counts})
    return replace(stores, record=replace(stores.record, stem_languages=languages))


def _prepare(
    stores: CorpusStores, staged: StagedSet, generation: int, reports: Mapping[str, BuildReport | None]
) -> None:
    """Complete the array cache, so that the first search does not wait."""
    if not stores.record.has_arrays:
        delete_pending_notes(stores, generation)
        return
    record = replace(stores.record, generation=generation, published=generation)
    stores.arrays.publish(staged, generation)
    complete = replace(stores, record=record)
    for retriever in RETRIEVERS.values():
        if not retriever.requires or retriever.requires in reports:
            retriever.prepare(complete, reports.get(retriever.requires))
    delete_pending_notes(stores, generation)


def delete_pending_notes(stores: CorpusStores, generation: int) -> None:
    """Delete the notes on changes that a published generation contains; a kill may have left some."""
    stores.graph.write("ingest/delete_pending_documents", corpus=stores.name, published=generation)
