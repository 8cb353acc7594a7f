"""Reads the documents of a corpus from Neo4j, in their current state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tetragraph.errors import UnknownDocument
from tetragraph.host.batches import in_batches
from tetragraph.model import Chunk
from tetragraph.model.characters import spellings
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores

_COUNTED = 10_000
"""Documents whose languages are read at a time."""


def find_records(stores: CorpusStores, after: str, limit: int) -> tuple[DocumentRecord, ...]:
    """Records of at most ``limit`` documents whose ids come after ``after``, in order of id."""
    rows = stores.graph.read("corpus/find_documents", corpus=stores.name, after=after, limit=limit)
    return tuple(_record(row["document"]) for row in rows)


def read_document(stores: CorpusStores, document: str, first: int, limit: int) -> StoredDocument:
    """A document with at most ``limit`` of its chunks, from position ``first`` on.

    Where the corpus has no document with this id, one with the same characters in another form of Unicode is meant: the
    names of files have that of the machine that made them.

    Raises:
        UnknownDocument: the corpus has no such document.
    """
    known = (stores.graph.get("corpus/get_document", corpus=stores.name, document=one) for one in spellings(document))
    row = next(filter(None, known), None)
    if row is None:
        raise UnknownDocument(
            f"corpus {stores.name!r} has no document {document!r:.200}: a hit names its own in chunk.document_id"
        )
    identity = row["document"]["id"]
    rows = stores.graph.read(
        "corpus/find_chunks_of_document", corpus=stores.name, document=identity, first=first, limit=limit
    )
    chunks = tuple(map(chunk_table.from_row, rows))
    return StoredDocument(_record(row["document"]), chunks, tuple(_find_left_out(row["document"], chunks)))


def count_languages(stores: CorpusStores, documents: Collection[str]) -> dict[str, int]:
    """Number of some documents by code of their language; those whose language is unknown are left out."""
    counts: Counter[str] = Counter()
    for some in in_batches(sorted(documents), _COUNTED):
        rows = stores.graph.read("corpus/find_languages", corpus=stores.name, ids=some)
        counts.update(row["language"] for row in rows)
    return dict(counts)


def _find_left_out(document: Mapping[str, Any], chunks: Sequence[Chunk]) -> Iterator[tuple[int, str]]:
    """Yield the parts of the text that are not indexed: all beside all chunks, otherwise those between the chunks."""
    is_whole = len(chunks) == document.get("chunks", 0)
    for start, text in _left_out(document):
        if is_whole or (chunks and chunks[0].start <= start < chunks[-1].end):
            yield start, text


def _left_out(document: Mapping[str, Any]) -> list[tuple[int, str]]:
    return [(start, text) for start, text in json.loads(document.get("left_out", "[]"))]


def _record(document: Mapping[str, Any]) -> DocumentRecord:
    metadata = {key.removeprefix("meta_"): value for key, value in sorted(document.items()) if key.startswith("meta_")}
    return DocumentRecord(
        document["id"],
        document["title"],
        document.get("source", ""),
        document.get("chunks", 0),
        metadata,
        sum(len(text) for _, text in _left_out(document)),
        document.get("language", ""),
    )
