"""The vector store on a Qdrant server or cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import numpy as np
from qdrant_client import QdrantClient, models

from tetragraph.arrays import Floats, Vectors
from tetragraph.errors import QueryFailed
from tetragraph.host.batches import in_batches
from tetragraph.model import Filters, Metadata
from tetragraph.stores.filter_conditions import Condition, conditions
from tetragraph.stores.points import (
    OWN,
    SENTENCES,
    align,
    best,
    check_layout,
    collection_name,
    in_order,
    matrix,
    metadata_in,
    missing_collection,
    payload_of,
    point_of,
    read_name,
    sentence_matrices,
    sentences_of,
)
from tetragraph.stores.qdrant_collection import (
    OWNER,
    PAGE,
    Collection,
    check_owner,
    owner_of,
    read_collection,
)
from tetragraph.stores.qdrant_models import (
    batches,
    filter_of,
    index_types,
    named_vectors,
    request_size,
    search_params,
    vectors_config,
)
from tetragraph.stores.qdrant_requests import Requests, status_of
from tetragraph.stores.vectors import KINDS, Kind, Layout, Point, Scored, VectorServer, check_vectors, point_uuid

Result = TypeVar("Result")
OLDEST, NEWEST = (1, 16), (2, 0)
"""Server versions that work: metadata of collections came with the first; the second is not known yet."""
_SENTENCE_PAGE = 128
"""Points of one page with vectors of sentences: some 25 vectors each."""


class QdrantVectors:
    """One collection per corpus and kind, ``<corpus>__<kind>``, on a server that several databases may share.

    Every collection has the identity of its Neo4j database as metadata; those of another database are neither read,
    written nor dropped. Searches are exact, unless the collection forbids it or ``is_exact`` is false. Safe to share
    between threads, unless the client is qdrant-client's local emulation of a server (``:memory:`` or a path).

    Args:
        client: Client of the server.
        database: Identity of the Neo4j database.
        requests: Attempts and pauses.
        is_exact: Whether searches compare the question with every vector instead of using the server's index.
    """

    def __init__(self, client: QdrantClient, database: str, requests: Requests, *, is_exact: bool = True) -> None:
        self._client = client
        self._database = database
        self._requests = requests
        self._exact = is_exact
        self._known: dict[str, Collection] = {}
        self._guard = threading.Lock()

    def server(self) -> VectorServer:
        self._send(self._client.get_collections)  # unlike the next request it needs the key
        version = self._send(self._client.info).version
        numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2])
        lacking = "" if OLDEST <= numbers < NEWEST else "tetragraph needs Qdrant 1.16 or a later 1.x"
        return VectorServer(self._requests.url, version, lacking)

    def ensure(self, corpus: str, kind: Kind, dimension: int, *, sentences: bool = False) -> None:
        name, wanted = collection_name(corpus, kind), Layout(dimension, sentences)
        with self._guard:
            self._known.pop(name, None)
            if self._find(name) is None:
                self._create(name, wanted)
        check_layout(f"the collection {name!r}", self._require(name).layout, wanted)

    def layout(self, corpus: str, kind: Kind) -> Layout | None:
        name = collection_name(corpus, kind)
        self._known.pop(name, None)  # another process may have created it again
        found = self._find(name)
        return found.layout if found else None

    def collections(self) -> list[tuple[str, Kind]]:
        found = self._send(self._client.get_collections).collections
        ours = sorted(one.name for one in found if read_name(one.name) and self._owns(one.name))
        return [name for name in map(read_name, ours) if name]

    def claim(self, corpus: str) -> list[Kind]:
        """Mark every collection of a corpus as that of this database; returns their kinds."""
        found = [kind for kind in KINDS if self._describe(collection_name(corpus, kind))]
        for kind in found:
            name = collection_name(corpus, kind)
            self._send(partial(self._client.update_collection, name, metadata={OWNER: self._database}))
            self._known.pop(name, None)
        return found

    def upsert(self, corpus: str, kind: Kind, points: Sequence[Point]) -> None:
        name = collection_name(corpus, kind)
        found = self._require(name)
        vectors, sentences = matrix(points, found.layout.dimension), sentence_matrices(points, found.layout.dimension)
        payloads = [payload_of(corpus, point) for point in points]
        self._index(name, found, index_types(payloads))
        sizes = (request_size(*row) for row in zip(vectors, sentences, payloads, strict=True))
        for batch in batches(sizes, found.points):
            made = [
                models.PointStruct(
                    id=point_uuid(points[i].id),
                    vector=named_vectors(found.layout, vectors[i], sentences[i]),
                    payload=payloads[i],
                )
                for i in batch
            ]
            self._ask(name, partial(self._client.upsert, name, points=made, wait=True))

    def delete(self, corpus: str, kind: Kind, ids: Sequence[str]) -> None:
        name = collection_name(corpus, kind)
        if not ids or self._find(name) is None:
            return
        for page in _id_pages(ids):
            selector = models.PointIdsList(points=page)
            self._ask(name, partial(self._client.delete, name, points_selector=selector, wait=True))

    def drop(self, corpus: str, kind: Kind) -> None:
        name = collection_name(corpus, kind)
        with self._guard:
            self._known.pop(name, None)
            if self._owns(name):
                self._send(partial(self._client.delete_collection, name))

    def get(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        name = collection_name(corpus, kind)
        if not ids or self._find(name) is None:
            return {}
        found: dict[str, Vectors] = {}
        for page in _id_pages(ids):
            retrieve = partial(self._client.retrieve, name, page, with_payload=["id"], with_vectors=[OWN])
            records = self._ask(name, retrieve)
            found |= {_payload(record)["id"]: np.array(record.vector, dtype=np.float32) for record in records}
        return {node: found[node] for node in ids if node in found}

    def hashes(self, corpus: str, kind: Kind) -> dict[str, str]:
        pages = self._pages(corpus, kind, PAGE, ["id", "sha256"], [])
        return {_payload(record)["id"]: _payload(record)["sha256"] for page in pages for record in page}

    def metadata(self, corpus: str, kind: Kind) -> dict[str, Metadata]:
        pages = self._pages(corpus, kind, PAGE, True, [])
        return {_payload(record)["id"]: metadata_in(_payload(record)) for page in pages for record in page}

    def scroll(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], Vectors]]:
        for page in self._pages(corpus, kind, batch, ["id"], [OWN]):
            vectors = np.array([record.vector for record in page], dtype=np.float32)
            yield [_payload(record)["id"] for record in page], vectors

    def scroll_sentences(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], list[Vectors]]]:
        collection = self._find(collection_name(corpus, kind))
        if collection is None or not collection.layout.sentences:
            return
        for page in self._pages(corpus, kind, min(batch, _SENTENCE_PAGE), ["id"], [SENTENCES]):
            found = sentences_of((_payload(record)["id"], record.vector) for record in page)
            if found:
                yield list(found), list(found.values())

    def points(self, corpus: str, kind: Kind) -> Iterator[list[Point]]:
        collection = self._find(collection_name(corpus, kind))
        wanted = [OWN, SENTENCES] if collection and collection.layout.sentences else [OWN]
        for page in self._pages(corpus, kind, _SENTENCE_PAGE, True, wanted):
            yield [point_of(_payload(record), record.vector) for record in page]

    def fetch(self, corpus: str, kind: Kind, ids: Sequence[str]) -> list[Point]:
        name = collection_name(corpus, kind)
        collection = self._find(name)
        if not ids or collection is None:
            return []
        wanted = [OWN, SENTENCES] if collection.layout.sentences else [OWN]
        found: list[Point] = []
        for page in _id_pages(ids, _SENTENCE_PAGE):
            retrieve = partial(self._client.retrieve, name, page, with_payload=True, with_vectors=wanted)
            found += [point_of(_payload(record), record.vector) for record in self._ask(name, retrieve)]
        return in_order(found, ids)

    def query(
        self, corpus: str, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        name = collection_name(corpus, kind)
        wanted = conditions(filters)
        dimension = self._require(name).layout.dimension
        question = check_vectors(vector.reshape(1, -1), dimension, ["the question"])[0].tolist()
        return best(lambda fetch: self._search(name, question, fetch, wanted), limit)

    def compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self._compare(corpus, kind, vectors, ids, OWN)

    def compare_sentences(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self._compare(corpus, kind, vectors, ids, SENTENCES)

    def get_sentences(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        name = collection_name(corpus, kind)
        if not ids or not self._require(name).layout.sentences:
            return {}
        found: dict[str, Vectors] = {}
        for page in _id_pages(ids):
            retrieve = partial(self._client.retrieve, name, page, with_payload=["id"], with_vectors=[SENTENCES])
            records = self._ask(name, retrieve)
            found |= sentences_of((_payload(record)["id"], record.vector) for record in records)
        return found

    def is_exact(self, corpus: str, kind: Kind) -> bool:
        found = self._find(collection_name(corpus, kind))
        return self._exact and (found is None or found.allows_exact)

    def count(self, corpus: str, kind: Kind) -> int:
        name = collection_name(corpus, kind)
        if self._find(name) is None:
            return 0
        return self._ask(name, partial(self._client.count, name, exact=True)).count

    def close(self) -> None:
        self._client.close()

    def _search(self, name: str, question: list[float], fetch: int, wanted: list[list[Condition]]) -> list[Scored]:
        """The ``fetch`` nearest points; in several requests if the collection limits the results of one.

        A later request excludes what was found before: by its offset it would lose some of equal scores.
        """
        found = self._require(name)
        hits: list[models.ScoredPoint] = []
        while len(hits) < fetch:
            limit = min(fetch - len(hits), found.query_limit or fetch)
            query = partial(
                self._client.query_points,
                name,
                query=question,
                limit=limit,
                query_filter=filter_of(wanted, [str(hit.id) for hit in hits]),
                search_params=search_params(found, limit, is_exact=self._exact),
                with_payload=["id"],
            )
            page = self._ask(name, query).points
            hits += page
            if len(page) < limit:
                break
        return [Scored(_payload(hit)["id"], hit.score) for hit in hits]

    def _compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str], using: str) -> Floats:
        name = collection_name(corpus, kind)
        collection = self._require(name)
        layout = collection.layout
        questions = check_vectors(vectors, layout.dimension, ["a text"] * len(vectors)).tolist()
        found: list[list[tuple[str, float]]] = [[] for _ in questions]
        if using == SENTENCES and not layout.sentences:
            return align(found, ids)
        pages = list(_id_pages(ids, collection.page))
        for page in pages:
            requests = [_comparison(question, page, using) for question in questions]
            answers = self._ask(name, partial(self._client.query_batch_points, name, requests=requests))
            for hits, answer in zip(found, answers, strict=True):
                hits += [(str(hit.id), hit.score) for hit in answer.points]
        return align(found, [str(point) for page in pages for point in page])

    def _pages(
        self, corpus: str, kind: Kind, batch: int, payload: list[str] | bool, vectors: list[str]
    ) -> Iterator[list[models.Record]]:
        name = collection_name(corpus, kind)
        found, offset = self._find(name), None
        limit = min(batch, found.page if found else batch)
        more = found is not None
        while more:
            scroll = partial(
                self._client.scroll, name, limit=limit, offset=offset, with_payload=payload, with_vectors=vectors
            )
            page, offset = self._ask(name, scroll)
            more = offset is not None
            if page:
                yield page

    def _create(self, name: str, layout: Layout) -> None:
        """Create the collection; another process may do so at the same time."""
        create = partial(
            self._client.create_collection,
            name,
            vectors_config=vectors_config(layout),
            metadata={OWNER: self._database},
        )
        try:
            self._send(create)
        except QueryFailed as error:
            if status_of(error) != HTTPStatus.CONFLICT:
                raise

    def _index(self, name: str, found: Collection, types: dict[str, models.PayloadSchemaType]) -> None:
        """Index the metadata keys that have none: filters read it, and strict mode refuses others."""
        for path in sorted(types.keys() - found.indexed):
            create = partial(self._client.create_payload_index, name, path, types[path], wait=True)
            self._ask(name, create)
            found.indexed.add(path)

    def _require(self, name: str) -> Collection:
        found = self._find(name)
        if found is None:
            raise missing_collection(name)
        return found

    def _find(self, name: str) -> Collection | None:
        """The collection, read once; None without such a collection.

        Raises:
            StoreError: it belongs to another database.
        """
        found = self._known.get(name)
        if found is None:
            info = self._describe(name)
            if info is None:
                return None
            found = read_collection(name, info)
            check_owner(name, self._requests.url, owner_of(info), self._database)
            self._known[name] = found
        return found

    def _describe(self, name: str) -> models.CollectionInfo | None:
        if not self._send(partial(self._client.collection_exists, name)):
            return None
        try:
            return self._send(partial(self._client.get_collection, name))
        except QueryFailed as error:
            if status_of(error) == HTTPStatus.NOT_FOUND:  # dropped between the two requests
                return None
            raise

    def _owns(self, name: str) -> bool:
        info = self._describe(name)
        return info is not None and owner_of(info) == self._database

    def _send(self, request: Callable[[], Result]) -> Result:
        return self._requests.send(request)

    def _ask(self, name: str, request: Callable[[], Result]) -> Result:
        """The result of a request to a collection; one that was dropped meanwhile is forgotten.

        Raises:
            NotBuilt: there is no such collection any more.
        """
        try:
            return self._send(request)
        except QueryFailed as error:
            if status_of(error) == HTTPStatus.NOT_FOUND:
                self._known.pop(name, None)
                raise missing_collection(name) from error
            raise


def _comparison(question: list[float], page: list[int | str], using: str) -> models.QueryRequest:
    """Request for the cosines of a vector with chosen points, or the highest of a sentence of each."""
    return models.QueryRequest(
        query=[question] if using == SENTENCES else question,
        using=using or None,
        filter=models.Filter(must=[models.HasIdCondition(has_id=page)]),
        params=models.SearchParams(exact=True),
        limit=len(page),
        with_payload=False,
    )


def _id_pages(ids: Sequence[str], size: int = PAGE) -> Iterator[list[int | str]]:
    for some in in_batches(ids, size):
        yield [point_uuid(node) for node in some]


def _payload(record: models.Record | models.ScoredPoint) -> dict[str, Any]:
    return record.payload or {}
