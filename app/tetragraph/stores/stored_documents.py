"""Reads the documents of a corpus from Neo4j, in their current state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetragraph.errors import UnknownDocument
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores


def find_records(stores: CorpusStores, after: str, limit: int) -> tuple[DocumentRecord, ...]:
    """Records of at most ``limit`` documents whose ids come after ``after``, in order of id."""
    rows = stores.graph.read("corpus/find_documents", corpus=stores.name, after=after, limit=limit)
    return tuple(_record(row["document"]) for row in rows)


def read_document(stores: CorpusStores, document: str, first: int, limit: int) -> StoredDocument:
    """A document with at most ``limit`` of its chunks, from position ``first`` on.

    Raises:
        UnknownDocument: the corpus has no such document.
    """
    row = stores.graph.get("corpus/get_document", corpus=stores.name, document=document)
    if row is None:
        raise UnknownDocument(
            f"corpus {stores.name!r} has no document {document!r:.200}: a hit names its own in chunk.document_id"
        )
    rows = stores.graph.read(
        "corpus/find_chunks_of_document", corpus=stores.name, document=document, first=first, limit=limit
    )
    return StoredDocument(_record(row["document"]), tuple(map(chunk_table.from_row, rows)))


def _record(document: Mapping[str, Any]) -> DocumentRecord:
    metadata = {key.removeprefix("meta_"): value for key, value in sorted(document.items()) if key.startswith("meta_")}
    return DocumentRecord(
        document["id"], document["title"], document.get("source", ""), document.get("chunks", 0), metadata
    )
