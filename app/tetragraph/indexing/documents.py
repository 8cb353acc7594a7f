"""Writes documents to Neo4j first, then to Qdrant, so that a run can be resumed after a kill at any time.

Every transaction that changes documents writes a ``PendingDocument`` node with the added and removed chunks. It records
which vectors are still missing and, until everything built on the documents is complete, which chunks the builds have
to apply. The next run therefore finds all unfinished work in the graph itself.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from tetragraph.executors import LOCAL, Executor
from tetragraph.host.batches import in_batches
from tetragraph.host.processors import map_ahead
from tetragraph.indexing.document_checks import describe_place, find_fault
from tetragraph.indexing.embedded_documents import Embedded, EmbeddedDocument, EmbedDocuments, embed_documents
from tetragraph.indexing.embedding import ChunkVectors, embed_chunks
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.origins import find_collision, is_elsewhere, write_places
from tetragraph.indexing.reading_notes import ReadingNotes
from tetragraph.indexing.succession import hold_successors
from tetragraph.language.detection import describe_others
from tetragraph.language.embedders import ENGLISH, Embedder
from tetragraph.language.embedders.steps import executor_of
from tetragraph.model import Chunk, Document, Unreadable
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.stores.graph import Statement
from tetragraph.stores.vectors import Point

BATCH_DOCUMENTS = 256
"""Largest number of documents of one transaction; a kill loses at most the embeddings of two batches."""
BATCH_CHARACTERS = 500_000
"""Number of characters after which a batch ends; about 300 chunks."""
FIRST_DOCUMENTS = 64
"""Largest number of documents of the first batch of an ingest, which is searchable when it is written."""
FIRST_CHARACTERS = 25_000
"""Number of characters after which it ends."""


@dataclass(slots=True)
class DocumentReport:
    """Documents of an ingest by outcome."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: int = 0
    recovered: int = 0
    skipped: list[Unreadable] = field(default_factory=list)
    reading_notes: ReadingNotes = field(default_factory=ReadingNotes)
    languages: Counter[str] = field(default_factory=Counter)
    """Number of written documents by language; empty for those whose language is unknown."""

    def note_languages(self, embedder: str) -> Iterator[str]:
        """A note on documents in other languages than English: what does not serve them, the embedder at worst."""
        others = describe_others(self.languages)
        if others and embedder in ENGLISH:
            yield (
                f"documents in other languages than English ({others}): {embedder} was made for English; a corpus with "
                "--embedder multilingual finds them better"
            )
        elif others:
            yield (
                f"documents in other languages than English ({others}): facts, sub-questions and answers "
                "without a language model are made for English"
            )


class DocumentWriter:
    """Writes documents of one corpus; the caller holds the lease."""

    def __init__(
        self,
        stores: CorpusStores,
        embedder: Embedder,
        chunk_tokens: int,
        lease: Lease,
        progress: Progress,
        executor: Executor = LOCAL,
    ) -> None:
        self._chunks = 0
        self._stores = stores
        self._embedder = embedder
        self._chunk_tokens = chunk_tokens
        self._lease = lease
        self._progress = progress
        self._executor = executor_of(stores.record.embedder, executor)
        self.report = DocumentReport()

    def ingest(
        self,
        documents: Iterable[Document | Unreadable],
        total: int | None = None,
        *,
        moved: bool = False,
        after_first: Callable[[], None] = lambda: None,
    ) -> None:
        """Add or replace documents; those stored with the same hash are skipped.

        Args:
            documents: Documents of a loader, each id once: later batches are begun before earlier ones are written.
            total: Approximate number of documents, for the progress bar.
            moved: Whether files may replace documents that were read from another path.
            after_first: Called when the first batch is written and more documents follow.

        Raises:
            CorpusBusy: the lease was lost meanwhile; written documents stay, and the next run continues.
        """
        self._progress.start("documents", total, "documents")
        self._chunks = 0
        checked = hold_successors(self._readable_documents(documents), self._stores)
        batches = self._embed_batches(_bounded_batches(self._note_skipped(checked)), moved=moved)
        first = next(batches, None)
        if first:  # it is written by itself, as it is not to wait for the second to be embedded
            self._count_written(self._write_batch(first))
            if first.begun.more_follow:
                after_first()
        for written in map_ahead(self._write_batch, batches):
            self._count_written(written)
        if self._chunks:
            self._progress.finish("embedding")
        self._progress.finish("documents")

    def _embed_batches(
        self, batches: Iterable[tuple[Sequence[Document], bool]], *, moved: bool
    ) -> Iterator[_EmbeddedBatch]:
        """Chunks and vectors of batches of documents, of which the executor is given some ahead."""
        begun: deque[_Begun] = deque()
        for batch, more_follow in batches:
            begun.append(self._begin(batch, moved=moved, more_follow=more_follow))
            while len(begun) > self._executor.ahead:
                yield self._embed_batch(begun.popleft())
        while begun:
            yield self._embed_batch(begun.popleft())

    def _begin(self, batch: Sequence[Document], *, moved: bool, more_follow: bool) -> _Begun:
        """Select what is new of a batch, and let it be embedded."""
        known = self._find_stored(batch)
        new = self._select_new(batch, known, moved=moved)
        self._progress.advance("documents", len(batch) - len(new))
        if new:  # a vector store that is away, or has the collection of another database, fails before all else
            self._stores.vectors.layout(self._stores.name, "chunks")
        executor = self._executor if new else LOCAL
        step = EmbedDocuments(self._embedder.name, self._chunk_tokens, self._stores.record.sentences)
        result = executor.begin(step, new, self._embed_here)
        return _Begun(new, {*known}, result, more_follow=more_follow, is_elsewhere=executor.ahead > 0)

    def _embed_batch(self, begun: _Begun) -> _EmbeddedBatch:
        documents = list(self._with_vectors(begun.new, begun.result(), is_counted=not begun.is_elsewhere))
        return _EmbeddedBatch(begun, documents)

    def _write_batch(self, batch: _EmbeddedBatch) -> _EmbeddedBatch:
        self._write(batch.documents)
        return batch

    def _count_written(self, batch: _EmbeddedBatch) -> None:
        for one in batch.documents:
            self.report.reading_notes.add(one.document)
            self.report.languages[one.language] += 1
            (self.report.changed if one.document.id in batch.begun.known else self.report.added).append(one.document.id)
        self._progress.advance("documents", len(batch.begun.new))

    def delete(self, ids: Sequence[str]) -> None:
        """Delete documents with their chunks and vectors."""
        for some in in_batches(ids, BATCH_DOCUMENTS):
            rows = [{"id": document_id, "chunk_ids": []} for document_id in some]
            self._commit(rows, [("ingest/delete_documents", {"corpus": self._stores.name, "ids": some})])
        self._write_pending()

    def recover(self) -> None:
        """Write the missing vectors of an interrupted run; the chunks are in Neo4j, so no file is read."""
        self.report.recovered += self._write_pending()

    def _write_pending(self) -> int:
        """Update the vector store to the added and removed documents; returns their number."""
        unwritten = [row for row in find_pending(self._stores) if not row["vectors"]]
        if not unwritten:
            return 0
        self._progress.start("embedding", None, "chunks")
        for some in in_batches(unwritten, BATCH_DOCUMENTS):
            self._lease.hold()
            wanted = [chunk_id for row in some for chunk_id in row["added"]]
            chunks = list(chunk_table.fetch(self._stores, wanted).values())
            points = _points(chunks, self._embed(chunks))
            self._write_vectors(points, [chunk_id for row in some for chunk_id in row["removed"]])
            self._mark_vectors_written(row["id"] for row in some)
        self._progress.finish("embedding")
        return len(unwritten)

    def _readable_documents(self, documents: Iterable[Document | Unreadable]) -> Iterator[Document | Unreadable]:
        for item in documents:
            fault = find_fault(item) if isinstance(item, Document) else ""
            yield Unreadable(describe_place(item), fault) if isinstance(item, Document) and fault else item

    def _note_skipped(self, items: Iterable[Document | Unreadable]) -> Iterator[Document]:
        for item in items:
            if isinstance(item, Unreadable):
                self.report.skipped.append(item)
            else:
                yield item

    def _find_stored(self, batch: Sequence[Document]) -> dict[str, dict[str, Any]]:
        """Hash, source and origin by id of the documents that are stored."""
        ids = [document.id for document in batch]
        rows = self._stores.graph.read("ingest/find_documents_by_id", corpus=self._stores.name, ids=ids)
        return {row["id"]: row for row in rows}

    def _select_new(
        self, batch: Sequence[Document], known: Mapping[str, Mapping[str, Any]], *, moved: bool
    ) -> list[Document]:
        """Select the documents to write: neither unchanged ones nor those that would replace another document."""
        new: list[Document] = []
        elsewhere: list[Document] = []
        for document in batch:
            stored = known.get(document.id)
            if stored is None or stored["sha256"] != document.sha256:
                collision = "" if stored is None or moved else find_collision(document, stored)
                if collision:
                    self.report.skipped.append(Unreadable(document.source or document.id, collision))
                else:
                    new.append(document)
                continue
            self.report.unchanged += 1
            if is_elsewhere(document, stored) or (moved and stored["origin"] != document.origin):
                elsewhere.append(document)
        is_shown = any(known[document.id]["source"] != document.source for document in elsewhere)
        write_places(self._stores, self._lease, elsewhere, is_shown=is_shown)
        return new

    def _embed_here(self, documents: Sequence[Document]) -> list[Embedded]:
        sentences = self._stores.record.sentences
        counted = (self._count_split, self._count_embedded)
        return embed_documents(self._embedder, self._chunk_tokens, sentences, documents, *counted)

    def _with_vectors(
        self, documents: Sequence[Document], found: Sequence[Embedded], *, is_counted: bool
    ) -> Iterator[EmbeddedDocument]:
        """Documents with their chunks and vectors; documents whose embedding fails are left out and reported."""
        for document, one in zip(documents, found, strict=True):
            if isinstance(one, str):
                self.report.skipped.append(Unreadable(document.source or document.id, one))
                continue
            if not is_counted:
                self._count_split(len(one[0]))
                self._count_embedded(len(one[0]))
            yield EmbeddedDocument(document, *one)

    def _embed(self, chunks: Sequence[Chunk]) -> ChunkVectors:
        return embed_chunks(self._embedder, self._stores.record.sentences, chunks, self._count_embedded)

    def _count_split(self, chunks: int) -> None:
        if chunks:  # a stage without anything to embed is not shown
            self._chunks += chunks
            self._progress.start("embedding", self._chunks, "chunks")

    def _count_embedded(self, chunks: int) -> None:
        if chunks:
            self._progress.advance("embedding", chunks)

    def _write(self, documents: Sequence[EmbeddedDocument]) -> None:
        if not documents:
            return
        corpus = self._stores.name
        rows = [{"id": one.document.id, "chunk_ids": [chunk.id for chunk in one.chunks]} for one in documents]
        properties = [{"id": one.document.id, "properties": _properties(one)} for one in documents]
        chunks = [row for one in documents for row in _chunk_rows(one.chunks)]
        keys = sorted({key for one in documents for key in one.document.metadata})
        lost = self._commit(
            rows,
            [
                ("ingest/upsert_documents", {"corpus": corpus, "rows": properties}),
                ("ingest/upsert_chunks", {"corpus": corpus, "rows": chunks}),
            ],
            keys,
        )
        self._write_vectors([point for one in documents for point in _points(one.chunks, one.vectors)], lost)
        self._mark_vectors_written(one.document.id for one in documents)

    def _commit(
        self, rows: Sequence[Mapping[str, Any]], statements: Sequence[Statement], metadata_keys: Iterable[str] = ()
    ) -> list[str]:
        """Note a change, apply it and raise the generation, in one transaction; returns the ids of removed chunks."""
        corpus = self._stores.name
        self._lease.hold()
        lost = self._stores.graph.read("ingest/find_lost_chunks", corpus=corpus, rows=rows)
        self._stores.graph.write_all(
            [
                ("ingest/upsert_pending_documents", {"corpus": corpus, "rows": rows}),
                ("ingest/delete_lost_chunks", {"corpus": corpus, "rows": rows}),
                *statements,
                ("ingest/upsert_generation", {"corpus": corpus, "metadata_keys": list(metadata_keys)}),
            ]
        )
        return [row["id"] for row in lost]

    def _write_vectors(self, points: Sequence[Point], lost: Sequence[str]) -> None:
        name = self._stores.name
        present = {point.id for point in points}
        has_sentences = self._stores.record.sentences != "none"
        self._stores.vectors.ensure(name, "chunks", self._embedder.dimension, sentences=has_sentences)
        self._stores.vectors.delete(name, "chunks", [chunk_id for chunk_id in lost if chunk_id not in present])
        self._stores.vectors.upsert(name, "chunks", points)

    def _mark_vectors_written(self, ids: Iterable[str]) -> None:
        self._stores.graph.write("ingest/upsert_vectors_written", corpus=self._stores.name, ids=list(ids))


@dataclass(frozen=True, slots=True)
class _Begun:
    """A batch that is being embedded.

    Attributes:
        new: The documents to write.
        known: Ids of those that replace a stored version.
        result: Waits for their chunks and vectors.
        more_follow: Whether another batch follows.
        is_elsewhere: Whether a worker embeds it, which reports no progress.
    """

    new: Sequence[Document]
    known: Set[str]
    result: Callable[[], list[Embedded]]
    more_follow: bool
    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class _EmbeddedBatch:
    """A batch with its documents' chunks and vectors, without the documents that could not be embedded."""

    begun: _Begun
    documents: Sequence[EmbeddedDocument]


def find_pending(stores: CorpusStores) -> list[dict[str, Any]]:
    """Added and removed chunks since the last published generation, one row per document."""
    return stores.graph.read("ingest/find_pending_documents", corpus=stores.name)


def find_change(stores: CorpusStores) -> Change:
    """The chunks that the builds have to add and remove."""
    pending = find_pending(stores)
    added = {chunk_id for row in pending for chunk_id in row["added"]}
    removed = {chunk_id for row in pending for chunk_id in row["removed"]} - added
    return Change(tuple(sorted(added)), tuple(sorted(removed)))


def passage_hash(chunk: Chunk) -> str:
    """Hash of the embedded text of a chunk; stored with its vector, so that a stale vector is recognised."""
    return hashlib.sha256(chunk.passage.encode()).hexdigest()


def _points(chunks: Sequence[Chunk], vectors: ChunkVectors) -> list[Point]:
    return [
        Point(chunk.id, vectors.passages[row], passage_hash(chunk), chunk.metadata, vectors.of_sentences(row))
        for row, chunk in enumerate(chunks)
    ]


def _properties(embedded: EmbeddedDocument) -> dict[str, Any]:
    document = embedded.document
    metadata = {f"meta_{key}": value for key, value in document.metadata.items()}
    origin = {"origin": document.origin} if document.origin else {}
    named: dict[str, Any] = {"title": document.title, "source": document.source, "sha256": document.sha256}
    if document.named_by_file:
        named["named_by_file"] = True
    if embedded.language:
        named["language"] = embedded.language
    if document.left_out:
        named["left_out"] = json.dumps([[start, document.text[start:end]] for start, end in document.left_out])
    return {**named, "chunks": len(embedded.chunks), **origin, **metadata}


def _chunk_rows(chunks: Sequence[Chunk]) -> Iterator[dict[str, Any]]:
    previous = None
    for chunk in chunks:
        yield {
            "id": chunk.id,
            "document_id": chunk.document_id,
            "text": chunk.text,
            "title": chunk.title,
            "position": chunk.position,
            "start": chunk.start,
            "end": chunk.end,
            "tokens": chunk.tokens,
            "page": chunk.page,
            "location": chunk.location or None,
            "section": chunk.section or None,
            "sha256": hashlib.sha256(chunk.text.encode()).hexdigest(),
            "previous": previous,
        }
        previous = chunk.id


def _bounded_batches(documents: Iterable[Document]) -> Iterator[tuple[list[Document], bool]]:
    """Batches of documents, and whether more follow; the first is a small one.

    Only one document of the next batch is read before a batch is returned: reading can take longer than writing.
    """
    most, longest = min(FIRST_DOCUMENTS, BATCH_DOCUMENTS), min(FIRST_CHARACTERS, BATCH_CHARACTERS)
    iterator = iter(documents)
    following = next(iterator, None)
    while following is not None:
        batch: list[Document] = []
        characters = 0
        while following is not None and len(batch) < most and characters < longest:
            batch.append(following)
            characters += len(following.text)
            following = next(iterator, None)
        yield batch, following is not None
        most, longest = BATCH_DOCUMENTS, BATCH_CHARACTERS
