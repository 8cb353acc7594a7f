"""All chunks of a corpus as one in-memory table: ids, vectors, vectors of sentences, and the fields of a hit."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from tetragraph.algorithms.neighbour_search import NeighbourSearch, Pairs
from tetragraph.arrays import Array, Flags, Longs, Rows, Vectors
from tetragraph.errors import StoreError
from tetragraph.host.batches import in_batches
from tetragraph.host.numerics import one_blas_thread
from tetragraph.host.processors import map_on_processors
from tetragraph.model import Chunk
from tetragraph.stores.array_cache import ArraySet, StagedSet, Strings
from tetragraph.stores.array_folder import Pieces, Written
from tetragraph.stores.corpus import CorpusStores

KIND = "chunks"
_PAGE = 5_000
_FETCHED = 500
"""Chunks whose vectors are fetched at a time."""
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

    @cached_property
    def neighbours(self) -> NeighbourSearch:
        """Search for the most similar chunks of each chunk, which the graphs of a corpus share."""
        return NeighbourSearch(self.vectors, _search_on_processors)

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

    def chunks(self) -> Sequence[Chunk]:
        """Every chunk, in order of id; each is read when it is asked for, so that never all of them are in memory."""
        return _Chunks(self)


class _Chunks(Sequence[Chunk]):
    """The chunks of a table."""

    def __init__(self, table: ChunkTable) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._table.chunks_of(range(*index.indices(len(self))))
        return self._table.chunk(range(len(self))[index])

    def __iter__(self) -> Iterator[Chunk]:
        return map(self._table.chunk, range(len(self)))


def _search_on_processors(search: Callable[[Rows], Pairs], slabs: Sequence[Rows]) -> list[Pairs]:
    with one_blas_thread():
        return map_on_processors(search, slabs)


def load(stores: CorpusStores) -> ChunkTable:
    """The table of the newest complete generation (see :meth:`CorpusStores.index`)."""
    return stores.index(KIND, lambda: _find_arrays(stores), ChunkTable)


@contextmanager
def stage(stores: CorpusStores) -> Iterator[StagedSet]:
    """The arrays of the table in the current state of Neo4j and Qdrant, on disk; see :meth:`ArrayCache.stage`.

    Raises:
        StoreError: a chunk lacks its vector, or the vectors of its sentences in a corpus that stores these: the
            stores disagree.
    """
    with stores.arrays.stage(stores.record.key, KIND, _find_arrays(stores)) as staged:
        yield staged


def read(stores: CorpusStores) -> ChunkTable:
    """The table of the current state of Neo4j and Qdrant; raises the errors of :func:`stage`."""
    with stage(stores) as staged:
        return ChunkTable(staged.arrays)


def _find_arrays(stores: CorpusStores) -> Written:
    """The arrays of the table, those that are large in pieces."""
    ids: list[str] = []

    def records() -> Iterator[str]:
        for chunk in find_chunks(stores):
            ids.append(chunk.id)
            yield _record(chunk)

    packed = stores.arrays.pack_stream("records", records())
    row = (stores.record.dimension,)
    arrays: dict[str, Array | Pieces] = {
        **Strings.pack("ids", ids),
        **packed,
        "vectors": Pieces(np.float32, row, _find_vectors(stores, ids)),
    }
    if stores.record.sentences != "none":
        counts = array("q", [0])
        arrays["sentences"] = Pieces(np.float32, row, _find_sentences(stores, ids, counts))
        arrays["sentence_bounds"] = Pieces(np.int64, (), _sum_up(counts))
    return arrays


def _find_vectors(stores: CorpusStores, ids: Sequence[str]) -> Iterator[Vectors]:
    """The vectors of the chunks, in their order."""
    missing: list[str] = []
    for some in in_batches(ids, _FETCHED):
        found = stores.vectors.get(stores.name, "chunks", some)
        missing += [chunk_id for chunk_id in some if chunk_id not in found]
        if found and not missing:
            yield np.stack(list(found.values()))
    _check_none_missing(stores, missing, "vector")


def _find_sentences(stores: CorpusStores, ids: Sequence[str], counts: MutableSequence[int]) -> Iterator[Vectors]:
    """The vectors of all sentences of the chunks, in their order; their number in each chunk is added to ``counts``."""
    missing: list[str] = []
    for some in in_batches(ids, _FETCHED):
        found = stores.vectors.get_sentences(stores.name, "chunks", some)
        missing += [chunk_id for chunk_id in some if chunk_id not in found]
        if not missing:
            counts.extend(len(found[chunk_id]) for chunk_id in some)
            yield np.concatenate([found[chunk_id] for chunk_id in some])
    _check_none_missing(stores, missing, "vectors of its sentences")


def _sum_up(counts: Sequence[int]) -> Iterator[Longs]:
    yield np.cumsum(np.array(counts, dtype=np.int64))


def _check_none_missing(stores: CorpusStores, missing: Collection[str], what: str) -> None:
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
    records = [_record(chunk) for chunk in chunks]
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


def _record(chunk: Chunk) -> str:
    fields = {name: getattr(chunk, name) for name in Chunk.__dataclass_fields__}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
