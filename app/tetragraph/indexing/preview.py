"""Preview of an ingest: what would be read, skipped and changed, and about how long it takes; nothing is written."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from tetragraph.connection import Connection
from tetragraph.errors import EmbeddingFailed
from tetragraph.host.batches import in_batches
from tetragraph.indexing import sources
from tetragraph.indexing.chunking import split_many
from tetragraph.indexing.corpus_settings import check_same, choose_settings
from tetragraph.indexing.document_checks import describe_place, find_fault
from tetragraph.indexing.embedding import embed_chunks
from tetragraph.indexing.furniture import Furniture
from tetragraph.indexing.origins import find_collision
from tetragraph.indexing.reading_notes import ReadingNotes
from tetragraph.indexing.sources import Source
from tetragraph.indexing.succession import hold_successors
from tetragraph.language.embedders import Embedder
from tetragraph.model import Chunk, Document, Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

BATCH = 64
"""Documents that are chunked in one call."""
SAMPLE = 24
"""Chunks that are embedded to measure the time; taken from the whole source."""


@dataclass(frozen=True, slots=True)
class IngestPreview:
    """Counts of what an ingest would do.

    Attributes:
        added: Number of documents that the corpus does not have.
        changed: Number of documents that would replace a stored version.
        unchanged: Number of documents that are stored with the same content.
        formats: Number of documents by the suffix of their file; ``""`` for documents of the caller.
        characters: Characters of the added and changed documents.
        chunks: Chunks of the added and changed documents.
        skipped: Sources that would be skipped, each with the reason.
        notes: What reading has guessed or replaced, in words.
        read_seconds: Time of reading and dividing all documents.
        embed_seconds: Estimate of the time of embedding the chunks on this machine, from a sample; building graphs
            comes on top.
    """

    added: int
    changed: int
    unchanged: int
    formats: dict[str, int]
    characters: int
    chunks: int
    skipped: tuple[Unreadable, ...]
    notes: tuple[str, ...]
    read_seconds: float
    embed_seconds: float


@dataclass(slots=True)
class _Count:
    outcomes: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    chunks: int = 0
    skipped: list[Unreadable] = field(default_factory=list)
    notes: ReadingNotes = field(default_factory=ReadingNotes)
    sample: list[Chunk] = field(default_factory=list)
    stride: int = 1

    def add_to_sample(self, chunks: Sequence[Chunk]) -> None:
        """Keep every ``stride``-th chunk; a sample that has become twice too large is thinned out evenly."""
        for chunk in chunks:
            if self.chunks % self.stride == 0:
                self.sample.append(chunk)
            self.chunks += 1
        while len(self.sample) >= 2 * SAMPLE:
            self.sample = self.sample[::2]
            self.stride *= 2


def preview(
    connection: Connection,
    corpus: str,
    source: Source,
    embedder: str | None,
    chunk_tokens: int | None,
    progress: Progress,
    *,
    sentences: str | None,
    loader: str | None,
    prefix: str | None,
    moved: bool,
    reading: ReadingOptions,
) -> IngestPreview:
    """Read a source as an ingest would; see ``Corpus.preview``."""
    began = time.perf_counter()
    stores = connection.find_stores(corpus)
    found = sources.read_documents(source, loader, prefix, reading)
    documents = hold_successors(Furniture(stores).leave_out(found, reading), stores)
    record = stores.record if stores else None
    if record:
        check_same(record, embedder, {"chunk_tokens": chunk_tokens, "sentences": sentences})
        model, tokens, method = connection.embedder_of(record), record.settings["chunk_tokens"], record.sentences
    else:
        model = connection.embedder(embedder or connection.settings.embedder)
        chosen = choose_settings(model, chunk_tokens, sentences)
        tokens, method = chosen["chunk_tokens"], chosen["sentences"]
    count = _Count()
    progress.start("documents", sources.count_documents(source, loader), "documents")
    for batch in in_batches(documents, BATCH):
        new = list(_select_new(stores, batch, count, moved=moved))
        for chunks in split_many(new, max_tokens=tokens, count_tokens=model.count_tokens):
            count.add_to_sample(chunks)
        progress.advance("documents", len(batch))
    progress.finish("documents")
    read_seconds = time.perf_counter() - began
    return IngestPreview(
        count.outcomes["added"],
        count.outcomes["changed"],
        count.outcomes["unchanged"],
        dict(sorted(count.formats.items(), key=lambda item: (-item[1], item[0]))),
        count.characters,
        count.chunks,
        tuple(count.skipped),
        tuple(count.notes.lines()),
        round(read_seconds, 3),
        round(_estimate_embedding(model, method, count), 3),
    )


def _select_new(
    stores: CorpusStores | None, batch: Sequence[Document | Unreadable], count: _Count, *, moved: bool
) -> Iterator[Document]:
    """Yield the documents that an ingest would write, and count all."""
    checked = [(item, find_fault(item) if isinstance(item, Document) else "") for item in batch]
    ids = [item.id for item, fault in checked if isinstance(item, Document) and not fault]
    rows = stores.graph.read("ingest/find_documents_by_id", corpus=stores.name, ids=ids) if stores else []
    known = {row["id"]: row for row in rows}
    for item, fault in checked:
        if isinstance(item, Unreadable):
            count.skipped.append(item)
            continue
        if fault:
            count.skipped.append(Unreadable(describe_place(item), fault))
            continue
        stored = known.get(item.id)
        is_same = stored is not None and stored["sha256"] == item.sha256
        collision = "" if stored is None or moved or is_same else find_collision(item, stored)
        if collision:
            count.skipped.append(Unreadable(describe_place(item), collision))
            continue
        count.outcomes["added" if stored is None else "unchanged" if is_same else "changed"] += 1
        count.formats[PurePath(item.source.rpartition(":")[0] or item.source).suffix.lower()] += 1
        if not is_same:
            count.characters += len(item.text)
            count.notes.add(item)
            yield item


def _estimate_embedding(embedder: Embedder, sentences: str, count: _Count) -> float:
    """Seconds of embedding all chunks, from those of the sample; 0 without a chunk.

    The model is loaded by a first chunk, which is not measured.
    """
    sample = count.sample[:SAMPLE]
    if not sample:
        return 0.0
    try:
        embed_chunks(embedder, sentences, sample[:1])
        began = time.perf_counter()
        embed_chunks(embedder, sentences, sample)
    except EmbeddingFailed:
        return 0.0
    return (time.perf_counter() - began) / len(sample) * count.chunks
