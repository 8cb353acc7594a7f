"""Gives documents whose files were renamed the ids of their new paths, without embedding or building anything again.

Nodes keep their relationships: mentions, gains, places in the tree, facts and references of sessions stay. Vectors are
written under the new ids first, so no chunk is without one; after the transaction in Neo4j those of the old ids are
deleted, and a note makes the next change do that if this one is killed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tetragraph.indexing.chunking import id_in, is_as_ingested
from tetragraph.indexing.lease import Lease
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores

_BATCH = 100
"""Documents of one transaction."""


@dataclass(frozen=True, slots=True, order=True)
class Rename:
    """A document whose file has another path.

    Attributes:
        old: Id of the stored document.
        new: Id of the document at the new path, which the corpus does not have.
        origin: The new path.
        source: The new source, for display.
    """

    old: str
    new: str
    origin: str
    source: str


def rename(stores: CorpusStores, lease: Lease, renames: Sequence[Rename]) -> list[Rename]:
    """Rename documents of a corpus; the caller holds the lease and publishes.

    Returns:
        Those that were renamed. Documents with chunks that something else has changed are left out, as their ids are
        not those of their contents: they are to be ingested and deleted.
    """
    done: list[Rename] = []
    for start in range(0, len(renames), _BATCH):
        done += _rename(stores, lease, renames[start : start + _BATCH])
    return done


def _rename(stores: CorpusStores, lease: Lease, renames: Sequence[Rename]) -> list[Rename]:
    wanted = {one.old: one for one in renames}
    rows = stores.graph.read("ingest/find_chunk_ids", corpus=stores.name, ids=list(wanted))
    chunks = chunk_table.fetch(stores, [row["id"] for row in rows])
    changed = {chunk.document_id for chunk in chunks.values() if not is_as_ingested(chunk)}
    done = [one for one in renames if one.old not in changed]
    new_ids = {
        chunk.id: id_in(wanted[chunk.document_id].new, chunk)
        for chunk in chunks.values()
        if chunk.document_id not in changed
    }
    if not done:
        return []
    lease.hold()
    points = stores.vectors.fetch(stores.name, "chunks", list(new_ids))
    stores.vectors.upsert(
        stores.name,
        "chunks",
        [replace(point, id=new_ids[point.id], payload=chunks[point.id].metadata) for point in points],
    )
    old_chunks: dict[str, list[str]] = {}
    for old in new_ids:
        old_chunks.setdefault(chunks[old].document_id, []).append(old)
    lease.hold()
    _write(stores, done, old_chunks, new_ids)
    stores.vectors.delete(stores.name, "chunks", list(new_ids))
    stores.graph.write("ingest/delete_renamed_notes", corpus=stores.name, ids=[one.new for one in done])
    return done


def _write(
    stores: CorpusStores, renames: Sequence[Rename], old_chunks: dict[str, list[str]], new_ids: dict[str, str]
) -> None:
    """Rename in Neo4j and raise the generation, in one transaction."""
    corpus = stores.name
    documents = list(_document_rows(renames, old_chunks))
    chunks = [{"old": old, "new": new} for old, new in new_ids.items()]
    stores.graph.write_all(
        [
            ("ingest/upsert_renamed_documents", {"corpus": corpus, "rows": documents}),
            ("ingest/upsert_renamed_chunks", {"corpus": corpus, "rows": chunks}),
            ("ingest/upsert_renamed_merges", {"corpus": corpus, "rows": documents}),
            ("ingest/link_renamed_affinities", {"corpus": corpus, "ids": list(new_ids.values())}),
            ("ingest/upsert_generation", {"corpus": corpus, "metadata_keys": []}),
        ]
    )


def _document_rows(renames: Sequence[Rename], old_chunks: dict[str, list[str]]) -> Iterator[dict[str, object]]:
    for one in renames:
        chunks = old_chunks.get(one.old, [])
        yield {"old": one.old, "new": one.new, "origin": one.origin, "source": one.source, "chunks": chunks}
