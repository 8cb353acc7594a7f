"""Gives documents whose files were renamed the ids of their new paths, without embedding or building anything again.

Nodes keep their relationships: mentions, gains, places in the tree, facts and references of sessions stay. Vectors are
written under the new ids first, so no chunk is without one; after the transaction in Neo4j those of the old ids are
deleted, and a note makes the next change do that if this one is killed. Documents that supersede a renamed one name it
by its new id from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from tetragraph.host.batches import in_batches
from tetragraph.indexing.chunking import id_in, is_as_ingested
from tetragraph.indexing.lease import Lease
from tetragraph.model import Chunk, Metadata
from tetragraph.model.validity import SUPERSEDES
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import NO_VERSIONS, has_versions, read_versions_now

_BATCH = 100
"""Documents of one transaction."""
Predecessors: TypeAlias = dict[str, str | list[str]]
"""Ids of the predecessors of documents, in the form in which they are stored, by the ids of these."""


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


@dataclass(frozen=True, slots=True)
class Renamed:
    """Result of renames.

    Attributes:
        renames: Those that were made.
        notes: What the user has to correct, in words.
    """

    renames: list[Rename]
    notes: list[str]


def rename(stores: CorpusStores, lease: Lease, renames: Sequence[Rename], replaced: Set[str]) -> Renamed:
    """Rename documents of a corpus; the caller holds the lease and publishes.

    No note of an interrupted change may be left, as it would name documents and chunks by their former ids.

    Args:
        stores: Stores of the corpus.
        lease: Lease of the corpus.
        renames: The renames.
        replaced: Documents that the caller writes again or deletes afterwards; no note is on their predecessors.

    Returns:
        Those that were renamed. Documents with chunks that something else has changed are left out, as their ids are
        not those of their contents: they are to be ingested and deleted.
    """
    done: list[Rename] = []
    followed: Predecessors = {}
    for some in in_batches(renames, _BATCH):
        made, successors = _rename(stores, lease, some)
        done += made
        followed |= successors
    noted = {one: names for one, names in followed.items() if one not in replaced}
    return Renamed(done, [_note_followed(noted, done)] if noted else [])


def _note_followed(successors: Predecessors, done: Sequence[Rename]) -> str:
    """A note on documents whose stored metadata name renamed predecessors, while their files have the old ids."""
    first = min(successors)
    old = next((one.old for one in done if one.new in _listed(successors[first])), "")
    return (
        f"{len(successors):,} documents supersede renamed ones and name them by the new ids now, such as {first!r} in "
        f"place of {old!r}: correct supersedes in their files, or the file of versions, before they change"
    )


def note_lost_successors(stores: CorpusStores, left: Sequence[Rename], replaced: Set[str]) -> Iterator[str]:
    """Notes on documents that supersede one whose file has another path, where it was not renamed; see `rename`."""
    versions = read_versions_now(stores) if left else NO_VERSIONS
    for one in left:
        stated = versions.validity.items()
        if successors := [name for name, own in stated if one.old in own.supersedes and name not in replaced]:
            yield (
                f"{successors[0]!r} supersedes {one.old!r}, which is {one.new!r} now and was ingested anew: correct "
                "supersedes in its file, or the file of versions"
            )


@dataclass(frozen=True, slots=True)
class _Batch:
    """Documents and chunks that one transaction renames.

    Attributes:
        renames: The renames.
        chunks: Chunks of these documents, and of those that supersede one of them, by present id.
        new_ids: New id of each chunk of a renamed document.
        predecessors: Predecessors of documents from then on, by their present ids.
    """

    renames: list[Rename]
    chunks: Mapping[str, Chunk]
    new_ids: Mapping[str, str]
    predecessors: Predecessors

    @property
    def new_predecessors(self) -> Predecessors:
        """Predecessors of documents from then on, by the ids of these from then on."""
        new_names = {one.old: one.new for one in self.renames}
        return {new_names.get(one, one): names for one, names in sorted(self.predecessors.items())}


def _rename(stores: CorpusStores, lease: Lease, renames: Sequence[Rename]) -> tuple[list[Rename], Predecessors]:
    """Those of some renames that were made, and the new predecessors of each document that supersedes one."""
    batch = _prepare(stores, renames)
    if not batch.renames:
        return [], {}
    lease.hold()
    _write_vectors(stores, batch)
    lease.hold()
    _write(stores, batch)
    stores.vectors.delete(stores.name, "chunks", list(batch.new_ids))
    stores.graph.write("ingest/delete_renamed_notes", corpus=stores.name, ids=[one.new for one in batch.renames])
    return batch.renames, batch.new_predecessors


def _prepare(stores: CorpusStores, renames: Sequence[Rename]) -> _Batch:
    wanted = {one.old: one for one in renames}
    superseding = _find_superseding(stores, wanted)
    rows = stores.graph.read("ingest/find_chunk_ids", corpus=stores.name, ids=sorted({*wanted, *superseding}))
    chunks = chunk_table.fetch(stores, [row["id"] for row in rows])
    changed = {chunk.document_id for chunk in chunks.values() if not is_as_ingested(chunk)}
    new_names = {one.old: one.new for one in renames if one.old not in changed}
    new_ids = {
        chunk.id: id_in(new_names[chunk.document_id], chunk)
        for chunk in chunks.values()
        if chunk.document_id in new_names
    }
    followed = {one: _with_new_names(names, new_names) for one, names in superseding.items()}
    predecessors = {one: names for one, names in followed.items() if names != superseding[one]}
    return _Batch([one for one in renames if one.old in new_names], chunks, new_ids, predecessors)


def _write_vectors(stores: CorpusStores, batch: _Batch) -> None:
    """Write the vectors of renamed chunks under their new ids, and the metadata of documents that supersede them."""
    kept = [
        chunk.id
        for chunk in batch.chunks.values()
        if chunk.document_id in batch.predecessors and chunk.id not in batch.new_ids
    ]
    points = stores.vectors.fetch(stores.name, "chunks", [*batch.new_ids, *kept])
    stores.vectors.upsert(
        stores.name,
        "chunks",
        [
            replace(point, id=batch.new_ids.get(point.id, point.id), payload=_payload(batch, point.id))
            for point in points
        ],
    )


def _payload(batch: _Batch, chunk_id: str) -> Metadata:
    chunk = batch.chunks[chunk_id]
    names = batch.predecessors.get(chunk.document_id)
    return chunk.metadata if names is None else {**chunk.metadata, SUPERSEDES: names}


def _find_superseding(stores: CorpusStores, renamed: Collection[str]) -> Predecessors:
    """Predecessors of the documents that supersede one of some documents."""
    if not has_versions(stores):
        return {}
    rows = stores.graph.read("corpus/find_versions", corpus=stores.name)
    stated = {row["id"]: row["document"]["supersedes"] for row in rows}
    return {one: names for one, names in stated.items() if not set(renamed).isdisjoint(_listed(names))}


def _listed(names: object) -> list[object]:
    return list(names) if isinstance(names, list | tuple) else [names]


def _with_new_names(names: str | list[str], new_names: Mapping[str, str]) -> str | list[str]:
    if isinstance(names, str):
        return new_names.get(names, names)
    return [new_names.get(one, one) for one in names]


def _write(stores: CorpusStores, batch: _Batch) -> None:
    """Rename in Neo4j and raise the generation, in one transaction."""
    corpus = stores.name
    documents = list(_document_rows(batch))
    chunks = [{"old": old, "new": new} for old, new in batch.new_ids.items()]
    predecessors = [{"id": one, "supersedes": names} for one, names in batch.new_predecessors.items()]
    stores.graph.write_all(
        [
            ("ingest/upsert_renamed_documents", {"corpus": corpus, "rows": documents}),
            ("ingest/upsert_renamed_chunks", {"corpus": corpus, "rows": chunks}),
            ("ingest/upsert_renamed_merges", {"corpus": corpus, "rows": documents}),
            ("ingest/upsert_renamed_predecessors", {"corpus": corpus, "rows": predecessors}),
            ("ingest/link_renamed_affinities", {"corpus": corpus, "ids": list(batch.new_ids.values())}),
            ("ingest/upsert_generation", {"corpus": corpus, "metadata_keys": []}),
        ]
    )


def _document_rows(batch: _Batch) -> Iterator[dict[str, object]]:
    old_chunks: dict[str, list[str]] = {}
    for old in batch.new_ids:
        old_chunks.setdefault(batch.chunks[old].document_id, []).append(old)
    for one in batch.renames:
        chunks = old_chunks.get(one.old, [])
        yield {"old": one.old, "new": one.new, "origin": one.origin, "source": one.source, "chunks": chunks}
