"""Checks of one corpus: ingest, vectors, graphs and sessions."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tetragraph.connection import Connection
from tetragraph.doctor.findings import Finding, fault
from tetragraph.doctor.vector_checks import Contents
from tetragraph.errors import TetragraphError
from tetragraph.indexing.documents import find_pending
from tetragraph.indexing.embedding import embed_chunks
from tetragraph.indexing.inventory import Inventory, describe
from tetragraph.indexing.lease import find_holder
from tetragraph.language.embedders import SpanEmbedder
from tetragraph.progress import NoProgress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, count_different
from tetragraph.systems.anchor_graph import SessionStore
from tetragraph.systems.base import BuildTarget, CheckContext
from tetragraph.systems.registry import BUILD_TARGETS

SAMPLE = 16
"""Number of chunks that are embedded again to compare their vectors with those of the model."""
_PAGE = 10_000


@dataclass(frozen=True, slots=True)
class CorpusCheck:
    """The checks of one corpus in its current state.

    Attributes:
        connection: Connection to the stores.
        stores: Stores of the corpus.
        contents: Expected contents of its Qdrant collections.
    """

    connection: Connection
    stores: CorpusStores
    contents: Contents

    @classmethod
    def of(cls, connection: Connection, corpus: str) -> CorpusCheck:
        """The checks of the corpus of that name.

        Raises:
            UnknownCorpus: there is no corpus of that name.
        """
        stores = connection.stores(corpus)
        context = CheckContext(stores, lambda: connection.embedder_of(stores.record), NoProgress())
        return cls(connection, stores, Contents(context))

    @property
    def name(self) -> str:
        """Value of ``name`` in the findings."""
        return f"corpus {self.stores.name}"

    @property
    def llm_graphs(self) -> list[str]:
        """Graphs whose build calls a language model; the doctor builds none of them."""
        return [target.name for target in self._built if target.uses_llm(self.stores, None)]

    @property
    def _built(self) -> list[BuildTarget[Any]]:
        return [target for name, target in sorted(BUILD_TARGETS.items()) if name in self.stores.record.graphs]

    def findings(self) -> Iterator[Finding]:
        """All faults, or one finding without a fault.

        Nothing is checked while the corpus is being changed, and after an interrupted change only the requirements of
        completing it: everything else is about to change.
        """
        holder = find_holder(self.stores.graph, self.stores.name)
        if holder and holder.is_alive:
            yield self._busy(f"is being changed by {holder.name}")
            return
        found: list[Finding] = []
        try:
            found.extend(self._faults())
        except TetragraphError as error:  # keep the findings made before the failure
            found.append(fault(self.name, type(error).__name__, str(error)))
        if holder:
            detail = f"{holder.name} ended without giving back the right to change it"
            found.insert(0, self._fault("dead lease", detail))
        if self._has_changed():
            yield self._busy("was changed meanwhile")
        elif found:
            yield from found
        else:
            chunks = f"{len(self.contents.chunks)} chunks, each with its vector"
            yield Finding(self.name, ok=True, detail=f"{chunks}; generation {self.stores.record.generation}")

    def unfinished(self) -> list[str]:
        """Names of the build targets whose last build was interrupted."""
        return [name for name, target in BUILD_TARGETS.items() if target.is_unfinished(self.stores)]

    def _has_changed(self) -> bool:
        holder = find_holder(self.stores.graph, self.stores.name)
        now = self.connection.find_stores(self.stores.name)
        is_same = now is not None and now.record.generation == self.stores.record.generation
        return bool(holder and holder.is_alive) or not is_same

    def _faults(self) -> Iterator[Finding]:
        yield from self._sessions()
        yield from self._cache()
        counts = self.stores.graph.read("doctor/count_faults", corpus=self.stores.name)[0]
        if counts["chunks"] and not counts["documents"]:
            what = f"{counts['chunks']} chunks and no document: dropping it was interrupted, or somebody deleted them"
            again = f"`tetragraph delete {self.stores.name}` finishes that; ingest its documents again to keep it"
            yield fault(self.name, "half dropped", f"{what}: {again}", count=counts["chunks"])
            return
        if self._is_half_dropped(counts):
            detail = f"dropping it was interrupted: `tetragraph delete {self.stores.name}` finishes that"
            yield fault(self.name, "half dropped", detail)
            return
        interrupted = self._interrupted()
        if interrupted:
            yield interrupted
            return
        inventory = Inventory.read(self.stores)
        yield from self._notes()
        yield from self._documents(inventory)
        yield from self._nodes(counts, inventory.changed_graphs)
        yield from self._hashes()
        yield from self._vectors(inventory.changed_graphs)
        yield from self._model()
        yield from self._sample()
        if not self.stores.record.generation:
            again = f"run it again, or `tetragraph delete {self.stores.name}`"
            detail = f"its first ingest has written nothing: {again}"
            yield fault(self.name, "interrupted change", detail, is_mendable=False)

    def _is_half_dropped(self, counts: Mapping[str, int]) -> bool:
        """Whether a generation without documents was begun that no document is noted for: only a drop does that."""
        record = self.stores.record
        is_begun = record.generation != record.published and record.published > 0
        return is_begun and not counts["chunks"] and not counts["documents"] and not find_pending(self.stores)

    def _sessions(self) -> Iterator[Finding]:
        expired = SessionStore(self.stores.graph, self.stores.name).find_expired(datetime.now(UTC))
        if expired:
            detail = f"{len(expired)} sessions are kept beyond their time"
            yield self._fault("expired sessions", detail, count=len(expired))

    def _cache(self) -> Iterator[Finding]:
        if damaged := self.stores.arrays.find_damaged(self.stores.record.key):
            detail = f"{len(damaged)} sets of arrays in the cache are damaged, the first is {damaged[0]}"
            yield self._fault("damaged cache", detail, count=len(damaged))

    def _interrupted(self) -> Finding | None:
        """A change that was started and not published."""
        record = self.stores.record
        pending = find_pending(self.stores)
        vectors = sum(not row["vectors"] for row in pending)
        graphs = self.unfinished()
        if not pending and not graphs and record.published == record.generation:
            return None
        what = [f"{len(pending)} documents came or went"] if pending else []
        what += [f"vectors of {vectors} are not written"] if vectors else []
        what += [f"{', '.join(graphs)} is half made"] if graphs else []
        detail = (
            f"a change was interrupted: {', '.join(what) or 'its generation was not published'}; documents that it had "
            f"not come to need `tetragraph ingest SOURCE --corpus {record.name}` again"
        )
        if llm_graphs := sorted(
            {*self.llm_graphs, *(graph for graph in graphs if BUILD_TARGETS[graph].uses_llm(self.stores, None))}
        ):
            detail += f", and so does all of it here, as a language model is asked for {', '.join(llm_graphs)}"
        return fault(self.name, "interrupted change", detail, count=len(pending), is_mendable=not llm_graphs)

    def _notes(self) -> Iterator[Finding]:
        published = self.stores.record.published
        row = self.stores.graph.read("doctor/count_finished", corpus=self.stores.name, published=published)[0]
        if row["notes"]:
            detail = f"{row['notes']} notes on changes are left that are complete"
            yield self._fault("finished notes", detail, count=row["notes"])

    def _nodes(self, counts: dict[str, int], changed: Mapping[str, Mapping[str, int]]) -> Iterator[Finding]:
        orphans = self.stores.graph.read("doctor/count_orphans", corpus=self.stores.name)[0]
        for part, words in _ORPHANS.items():
            if orphans[part]:
                detail = f"{orphans[part]} {words}"
                yield self._graph_fault("orphaned nodes", detail, part, orphans[part], repaired_by(part))
        for graph, wrong in self._incomplete(counts, changed).items():
            yield self._graph_fault("incomplete graph", describe(wrong), graph, sum(wrong.values()), [graph])

    def _incomplete(
        self, counts: dict[str, int], changed: Mapping[str, Mapping[str, int]]
    ) -> dict[str, dict[str, int]]:
        """Number of inconsistencies by graph and description; 0 for those that are not counted."""
        found: dict[str, Mapping[str, int]] = {
            "entities": {"entities are mentioned by more or fewer chunks than they say": counts["frequencies"]}
        }
        found |= {target.name: target.faults(counts) for target in self._built}
        wrong = {graph: {what: n for what, n in words.items() if n} for graph, words in found.items()}
        for graph in self._without_root():
            wrong[graph]["its root is missing"] = 0
        for graph, words in changed.items():
            wrong[graph] |= words
        return {graph: words for graph, words in wrong.items() if words}

    def _without_root(self) -> list[str]:
        return [target.name for target in self._built if not target.has_root(self.stores)]

    def _documents(self, inventory: Inventory) -> Iterator[Finding]:
        if lost := inventory.lost_documents:
            what = f"{lost} documents have gone that no command deleted"
            yield fault(
                self.name, "missing documents", f"{what}: ingest their sources again, which restores them", count=lost
            )
        yield from self._incomplete_documents()
        unlinked = self.stores.graph.read("doctor/count_unlinked", corpus=self.stores.name)[0]["chunks"]
        if unlinked:
            yield self._fault("missing links", f"{unlinked} chunks lack the link to the next one", count=unlinked)

    def _incomplete_documents(self) -> Iterator[Finding]:
        rows = self.stores.graph.read("doctor/find_incomplete_documents", corpus=self.stores.name)
        if rows:
            what = f"{len(rows)} documents have lost chunks, the first is {rows[0]['id']!r}"
            yield fault(
                self.name, "missing chunks", f"{what}: ingest their sources again, which restores them", count=len(rows)
            )

    def _hashes(self) -> Iterator[Finding]:
        wrong = wrong_hashes(self.contents)
        if wrong:
            detail = f"{len(wrong)} chunks have another text than their hash tells of"
            yield self._fault("wrong hashes", detail, count=len(wrong))

    def _vectors(self, changed: Collection[str]) -> Iterator[Finding]:
        """The faults of all collections; vectors of lost nodes are kept for the build that restores the nodes."""
        context = self.contents.context
        lossy = [target for target in self._built if target.name in changed]
        restored = {source.kind for target in lossy for source in target.vector_sources(context)}
        for kind in self.contents.kinds:
            for finding in self._collection(kind):
                if finding.kind != "orphaned vectors" or kind not in restored:
                    yield finding

    def _collection(self, kind: Kind) -> Iterator[Finding]:
        layout, wanted = self.stores.vectors.layout(self.stores.name, kind), self.contents.layout(kind)
        if layout and not self.contents.fits(kind):
            rooms = {False: "without", True: "with"}
            detail = (
                f"the collection of {kind} has {layout.dimension} numbers a vector, {rooms[layout.sentences]} room for "
                f"those of sentences; the corpus needs {wanted.dimension}, {rooms[wanted.sentences]} that"
            )
            count = self.stores.vectors.count(self.stores.name, kind)
            yield self._fault("wrong layout", detail, kind, count)
            return
        found = self.contents.compare(kind)
        partial = self.contents.with_wrong_sentences() if kind == "chunks" else []
        missing = sorted({*found.missing, *partial})
        if missing:
            lacking = ", or not one for each of their sentences" if partial else ""
            yield self._fault("missing vectors", f"{len(missing)} {kind} have no vector{lacking}", kind, len(missing))
        if found.stale:
            detail = f"{len(found.stale)} {kind} have the vector of another text"
            yield self._fault("stale vectors", detail, kind, len(found.stale))
        if kind == "chunks" and (changed := self.contents.with_other_metadata(found)):
            detail = f"{len(changed)} chunks have other metadata in Qdrant than in Neo4j, the first is {changed[0]}"
            yield self._fault("other metadata", f"{detail}: searches with filters miss them", kind, len(changed))
        if found.orphaned:
            detail = f"{len(found.orphaned)} vectors of {kind} belong to nothing in Neo4j"
            yield self._fault("orphaned vectors", detail, kind, len(found.orphaned))

    def _sample(self) -> Iterator[Finding]:
        """Compare the vectors of some chunks with new embeddings, if the model runs on this machine."""
        ids = list(self.contents.chunks)
        some = ids[:: max(1, len(ids) // SAMPLE)][:SAMPLE]
        embedder = self.contents.context.embedder()
        if not some or not self.contents.fits("chunks") or not isinstance(embedder, SpanEmbedder):
            return
        found = self.contents.compare("chunks")
        reported = {*found.missing, *found.stale}
        some = [chunk for chunk in some if chunk not in reported]
        stored = self.stores.vectors.get(self.stores.name, "chunks", some)
        again = embed_chunks(embedder, "none", [self.contents.chunks[chunk] for chunk in some]).passages
        if count := count_different(again, [stored[chunk] for chunk in some]):
            detail = f"{count} of {len(some)} chunks that were embedded again have a vector that is not the model's"
            yield self._fault("other vectors", detail, "chunks", count)

    def _model(self) -> Iterator[Finding]:
        llm_graphs = self.llm_graphs
        if llm_graphs and not self.connection.settings.llm:
            detail = (
                f"{', '.join(llm_graphs)} was built with a language model, and none is set: the next ingest would "
                f"fail; set TETRAGRAPH_LLM, or build it without one"
            )
            yield fault(self.name, "no language model", detail)

    def _graph_fault(self, kind: str, detail: str, part: str, count: int, graphs: list[str]) -> Finding:
        """A fault that rebuilding graphs repairs; the doctor rebuilds only graphs that need no language model."""
        commands = [graph for graph in graphs if graph != "entities"]
        if commands:
            detail += f": `tetragraph build {commands[0]} -c {self.stores.name}` mends it"
        changed = self.llm_graphs if part == "chunks" else graphs  # deleted chunks change all graphs
        is_mendable = not {*self.llm_graphs} & {*changed}
        return fault(self.name, kind, detail, part=part, count=count, is_mendable=is_mendable)

    def _busy(self, why: str) -> Finding:
        return Finding(self.name, ok=True, detail=f"not looked at: it {why}", kind="busy")

    def _fault(self, kind: str, detail: str, part: str = "", count: int = 0) -> Finding:
        return fault(self.name, kind, detail, part=part, count=count)


_ORPHANS = {
    "chunks": "chunks have no document",
    "entities": "entities are named by nothing",
    "relations": "facts are stated by no chunk",
    "communities": "communities hold nothing",
    "steps": "steps belong to no session",
    "anchors": "anchors were added by no step",
    "aliases": "merged names mean nothing",
}
"""Column of ``doctor/count_orphans`` to a description of what it counts."""


def repaired_by(part: str) -> list[str]:
    """Targets that a publish must rebuild to remove a kind of orphaned nodes; empty if deleting them is enough."""
    if part == "entities":
        return [part]
    return [name for name, target in BUILD_TARGETS.items() if part in target.orphan_kinds]


def wrong_hashes(contents: Contents) -> list[dict[str, str]]:
    """Ids of the chunks whose hash is not that of their text, each with the correct hash."""
    stores = contents.stores
    pages = stores.graph.pages("doctor/find_hashes", by="last", corpus=stores.name, limit=_PAGE)
    known = {node: text for page in pages for node, text in zip(page["ids"], page["texts"], strict=True)}
    right = {chunk.id: hashlib.sha256(chunk.text.encode()).hexdigest() for chunk in contents.chunks.values()}
    return [{"id": chunk, "sha256": sha256} for chunk, sha256 in right.items() if known.get(chunk) != sha256]
