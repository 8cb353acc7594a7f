"""The vector store on a Qdrant server or cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, cast

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from tetragraph.arrays import Vectors
from tetragraph.errors import QueryFailed, StoreDenied, StoreError, StoreUnavailable
from tetragraph.model import Filters
from tetragraph.stores.filter_conditions import (
    Condition,
    Is,
    OneOf,
    Within,
    conditions,
)
from tetragraph.stores.points import (
    OWN,
    SENTENCES,
    best,
    check_layout,
    collection_name,
    matrix,
    missing_collection,
    payload_of,
    read_name,
    sentence_matrices,
    sentences_of,
)
from tetragraph.stores.vectors import Kind, Layout, Point, Scored, check_vectors, point_uuid

_BATCH = 256
_PAGE = 1_000
_RETRYABLE = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class QdrantVectors:
    """One collection per corpus and kind, ``<corpus>__<kind>``, on the server of ``client``.

    Searches use the server's index where it has built one, so they can miss a neighbour that the in-process engine
    finds. Safe to share between threads, unless the client is qdrant-client's local emulation of a server
    (``:memory:`` or a path).
    """

    def __init__(self, client: QdrantClient) -> None:
        self._client = client
        self._layouts: dict[str, Layout] = {}
        self._guard = threading.Lock()

    def ensure(self, corpus: str, kind: Kind, dimension: int, *, sentences: bool = False) -> None:
        name, wanted = collection_name(corpus, kind), Layout(dimension, sentences)
        with self._guard, _translate_errors():
            if not self._client.collection_exists(name):
                self._client.create_collection(name, vectors_config=_vectors_config(wanted))
        check_layout(f"the collection {name!r}", self._require_layout(name), wanted)

    def layout(self, corpus: str, kind: Kind) -> Layout | None:
        name = collection_name(corpus, kind)
        self._layouts.pop(name, None)  # another process may have created it again
        return self._layout(name)

    def collections(self) -> list[tuple[str, Kind]]:
        with _translate_errors():
            found = self._client.get_collections().collections
        names = (read_name(one.name) for one in sorted(found, key=lambda one: one.name))
        return [name for name in names if name]

    def upsert(self, corpus: str, kind: Kind, points: Sequence[Point]) -> None:
        name = collection_name(corpus, kind)
        layout = self._require_layout(name)
        vectors, sentences = matrix(points, layout.dimension), sentence_matrices(points, layout.dimension)
        payloads = [payload_of(corpus, point) for point in points]
        for start in range(0, len(points), _BATCH):
            batch = range(start, min(start + _BATCH, len(points)))
            batch_points = [
                models.PointStruct(
                    id=point_uuid(points[i].id),
                    vector=_vector_struct(layout, vectors[i], sentences[i]),
                    payload=payloads[i],
                )
                for i in batch
            ]
            with self._collection(name):
                self._client.upsert(name, points=batch_points, wait=True)

    def delete(self, corpus: str, kind: Kind, ids: Sequence[str]) -> None:
        name = collection_name(corpus, kind)
        if not ids or self._layout(name) is None:
            return
        selector = models.PointIdsList(points=[point_uuid(node) for node in ids])
        with self._collection(name):
            self._client.delete(name, points_selector=selector, wait=True)

    def drop(self, corpus: str, kind: Kind) -> None:
        name = collection_name(corpus, kind)
        with self._guard, _translate_errors():
            self._layouts.pop(name, None)
            if self._client.collection_exists(name):
                self._client.delete_collection(name)

    def get(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        name = collection_name(corpus, kind)
        if not ids or self._layout(name) is None:
            return {}
        points: list[int | str] = [point_uuid(node) for node in ids]
        with self._collection(name):
            records = self._client.retrieve(name, points, with_payload=["id"], with_vectors=[OWN])
        found = {_payload(record)["id"]: np.array(record.vector, dtype=np.float32) for record in records}
        return {node: found[node] for node in ids if node in found}

    def hashes(self, corpus: str, kind: Kind) -> dict[str, str]:
        pages = self._pages(corpus, kind, _PAGE, ["id", "sha256"], [])
        return {_payload(record)["id"]: _payload(record)["sha256"] for page in pages for record in page}

    def scroll(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], Vectors]]:
        for page in self._pages(corpus, kind, batch, ["id"], [OWN]):
            vectors = np.array([record.vector for record in page], dtype=np.float32)
            yield [_payload(record)["id"] for record in page], vectors

    def scroll_sentences(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], list[Vectors]]]:
        layout = self._layout(collection_name(corpus, kind))
        if layout is None or not layout.sentences:
            return
        for page in self._pages(corpus, kind, batch, ["id"], [SENTENCES]):
            found = sentences_of((_payload(record)["id"], record.vector) for record in page)
            if found:
                yield list(found), list(found.values())

    def query(
        self, corpus: str, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        name = collection_name(corpus, kind)
        wanted = _filter(conditions(filters))
        question = check_vectors(vector.reshape(1, -1), self._require_layout(name).dimension, ["the question"])[
            0
        ].tolist()
        return best(lambda fetch: self._search(name, question, fetch, wanted), limit)

    def count(self, corpus: str, kind: Kind) -> int:
        name = collection_name(corpus, kind)
        if self._layout(name) is None:
            return 0
        with self._collection(name):
            return self._client.count(name, exact=True).count

    def close(self) -> None:
        self._client.close()

    def _search(self, name: str, question: list[float], fetch: int, wanted: models.Filter | None) -> list[Scored]:
        with self._collection(name):
            answer = self._client.query_points(
                name, query=question, limit=fetch, query_filter=wanted, with_payload=["id"]
            )
        return [Scored(_payload(hit)["id"], hit.score) for hit in answer.points]

    def _pages(
        self, corpus: str, kind: Kind, batch: int, payload: list[str], vectors: list[str]
    ) -> Iterator[list[models.Record]]:
        name = collection_name(corpus, kind)
        more, offset = self._layout(name) is not None, None
        while more:
            with self._collection(name):
                page, offset = self._client.scroll(
                    name, limit=batch, offset=offset, with_payload=payload, with_vectors=vectors
                )
            more = offset is not None
            if page:
                yield page

    def _require_layout(self, name: str) -> Layout:
        layout = self._layout(name)
        if layout is None:
            raise missing_collection(name)
        return layout

    def _layout(self, name: str) -> Layout | None:
        """Layout of the collection, read once; None without such a collection."""
        if name not in self._layouts:
            with _translate_errors():
                if not self._client.collection_exists(name):
                    return None
                vectors = self._client.get_collection(name).config.params.vectors
            named = vectors if isinstance(vectors, dict) else {OWN: vectors}
            own = named.get(OWN)
            if own is None:
                raise QueryFailed(f"the collection {name!r} was not made by tetragraph: its vectors have other names")
            self._layouts[name] = Layout(own.size, SENTENCES in named)
        return self._layouts[name]

    @contextmanager
    def _collection(self, name: str) -> Iterator[None]:
        """Translate errors; a collection that was dropped meanwhile is reported as missing."""
        try:
            with _translate_errors():
                yield
        except QueryFailed as error:
            cause = error.__cause__
            if isinstance(cause, UnexpectedResponse) and cause.status_code == HTTPStatus.NOT_FOUND:
                self._layouts.pop(name, None)
                raise missing_collection(name) from error
            raise


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate the client's exceptions into store errors."""
    try:
        yield
    except ResponseHandlingException as error:
        raise StoreUnavailable(
            f"Qdrant does not answer ({error.source or error}): check that it runs and that QDRANT_URL is its address"
        ) from error
    except ResourceExhaustedResponse as error:
        raise StoreUnavailable(
            f"Qdrant has too much to do ({error.message}): try again in {error.retry_after_s} s"
        ) from error
    except UnexpectedResponse as error:
        raise _refusal(error) from error


def _refusal(error: UnexpectedResponse) -> StoreError:
    reason = f"{error.status_code} {error.reason_phrase}: {error.content.decode(errors='replace')[:300]}"
    status = error.status_code or 0
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return StoreDenied(f"Qdrant refused the key ({reason}): set QDRANT_API_KEY to one that may read and write")
    if status in _RETRYABLE or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return StoreUnavailable(f"Qdrant cannot answer now ({reason}): try again later, or look into its log")
    return QueryFailed(f"Qdrant refused a request ({reason})")


def _vectors_config(layout: Layout) -> models.VectorParams | dict[str, models.VectorParams]:
    """Vectors of sentences get no index: searches read them from the chunk table, and the server only stores them."""
    own = models.VectorParams(size=layout.dimension, distance=models.Distance.COSINE)
    if not layout.sentences:
        return own
    of_sentences = models.VectorParams(
        size=layout.dimension,
        distance=models.Distance.COSINE,
        datatype=models.Datatype.FLOAT16,
        multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
        hnsw_config=models.HnswConfigDiff(m=0),
    )
    return {OWN: own, SENTENCES: of_sentences}


def _vector_struct(layout: Layout, vector: Vectors, sentences: Vectors | None) -> models.VectorStruct:
    """The vectors of a point in the form of its collection: named where it can hold vectors of sentences."""
    if not layout.sentences:
        return cast("list[float]", vector.tolist())
    own: dict[str, models.Vector] = {OWN: vector.tolist()}
    return own if sentences is None else {**own, SENTENCES: sentences.tolist()}


def _payload(record: models.Record | models.ScoredPoint) -> dict[str, Any]:
    return record.payload or {}


def _filter(wanted: list[list[Condition]]) -> models.Filter | None:
    if not wanted:
        return None
    return models.Filter(must=[models.Filter(should=[_condition(choice) for choice in choices]) for choices in wanted])


def _condition(condition: Condition) -> models.FieldCondition:
    match condition:
        case OneOf(path, texts):
            return models.FieldCondition(key=path, match=models.MatchAny(any=list(texts)))
        case Is(path, flag):
            return models.FieldCondition(key=path, match=models.MatchValue(value=flag))
        case Within(path, gt, gte, lt, lte):
            return models.FieldCondition(key=path, range=models.Range(gt=gt, gte=gte, lt=lt, lte=lte))
