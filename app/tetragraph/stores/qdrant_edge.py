"""The vector store in this process: Qdrant's own engine on files below the home folder."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from qdrant_edge import (
    CountRequest,
    EdgeShard,
    FieldCondition,
    Filter,
    HasIdCondition,
    MatchAny,
    MatchValue,
    Query,
    QueryBatchRequest,
    QueryRequest,
    RangeFloat,
    Record,
    ScoredPoint,
    ScrollRequest,
    SearchParams,
    UpdateOperation,
)
from qdrant_edge import Point as EdgePoint

from tetragraph.arrays import Floats, Vectors
from tetragraph.model import Filters, Metadata, Scalar
from tetragraph.stores.edge_directory import EdgeDirectory, without_suffix
from tetragraph.stores.filter_conditions import (
    Condition,
    Is,
    NoneOf,
    OneOf,
    Within,
    conditions,
)
from tetragraph.stores.points import (
    OWN,
    RESERVED,
    SENTENCES,
    align,
    best,
    collection_name,
    in_order,
    matrix,
    metadata_in,
    payload_of,
    point_of,
    read_name,
    sentence_matrices,
    sentences_of,
)
from tetragraph.stores.vectors import Kind, Layout, Point, Scored, VectorServer, check_vectors, point_uuid

if TYPE_CHECKING:
    from qdrant_edge import PointId, Vector  # defined only in its type stubs

IDLE_S = 2.0
_BATCH = 1_000
_FLUSH_EVERY = 10_000
_BYTES_WRITTEN = 2
"""Bytes that the engine writes for each byte of vectors: to its log, and to a segment."""
_FLAGS: Final = {"bool:True": True, "bool:False": False}
"""Booleans by the texts that stand for them in a payload."""


class EdgeVectors:
    """One directory per corpus and kind, each with one owner process at a time.

    A directory is opened by the first call that needs it and released after ``idle_s`` seconds without a call, or by
    ``close``, so that a service and a command line can take turns; opening takes about 40 ms. The engine searches
    by brute force: results are exact, 0.5 ms at 12,000 points. Its index is never built here, because building it
    would stop every thread of the process. The engine holds the interpreter's lock during a call, so more threads
    do not make it faster.

    Args:
        folder: Parent of the directories, ``<corpus>__<kind>`` each, with lock files beside them.
        wait_s: Seconds to wait for another process that holds a directory.
        idle_s: Seconds after which an unused directory is closed.
    """

    def __init__(self, folder: Path, wait_s: float, idle_s: float = IDLE_S) -> None:
        self._folder = folder
        self._wait_s = wait_s
        self._idle_s = idle_s
        self._directories: dict[str, EdgeDirectory] = {}
        self._guard = threading.Lock()
        self._stop: threading.Event | None = None

    def server(self) -> VectorServer:
        return VectorServer(str(self._folder), f"qdrant-edge-py {metadata.version('qdrant-edge-py')}")

    def ensure(self, corpus: str, kind: Kind, dimension: int, *, sentences: bool = False) -> None:
        self._directory(corpus, kind).create(Layout(dimension, sentences))

    def layout(self, corpus: str, kind: Kind) -> Layout | None:
        directory = self._directory(corpus, kind)
        if not directory.exists():
            return None
        with directory.use() as (_, layout):
            return layout

    def collections(self) -> list[tuple[str, Kind]]:
        folders = sorted(self._folder.iterdir()) if self._folder.is_dir() else []
        names = (read_name(without_suffix(folder.name)) for folder in folders if folder.is_dir())
        return list(dict.fromkeys(name for name in names if name))  # also of what a kill left, which a drop removes

    def upsert(self, corpus: str, kind: Kind, points: Sequence[Point]) -> None:
        directory = self._directory(corpus, kind)
        directory.require_space(_BYTES_WRITTEN * sum(_size(point) for point in points))
        with directory.use() as (shard, layout):
            vectors, sentences = matrix(points, layout.dimension), sentence_matrices(points, layout.dimension)
            rows = [_edge_payload(payload_of(corpus, point)) for point in points]
            for start in range(0, len(points), _BATCH):
                batch = range(start, min(start + _BATCH, len(points)))
                batch_points = [
                    EdgePoint(point_uuid(points[i].id), _vector_struct(vectors[i], sentences[i]), rows[i])
                    for i in batch
                ]
                shard.update(UpdateOperation.upsert_points(batch_points))
                if batch.stop % _FLUSH_EVERY == 0:
                    shard.flush()
            shard.flush()

    def delete(self, corpus: str, kind: Kind, ids: Sequence[str]) -> None:
        directory = self._directory(corpus, kind)
        if not ids or not directory.exists():
            return
        with directory.use() as (shard, _):
            shard.update(UpdateOperation.delete_points([point_uuid(node) for node in ids]))
            shard.flush()

    def drop(self, corpus: str, kind: Kind) -> None:
        self._directory(corpus, kind).drop()

    def get(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        directory = self._directory(corpus, kind)
        if not ids or not directory.exists():
            return {}
        with directory.use() as (shard, _):
            records = shard.retrieve([point_uuid(node) for node in ids], with_payload=["id"], with_vector=[OWN])
        found = {_payload(record)["id"]: np.array(record.vector, dtype=np.float32) for record in records}
        return {node: found[node] for node in ids if node in found}

    def hashes(self, corpus: str, kind: Kind) -> dict[str, str]:
        pages = self._pages(corpus, kind, _FLUSH_EVERY, ["id", "sha256"], [])
        return {_payload(record)["id"]: _payload(record)["sha256"] for page in pages for record in page}

    def metadata(self, corpus: str, kind: Kind) -> dict[str, Metadata]:
        pages = self._pages(corpus, kind, _FLUSH_EVERY, True, [])
        payloads = (_read_payload(_payload(record)) for page in pages for record in page)
        return {payload["id"]: metadata_in(payload) for payload in payloads}

    def scroll(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], Vectors]]:
        for page in self._pages(corpus, kind, batch, ["id"], [OWN]):
            vectors = np.array([record.vector for record in page], dtype=np.float32)
            yield [_payload(record)["id"] for record in page], vectors

    def scroll_sentences(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], list[Vectors]]]:
        directory = self._directory(corpus, kind)
        if not directory.exists():
            return
        with directory.use() as (_, layout):
            if not layout.sentences:
                return
        for page in self._pages(corpus, kind, batch, ["id"], [SENTENCES]):
            found = sentences_of((_payload(record)["id"], record.vector) for record in page)
            if found:
                yield list(found), list(found.values())

    def points(self, corpus: str, kind: Kind) -> Iterator[list[Point]]:
        layout = self.layout(corpus, kind)
        wanted = [OWN, SENTENCES] if layout and layout.sentences else [OWN]
        for page in self._pages(corpus, kind, _BATCH, True, wanted):
            yield [point_of(_read_payload(_payload(record)), record.vector) for record in page]

    def fetch(self, corpus: str, kind: Kind, ids: Sequence[str]) -> list[Point]:
        directory = self._directory(corpus, kind)
        if not ids or not directory.exists():
            return []
        with directory.use() as (shard, layout):
            wanted = [OWN, SENTENCES] if layout.sentences else [OWN]
            records = shard.retrieve([point_uuid(node) for node in ids], with_payload=True, with_vector=wanted)
        found = [point_of(_read_payload(_payload(record)), record.vector) for record in records]
        return in_order(found, ids)

    def query(
        self, corpus: str, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        wanted = _filter(conditions(filters))
        with self._directory(corpus, kind).use() as (shard, layout):
            check_vectors(vector.reshape(1, -1), layout.dimension, ["the question"])
            question = _row(vector)
            return best(lambda fetch: _search(shard, question, fetch, wanted), limit)

    def compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self._compare(corpus, kind, vectors, ids, OWN)

    def compare_sentences(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self._compare(corpus, kind, vectors, ids, SENTENCES)

    def get_sentences(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        if not ids:
            return {}
        with self._directory(corpus, kind).use() as (shard, layout):
            if not layout.sentences:
                return {}
            records = shard.retrieve([point_uuid(node) for node in ids], with_payload=["id"], with_vector=[SENTENCES])
        return sentences_of((_payload(record)["id"], record.vector) for record in records)

    def is_exact(self, corpus: str, kind: Kind) -> bool:  # noqa: ARG002 - of the protocol
        return True

    def count(self, corpus: str, kind: Kind) -> int:
        directory = self._directory(corpus, kind)
        if not directory.exists():
            return 0
        with directory.use() as (shard, _):
            return shard.count(CountRequest(exact=True))

    def close(self) -> None:
        with self._guard:
            directories = list(self._directories.values())
            if self._stop is not None:
                self._stop.set()
                self._stop = None
        for directory in directories:
            directory.release()

    def _compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str], using: str) -> Floats:
        with self._directory(corpus, kind).use() as (shard, layout):
            check_vectors(vectors, layout.dimension, ["a text"] * len(vectors))
            if not ids or (using == SENTENCES and not layout.sentences):
                return np.full((len(vectors), len(ids)), np.nan)
            points = [point_uuid(node) for node in ids]
            chosen = Filter(must=[HasIdCondition(set(points))])
            batch = QueryBatchRequest([_comparison(vector, chosen, len(points), using) for vector in vectors])
            found = shard.query_batch(batch)
        return align([[(str(hit.id), hit.score) for hit in hits] for hits in found], points)

    def _directory(self, corpus: str, kind: Kind) -> EdgeDirectory:
        name = collection_name(corpus, kind)
        with self._guard:
            if self._stop is None:
                self._stop = threading.Event()
                threading.Thread(
                    target=self._release_idle, args=[self._stop], name="tetragraph-edge", daemon=True
                ).start()
            if name not in self._directories:
                self._directories[name] = EdgeDirectory(self._folder / name, self._wait_s)
            return self._directories[name]

    def _release_idle(self, stop: threading.Event) -> None:
        """Release idle directories until the store is closed."""
        while not stop.wait(self._idle_s / 2):
            with self._guard:
                directories = list(self._directories.values())
            for directory in directories:
                directory.release(self._idle_s)

    def _pages(
        self, corpus: str, kind: Kind, batch: int, payload: list[str] | bool, vectors: list[str]
    ) -> Iterator[list[Record]]:
        """All records, ``batch`` at a time; other threads can use the directory between two pages."""
        directory = self._directory(corpus, kind)
        offset: PointId | None = None
        more = directory.exists()
        while more:
            request = ScrollRequest(offset=offset, limit=batch, with_payload=payload, with_vector=vectors)
            with directory.use() as (shard, _):
                page, offset = shard.scroll(request)
            more = offset is not None
            if page:
                yield page


def _row(vector: Vectors) -> list[float]:
    """The row itself: the engine accepts numpy arrays, which its type hints do not allow."""
    return cast("list[float]", vector)


def _vector_struct(vector: Vectors, sentences: Vectors | None) -> Vector:
    own = _row(vector)
    return own if sentences is None else {OWN: own, SENTENCES: cast("list[list[float]]", sentences)}


def _search(shard: EdgeShard, question: list[float], fetch: int, wanted: Filter | None) -> list[Scored]:
    request = QueryRequest(
        limit=fetch,
        query=Query.Nearest(question),
        filter=wanted,
        with_payload=["id"],
        params=SearchParams(exact=True),
    )
    return [Scored(_payload(hit)["id"], hit.score) for hit in shard.query(request)]


def _comparison(vector: Vectors, chosen: Filter, count: int, using: str) -> QueryRequest:
    """Request for the cosines of a vector with chosen points, or the highest of a sentence of each."""
    query = [vector] if using == SENTENCES else vector
    return QueryRequest(
        limit=count,
        query=Query.Nearest(cast("Any", query), using=using or None),
        filter=chosen,
        with_payload=False,
        params=SearchParams(exact=True),
    )


def _payload(record: Record | ScoredPoint) -> dict[str, Any]:
    return record.payload or {}


def _edge_payload(payload: dict[str, Scalar | list[str]]) -> dict[str, Scalar | list[str]]:
    """Booleans become texts: this engine's ``MatchValue(True)`` matches the integer 1 and no boolean.

    Texts that would read as one get a backslash more than they have.
    """
    return {key: value if key in RESERVED else _stored(value) for key, value in payload.items()}


def _read_payload(payload: dict[str, Any]) -> dict[str, Any]:
    """The reverse of :func:`_edge_payload`."""
    return {key: value if key in RESERVED else _read(value) for key, value in payload.items()}


def _stored(value: Scalar | list[str]) -> Scalar | list[str]:
    if isinstance(value, bool):
        return _flag(value)
    if isinstance(value, list):
        return [_escaped(text) for text in value]
    return _escaped(value) if isinstance(value, str) else value


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_unescaped(text) for text in value]
    if not isinstance(value, str):
        return value
    return _FLAGS[value] if value in _FLAGS else _unescaped(value)


def _flag(value: bool) -> str:
    return f"bool:{value}"


def _escaped(text: str) -> str:
    return f"\\{text}" if text.lstrip("\\") in _FLAGS else text


def _unescaped(text: str) -> str:
    return text[1:] if text.startswith("\\") and text.lstrip("\\") in _FLAGS else text


def _filter(wanted: list[list[Condition]]) -> Filter | None:
    if not wanted:
        return None
    return Filter(must=[Filter(should=[_condition(choice) for choice in choices]) for choices in wanted])


def _condition(condition: Condition) -> FieldCondition | Filter:
    match condition:
        case NoneOf(excluded):
            return Filter(must_not=[_condition(one) for one in excluded])
        case OneOf(path, texts):
            return FieldCondition(path, match=MatchAny([_escaped(text) for text in texts]))
        case Is(path, flag):
            return FieldCondition(path, match=MatchValue(_flag(flag)))
        case Within(path, gt, gte, lt, lte):
            return FieldCondition(path, range=RangeFloat(gt=gt, gte=gte, lt=lt, lte=lte))


def _size(point: Point) -> int:
    """Size of a point's vectors in bytes."""
    return sum(np.asarray(part).nbytes for part in (point.vector, point.sentences) if part is not None)
