"""Values of tetragraph in the models of Qdrant's client: layouts, vectors, filters, indexes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from qdrant_client import models

from tetragraph.arrays import Vectors
from tetragraph.model import Metadata, Scalar
from tetragraph.stores.filter_conditions import Condition, Is, NoneOf, OneOf, Within, payload_path
from tetragraph.stores.points import OWN, RESERVED, SENTENCES
from tetragraph.stores.qdrant_collection import Collection
from tetragraph.stores.vectors import Layout

REQUEST_BYTES = 8 * 2**20
"""Largest estimated size of a request; the server refuses more than 32 MiB unless it is set otherwise."""
_NUMBER_BYTES = 22
"""A number in JSON: up to 17 digits, sign, point, exponent and comma."""
_POINT_BYTES = 256
_LEAST_WIDTH, _WIDTH = 128, 4
"""Candidates of an approximate search: at least that many, and that many for each result."""


def vectors_config(layout: Layout) -> models.VectorParams | dict[str, models.VectorParams]:
    """Vectors of sentences have no index and stay on disk: searches take them from the chunk table."""
    own = models.VectorParams(size=layout.dimension, distance=models.Distance.COSINE)
    if not layout.sentences:
        return own
    of_sentences = models.VectorParams(
        size=layout.dimension,
        distance=models.Distance.COSINE,
        datatype=models.Datatype.FLOAT16,
        multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
        hnsw_config=models.HnswConfigDiff(m=0),
        on_disk=True,
    )
    return {OWN: own, SENTENCES: of_sentences}


def named_vectors(layout: Layout, vector: Vectors, sentences: Vectors | None) -> models.VectorStruct:
    """Vectors of a point in the form of its collection: with names if it has vectors of sentences."""
    if not layout.sentences:
        return cast("list[float]", vector.tolist())
    own: dict[str, models.Vector] = {OWN: vector.tolist()}
    return own if sentences is None else {**own, SENTENCES: sentences.tolist()}


def request_size(vector: Vectors, sentences: Vectors | None, payload: Metadata) -> int:
    """Estimated size of a point in a request, in bytes; never too small."""
    numbers = vector.size + (0 if sentences is None else sentences.size)
    return numbers * _NUMBER_BYTES + len(json.dumps(payload)) + _POINT_BYTES


def batches(sizes: Iterable[int], most: int) -> Iterator[range]:
    """Consecutive positions of at most ``most`` points and ``REQUEST_BYTES`` together, at least one at a time.

    >>> list(batches([1, 1, 1], 2))
    [range(0, 2), range(2, 3)]
    """
    start = end = total = 0
    for size in sizes:
        if end > start and (end - start == most or total + size > REQUEST_BYTES):
            yield range(start, end)
            start, total = end, 0
        end, total = end + 1, total + size
    if end > start:
        yield range(start, end)


def index_types(payloads: Iterable[Metadata]) -> dict[str, models.PayloadSchemaType]:
    """Type of the index by path, for the metadata of points; the first value decides where types differ."""
    found: dict[str, models.PayloadSchemaType] = {}
    for payload in payloads:
        for field, value in payload.items():
            if field not in RESERVED and (path := payload_path(field)) is not None:
                found.setdefault(path, _index_type(value))
    return found


def _index_type(value: Scalar | Sequence[str]) -> models.PayloadSchemaType:
    if isinstance(value, bool):
        return models.PayloadSchemaType.BOOL
    return models.PayloadSchemaType.FLOAT if isinstance(value, int | float) else models.PayloadSchemaType.KEYWORD


def search_params(collection: Collection, limit: int, *, is_exact: bool) -> models.SearchParams:
    """Exact search if the collection allows it, else a wide one by the server's index."""
    if is_exact and collection.allows_exact:
        return models.SearchParams(exact=True)
    width = max(_LEAST_WIDTH, _WIDTH * limit)
    return models.SearchParams(hnsw_ef=min(width, collection.ef_limit or width))


def filter_of(wanted: Sequence[Sequence[Condition]], without: Sequence[str] = ()) -> models.Filter | None:
    """The filter of conditions; points whose ids are in ``without`` do not pass.

    Args:
        wanted: Groups of conditions: at least one of each group must hold.
        without: Ids of points in the store.
    """
    must: list[models.Condition] = [
        models.Filter(should=[_condition(choice) for choice in choices]) for choices in wanted
    ]
    excluded: list[models.Condition] = [models.HasIdCondition(has_id=list(without))] if without else []
    return models.Filter(must=must or None, must_not=excluded or None) if must or excluded else None


def _condition(condition: Condition) -> models.Condition:
    match condition:
        case NoneOf(excluded):
            return models.Filter(must_not=[_condition(one) for one in excluded])
        case OneOf(path, texts):
            return models.FieldCondition(key=path, match=models.MatchAny(any=list(texts)))
        case Is(path, flag):
            return models.FieldCondition(key=path, match=models.MatchValue(value=flag))
        case Within(path, gt, gte, lt, lte):
            return models.FieldCondition(key=path, range=models.Range(gt=gt, gte=gte, lt=lt, lte=lte))
