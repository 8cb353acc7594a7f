"""All chunks of a corpus as one in-memory table: ids, vectors, vectors of sentences, and the fields of a hit."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

import numpy as np

from tetragraph.arrays import Array, Flags, Longs, Vectors
from tetragraph.errors import StoreError
from tetragraph.model import Chunk
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.corpus import CorpusStores

KIND = "chunks"
_PAGE = 5_000
_OF_DOCUMENT = frozenset({"metadata", "source", "named_by_file"})
"""Fields of a chunk that are stored with its document."""
_OPTIONAL = frozenset({"location", "section"})
"""Texts that a chunk may be without; then it has no such property."""


class ChunkTable:
    """Chunks in order of id, addressed by row.

    Attributes:
        ids: ``n`` chunk ids, ascending.
        vectors: ``(n, dimension)`` float32, rows of length 1.
        has_sentences: Whether the corpus stores a vector for each sentence.
        sentences: ``(sentences, dimension)`` float32, rows of length 1 within .001, as the store holds 16 bits a
            number; no rows where the corpus has none. On disk in the same type, so that it is mapped and processes
            share its pages instead of each holding a widened copy.
        sentence_bounds: ``(n + 1,)`` int64: ``sentences[bounds[r]:bounds[r + 1]]`` are the sentences of row r, one
            for each of ``sentence_spans(chunk.text)``, in order.
    """

    def __init__(self, arrays: ArraySet) -> None:
        self.ids: list[str] = list(arrays.strings("ids"))
        self.vectors: Vectors = arrays["vectors"]
        self.has_sentences = "sentences" in arrays
        self.sentences: Vectors = arrays["sentences"] if self.has_sentences else self.vectors[:0]
        self.sentence_bounds: Longs = (
            arrays["sentence_bounds"] if self.has_sentences else np.zeros(len(self.ids) + 1, dtype=np.int64)
        )
        self._records: Strings = arrays.strings("records")

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Chunk id to row."""
        return {chunk_id: row for row, chunk_id in enumerate(self.ids)}

    def mask(self, allowed: Collection[str] | None) -> Flags:
        """``(n,)`` mask of the chunks with one of these ids; all True for None. Unknown ids are ignored."""
        if allowed is None:
            return np.ones(len(self), dtype=bool)
        mask = np.zeros(len(self), dtype=bool)
        mask[[self.rows[chunk_id] for chunk_id in allowed if chunk_id in self.rows]] = True
        return mask

    def chunk(self, row: int) -> Chunk:
        """The chunk of a row."""
        return Chunk(**json.loads(self._records[row]))

    def chunks_of(self, rows: Sequence[int]) -> list[Chunk]:
        """The chunks of some rows."""
        return [self.chunk(row) for row in rows]

    def chunks(self) -> Iterator[Chunk]:
        """Every chunk, in order of id."""
        return (self.chunk(row) for row in range(len(self)))


def load(stores: CorpusStores) -> ChunkTable:
    """The table of the newest complete generation (see :meth:`CorpusStores.index`)."""
    return stores.index(KIND, lambda: read(stores), ChunkTable)


def read(stores: CorpusStores) -> dict[str, Array]:
    """Read the arrays of the table from Neo4j and Qdrant in their current state.

    Raises:
        StoreError: a chunk lacks its vector, or the vectors of its sentences in a corpus that stores these: the
            stores disagree.
    """
    chunks = list(find_chunks(stores))
    rows = {chunk.id: row for row, chunk in enumerate(chunks)}
    vectors = _read_vectors(stores, rows)
    return pack(chunks, vectors, None if stores.record.sentences == "none" else _read_sentences(stores, rows))


def _read_vectors(stores: CorpusStores, rows: Mapping[str, int]) -> Vectors:
    """``(n, dimension)`` vectors of the chunks; ``rows`` maps an id to its row."""
    vectors, missing = stores.vectors_by_row("chunks", rows)
    _check_none_missing(stores, missing, "vector")
    return vectors


def _read_sentences(stores: CorpusStores, rows: Mapping[str, int]) -> list[Vectors]:
    """For each chunk the ``(sentences, dimension)`` vectors of its sentences."""
    found: dict[str, Vectors] = {}
    for ids, batch in stores.vectors.scroll_sentences(stores.name, "chunks"):
        found.update(zip(ids, batch, strict=True))
    _check_none_missing(stores, rows.keys() - found.keys(), "vectors of its sentences")
    return [found[chunk_id] for chunk_id in rows]


def _check_none_missing(stores: CorpusStores, missing: Set[str], what: str) -> None:
    if missing:
        raise StoreError(
            f"each chunk must have its {what} in Qdrant, {len(missing)} of corpus {stores.name!r} lack theirs, the "
            f"first is {min(missing)}: run `tetragraph ingest` again, or `tetragraph doctor` to see how the stores "
            f"differ"
        )


def pack(chunks: Sequence[Chunk], vectors: Vectors, sentences: Sequence[Vectors] | None = None) -> dict[str, Array]:
    """Build the arrays of the table from chunks in order of id and their vectors.

    Args:
        chunks: ``n`` chunks.
        vectors: ``(n, dimension)`` vectors of the chunks.
        sentences: For each chunk the ``(sentences, dimension)`` vectors of its sentences; None for a corpus without.
    """
    records = [json.dumps(_fields(chunk), ensure_ascii=False, separators=(",", ":")) for chunk in chunks]
    ids = [chunk.id for chunk in chunks]
    arrays = {**Strings.pack("ids", ids), **Strings.pack("records", records), "vectors": vectors}
    if sentences is not None:
        bounds = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(rows) for rows in sentences], out=bounds[1:])
        arrays |= {"sentences": np.concatenate([vectors[:0], *sentences]), "sentence_bounds": bounds}
    return arrays


def find_chunks(stores: CorpusStores) -> Iterator[Chunk]:
    """Every chunk currently in Neo4j, in order of id."""
    return map(from_row, stores.graph.pages("corpus/find_chunks", corpus=stores.name, limit=_PAGE))


def fetch(stores: CorpusStores, ids: Sequence[str]) -> dict[str, Chunk]:
    """Chunks currently in Neo4j by id; unknown ids are left out."""
    rows = stores.graph.read("corpus/find_chunks_by_id", corpus=stores.name, ids=list(ids)) if ids else []
    return {row["id"]: from_row(row) for row in rows}


def from_row(row: Mapping[str, Any]) -> Chunk:
    """A chunk from the columns that ``corpus/find_chunks`` returns."""
    document = row["document"]
    fields: dict[str, Any] = {
        name: row[name] for name in Chunk.__dataclass_fields__ if name not in _OF_DOCUMENT | _OPTIONAL
    }
    fields |= {name: row.get(name) or "" for name in _OPTIONAL}
    return Chunk(
        **fields,
        metadata=metadata_of(document),
        source=document.get("source", ""),
        named_by_file=document.get("named_by_file", False),
    )


def metadata_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata of a document, in order of key, from its properties in Neo4j."""
    return {key.removeprefix("meta_"): document[key] for key in sorted(document) if key.startswith("meta_")}


def _fields(chunk: Chunk) -> dict[str, Any]:
    return {name: getattr(chunk, name) for name in Chunk.__dataclass_fields__}
