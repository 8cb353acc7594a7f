"""Names, payloads and order of results, shared by both Qdrant adapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tetragraph.arrays import Floats, Vectors
from tetragraph.errors import EmbedderMismatch, InvalidInput, NotBuilt
from tetragraph.model import CORPUS_NAME, Scalar
from tetragraph.stores.vectors import KINDS, Kind, Layout, Point, Scored, check_vectors

OWN, SENTENCES = "", "sentences"
"""Names of a point's vectors: its own has Qdrant's default, an empty name; those of its sentences are a multivector."""
RESERVED = frozenset({"id", "corpus", "sha256"})
"""Payload fields that tetragraph writes; metadata of these names are in the fields of :func:`field_of`."""
_SPARE = 16
_SET_NAME = re.compile(rf"(?:{CORPUS_NAME.pattern})(?:~[1-9][0-9]*)?")
"""Name of a corpus, with the number of another set of its collections (:mod:`tetragraph.stores.vector_sets`)."""


def collection_name(corpus: str, kind: Kind) -> str:
    """Name of the collection, and of the directory, that holds one kind of node of one corpus.

    >>> collection_name("handbook", "chunks")
    'handbook__chunks'

    Raises:
        InvalidInput: the corpus' name is invalid as a file name.
    """
    if not _SET_NAME.fullmatch(corpus):
        raise InvalidInput(
            "a corpus name is 1 to 63 of the characters a-z, 0-9, '.', '_' and '-' and begins with a letter or digit, "
            f"got {corpus!r}"
        )
    return f"{corpus}__{kind}"


def read_name(name: str) -> tuple[str, Kind] | None:
    """Corpus and kind of a collection, from its name; None for a collection of another program.

    >>> read_name("handbook__chunks"), read_name("handbook__chunks.old")
    (('handbook', 'chunks'), None)
    """
    corpus, _, kind = name.rpartition("__")
    known: dict[str, Kind] = {one: one for one in KINDS}
    return (corpus, known[kind]) if kind in known and _SET_NAME.fullmatch(corpus) else None


def payload_of(corpus: str, point: Point) -> dict[str, Scalar | list[str]]:
    """The stored payload of a point: its metadata and the reserved fields."""
    metadata = {
        field_of(key): value if isinstance(value, str | int | float) else list(value)
        for key, value in point.payload.items()
    }
    return {**metadata, "id": point.id, "corpus": corpus, "sha256": point.sha256}


def metadata_in(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata in a stored payload."""
    return {
        field[:-1] if field.rstrip("_") in RESERVED else field: value
        for field, value in payload.items()
        if field not in RESERVED
    }


def field_of(key: str) -> str:
    """The payload field with the values of a metadata key: its name, with one more ``_`` for a reserved field.

    >>> field_of("year"), field_of("id"), field_of("id_")
    ('year', 'id_', 'id__')
    """
    return f"{key}_" if key.rstrip("_") in RESERVED else key


def matrix(points: Sequence[Point], dimension: int) -> Vectors:
    """The vectors of the points as ``(n, dimension)`` float32.

    Raises:
        EmbeddingFailed: a vector of another size, or a value that is not finite.
    """
    for point in points:
        check_vectors(np.atleast_2d(point.vector), dimension, [point.id])
    return np.array([point.vector for point in points], dtype=np.float32).reshape(len(points), dimension)


def sentence_matrices(points: Sequence[Point], dimension: int) -> list[Vectors | None]:
    """The vectors of each point's sentences as ``(sentences, dimension)`` float32; None for a point without.

    Raises:
        EmbeddingFailed: a vector of another size, or a value that is not finite.
    """
    return [
        check_vectors(np.asarray(point.sentences, dtype=np.float32), dimension, [point.id] * len(point.sentences))
        if point.sentences is not None and len(point.sentences)
        else None
        for point in points
    ]


def sentences_of(records: Iterable[tuple[str, Any]]) -> dict[str, Vectors]:
    """The vectors of sentences by node id, for the nodes that have any.

    Args:
        records: Node ids, each with the named vectors that the store returned.
    """
    return {
        node: np.array(vectors[SENTENCES], dtype=np.float32)
        for node, vectors in records
        if isinstance(vectors, dict) and SENTENCES in vectors
    }


def point_of(payload: Mapping[str, Any], vector: Any) -> Point:
    """A point as the store gave it, with vectors of sentences where there are any.

    Args:
        payload: Metadata and reserved fields.
        vector: The own vector, or named vectors.
    """
    own = vector[OWN] if isinstance(vector, dict) else vector
    rows = vector.get(SENTENCES) if isinstance(vector, dict) else None
    sentences = None if rows is None else np.array(rows, dtype=np.float32)
    vector = np.array(own, dtype=np.float32)
    return Point(payload["id"], vector, payload["sha256"], metadata_in(payload), sentences)


def in_order(points: Iterable[Point], ids: Sequence[str]) -> list[Point]:
    """The points in the order of some ids, each once; ids without a point are left out."""
    found = {point.id: point for point in points}
    return [found[node] for node in dict.fromkeys(ids) if node in found]


def check_layout(where: str, found: Layout, wanted: Layout) -> None:
    """Check that an existing collection can hold vectors of a layout.

    Raises:
        EmbedderMismatch: it cannot; the message begins with ``where``.
    """
    if found.dimension != wanted.dimension:
        raise EmbedderMismatch(
            f"{where} has {found.dimension} numbers a vector, the embedder gives {wanted.dimension}: "
            "use the embedder of the corpus, or delete the corpus and ingest it again"
        )
    if wanted.sentences and not found.sentences:
        raise EmbedderMismatch(
            f"{where} was made without vectors of sentences, the corpus was made with them: delete the corpus and "
            "ingest it again"
        )


def best(search: Callable[[int], list[Scored]], limit: int) -> list[Scored]:
    """The first ``limit`` results by (-score, id), exact even where the limit cuts a tie.

    The store breaks ties arbitrarily, so more results are fetched until the last one is worse than number ``limit``.

    Args:
        search: Returns the given number of results, best score first; fewer only if there are no more.
        limit: Number of results, at least 1.

    Raises:
        InvalidInput: the limit is below 1.
    """
    if limit < 1:
        raise InvalidInput(f"limit must be at least 1, got {limit}")
    fetch = limit + _SPARE
    found = search(fetch)
    while len(found) == fetch and found[-1].score == found[limit - 1].score:
        fetch *= 2
        found = search(fetch)
    return sorted(found, key=lambda hit: (-hit.score, hit.id))[:limit]


def align(found: Sequence[Sequence[tuple[str, float]]], ids: Sequence[str]) -> Floats:
    """``(n, ids)`` scores in the order of ids; NaN for an id without one.

    >>> align([[("b", 0.5), ("a", 0.25)]], ["a", "b", "c"])
    array([[0.25, 0.5 ,  nan]])
    """
    scores = np.full((len(found), len(ids)), np.nan)
    place = {node: column for column, node in enumerate(ids)}
    for row, hits in zip(scores, found, strict=True):
        row[[place[node] for node, _ in hits]] = [score for _, score in hits]
    return scores


def missing_collection(name: str) -> NotBuilt:
    """The error for a collection that was never created, or was dropped."""
    return NotBuilt(f"there is no vector collection {name!r}: `tetragraph doctor --repair` embeds the corpus again")
