"""Writes documents to Neo4j first, then to Qdrant, so that a kill at any moment can be recovered from.

Every transaction that changes documents leaves a ``PendingDocument`` node with the added and removed chunks. It records
which vectors are still missing and, until everything built on the documents is complete, which chunks the builds have
to apply. The next run therefore finds everything that is left to do in the graph itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from typing import Any, TypeVar

from tetragraph.errors import EmbeddingFailed
from tetragraph.indexing.chunking import split_many
from tetragraph.indexing.document_checks import find_fault
from tetragraph.indexing.embedding import ChunkVectors, embed_chunks
from tetragraph.indexing.lease import Lease
from tetragraph.language.embedders import Embedder
from tetragraph.model import Chunk, Document, Unreadable
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.stores.graph import Statement
from tetragraph.stores.vectors import Point

Item = TypeVar("Item")

BATCH_DOCUMENTS = 256
"""Documents of one transaction; what a kill can cost is one batch of embedding."""


@dataclass(slots=True)
class DocumentReport:
    """Documents of an ingest by outcome."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: int = 0
    recovered: int = 0
    skipped: list[Unreadable] = field(default_factory=list)


class DocumentWriter:
    """Writes documents of one corpus; the caller holds the lease."""

    def __init__(
        self, stores: CorpusStores, embedder: Embedder, chunk_tokens: int, lease: Lease, progress: Progress
    ) -> None:
        self._stores = stores
        self._embedder = embedder
        self._chunk_tokens = chunk_tokens
        self._lease = lease
        self._progress = progress
        self.report = DocumentReport()

    def ingest(self, documents: Iterable[Document | Unreadable], total: int | None = None) -> None:
        """Bring the documents in; one that is there with the same hash costs nothing.

        Args:
            documents: What a loader gives.
            total: About how many documents that will be, for the progress bar.

        Raises:
            CorpusBusy: the lease was lost on the way; what is written stays, and the next run goes on.
        """
        self._progress.start("documents", total, "documents")
        self._progress.start("embedding", None, "chunks")
        for batch in _batches(self._readable(documents), BATCH_DOCUMENTS):
            known = self._find_hashes(batch)
            new = [document for document in batch if known.get(document.id) != document.sha256]
            self.report.unchanged += len(batch) - len(new)
            self._progress.advance("documents", len(batch) - len(new))
            if new:  # a vector store that is away, or has the collection of another database, fails before all else
                self._stores.vectors.layout(self._stores.name, "chunks")
            embedded = self._embedded(new)
            self._write(embedded)
            for document_id in (one.document.id for one in embedded):
                (self.report.changed if document_id in known else self.report.added).append(document_id)
            self._progress.advance("documents", len(new))
        self._progress.finish("embedding")
        self._progress.finish("documents")

    def delete(self, ids: Sequence[str]) -> None:
        """Take documents away with their chunks and vectors."""
        for some in _batches(ids, BATCH_DOCUMENTS):
            rows = [{"id": document_id, "chunk_ids": []} for document_id in some]
            self._commit(rows, [("ingest/delete_documents", {"corpus": self._stores.name, "ids": some})])
        self._write_pending()

    def recover(self) -> None:
        """Write the vectors that an interrupted run left to be written; the chunks are in Neo4j, so no file is read."""
        self.report.recovered += self._write_pending()

    def _write_pending(self) -> int:
        """Bring the vector store up to the documents that came or went, and say how many those were."""
        unwritten = [row for row in find_pending(self._stores) if not row["vectors"]]
        if not unwritten:
            return 0
        self._progress.start("embedding", None, "chunks")
        for some in _batches(unwritten, BATCH_DOCUMENTS):
            self._lease.hold()
            wanted = [chunk_id for row in some for chunk_id in row["added"]]
            chunks = list(chunk_table.fetch(self._stores, wanted).values())
            points = _points(chunks, self._embed(chunks))
            self._write_vectors(points, [chunk_id for row in some for chunk_id in row["removed"]])
            self._mark(row["id"] for row in some)
        self._progress.finish("embedding")
        return len(unwritten)

    def _readable(self, documents: Iterable[Document | Unreadable]) -> Iterator[Document]:
        for document in documents:
            if isinstance(document, Unreadable):
                self.report.skipped.append(document)
            elif fault := find_fault(document):
                self.report.skipped.append(Unreadable(document.source or document.id, fault))
            else:
                yield document

    def _find_hashes(self, batch: Sequence[Document]) -> dict[str, str]:
        """Hash by id of those that the corpus has."""
        ids = [document.id for document in batch]
        rows = self._stores.graph.read("ingest/find_documents_by_id", corpus=self._stores.name, ids=ids)
        return {row["id"]: row["sha256"] for row in rows}

    def _embedded(self, documents: Sequence[Document]) -> list[_Embedded]:
        """Documents with their chunks and vectors; one whose embedding fails is left out and reported."""
        split = split_many(documents, max_tokens=self._chunk_tokens, count_tokens=self._embedder.count_tokens)
        try:
            return self._embed_all(documents, split)
        except EmbeddingFailed:
            return [one for pair in zip(documents, split, strict=True) for one in self._embed_one(*pair)]

    def _embed_all(self, documents: Sequence[Document], split: Sequence[Sequence[Chunk]]) -> list[_Embedded]:
        vectors = self._embed([chunk for chunks in split for chunk in chunks])
        bounds = [0, *accumulate(len(chunks) for chunks in split)]
        return [
            _Embedded(document, chunks, vectors[start:end])
            for document, chunks, (start, end) in zip(documents, split, pairwise(bounds), strict=True)
        ]

    def _embed_one(self, document: Document, chunks: Sequence[Chunk]) -> list[_Embedded]:
        try:
            return [_Embedded(document, chunks, self._embed(chunks))]
        except EmbeddingFailed as error:
            self.report.skipped.append(Unreadable(document.source or document.id, str(error)))
            return []

    def _embed(self, chunks: Sequence[Chunk]) -> ChunkVectors:
        return embed_chunks(self._embedder, self._stores.record.sentences, chunks, self._count_embedded)

    def _count_embedded(self, chunks: int) -> None:
        self._progress.advance("embedding", chunks)

    def _write(self, documents: Sequence[_Embedded]) -> None:
        if not documents:
            return
        corpus = self._stores.name
        rows = [{"id": one.document.id, "chunk_ids": [chunk.id for chunk in one.chunks]} for one in documents]
        properties = [{"id": one.document.id, "properties": _properties(one.document)} for one in documents]
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
        self._mark(one.document.id for one in documents)

    def _commit(
        self, rows: Sequence[Mapping[str, Any]], statements: Sequence[Statement], metadata_keys: Iterable[str] = ()
    ) -> list[str]:
        """One transaction: note what changes, change it, raise the generation. Returns the ids of lost chunks."""
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

    def _mark(self, ids: Iterable[str]) -> None:
        self._stores.graph.write("ingest/upsert_vectors_written", corpus=self._stores.name, ids=list(ids))


@dataclass(frozen=True, slots=True)
class _Embedded:
    document: Document
    chunks: Sequence[Chunk]
    vectors: ChunkVectors


def find_pending(stores: CorpusStores) -> list[dict[str, Any]]:
    """Added and removed chunks since the last published generation, one row per document."""
    return stores.graph.read("ingest/find_pending_documents", corpus=stores.name)


def find_change(stores: CorpusStores) -> Change:
    """The chunks that the builds have to take in and to forget."""
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


def _properties(document: Document) -> dict[str, Any]:
    metadata = {f"meta_{key}": value for key, value in document.metadata.items()}
    return {"title": document.title, "source": document.source, "sha256": document.sha256, **metadata}


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
            "sha256": hashlib.sha256(chunk.text.encode()).hexdigest(),
            "previous": previous,
        }
        previous = chunk.id


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
