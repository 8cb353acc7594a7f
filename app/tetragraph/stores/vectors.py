"""The port to Qdrant: the interface of a vector store."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol, get_args

import numpy as np

from tetragraph.arrays import Floats, Vectors
from tetragraph.errors import EmbeddingFailed
from tetragraph.model import Filters, Metadata

Kind = Literal["chunks", "entities", "relations", "communities"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TOLERANCE = 1e-3
"""Largest difference in each number of equal vectors: Qdrant normalises them once more."""
_NAMESPACE = uuid.UUID("6f1b1f6e-7c0b-5d0e-9a55-2f0f6b7a9a01")


class Layout(NamedTuple):
    """Layout of the vectors of a collection: the dimension, and whether points may have vectors of sentences."""

    dimension: int
    sentences: bool


class VectorServer(NamedTuple):
    """Address or folder of a vector store, its version, and why that version cannot be used (empty if it can)."""

    address: str
    version: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A vector of a node, to be written to the store.

    Attributes:
        id: Id of the node; the store's own UUID is computed from it.
        vector: ``(dimension,)`` float32, of length 1.
        sha256: Hash of the embedded content, by which a stale vector is recognised.
        payload: Metadata that searches filter on.
        sentences: ``(sentences, dimension)`` vectors of the node's sentences; None without.
    """

    id: str
    vector: Vectors
    sha256: str
    payload: Metadata = field(default_factory=dict)
    sentences: Vectors | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A neighbour: the id of the node and its cosine similarity."""

    id: str
    score: float


class VectorStore(Protocol):
    """A vector store with one collection per corpus and kind. Both adapters pass the same contract suite.

    Results are ordered by (-score, id), so that ties are the same in every adapter. Vectors are checked for size
    and NaN by :func:`check_vectors` before an adapter sees them. Safe to share between threads.

    Raises (all methods):
        StoreUnavailable: the server does not answer.
        StoreBusy: another process held the local directory for the whole waiting time.
        StoreError: the collection on a server belongs to another Neo4j database.
    """

    def server(self) -> VectorServer:
        """Address and version; checks that the store answers and accepts the key."""

    def ensure(self, corpus: str, kind: Kind, dimension: int, *, sentences: bool = False) -> None:
        """Create the collection if it does not exist.

        Args:
            corpus: Name of the corpus.
            kind: Kind of the points.
            dimension: Dimension of the vectors.
            sentences: Whether points may have vectors of their sentences.

        Raises:
            EmbedderMismatch: it exists with another dimension, or without vectors of sentences.
        """

    def layout(self, corpus: str, kind: Kind) -> Layout | None:
        """Layout of the collection; None without a collection."""

    def collections(self) -> list[tuple[str, Kind]]:
        """Corpus and kind of every collection of this database, in order."""

    def upsert(self, corpus: str, kind: Kind, points: Sequence[Point]) -> None:
        """Insert or replace points by id; durable when it returns."""

    def delete(self, corpus: str, kind: Kind, ids: Sequence[str]) -> None:
        """Remove points by node id; unknown ids are ignored."""

    def drop(self, corpus: str, kind: Kind) -> None:
        """Remove the collection and its points; does nothing if this database has none."""

    def get(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        """Vectors by node id; unknown ids are left out."""

    def hashes(self, corpus: str, kind: Kind) -> dict[str, str]:
        """``sha256`` of every point by node id, which the drift check compares with Neo4j."""

    def metadata(self, corpus: str, kind: Kind) -> dict[str, Metadata]:
        """Metadata of every point by node id; a whole number may have come back as an integer."""

    def scroll(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], Vectors]]:
        """All points, in batches of ids and ``(n, dimension)`` vectors, in no particular order."""

    def scroll_sentences(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], list[Vectors]]]:
        """All points with vectors of sentences, in batches of ids and one ``(sentences, dimension)`` array for each.

        They are stored in 16 bits a number, so they are returned slightly rounded.
        """

    def points(self, corpus: str, kind: Kind) -> Iterator[list[Point]]:
        """All points with all that is stored of them, in batches."""

    def fetch(self, corpus: str, kind: Kind, ids: Sequence[str]) -> list[Point]:
        """Points by node id with all that is stored of them, in order of ``ids``; unknown ids are left out."""

    def query(
        self, corpus: str, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        """The ``limit`` most similar points that pass the filters, best first."""

    def compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        """``(n, ids)`` cosines of ``(n, dimension)`` vectors with chosen points, in one request.

        NaN for ids that the store lacks. The store computes them, so that no vector leaves it.
        """

    def compare_sentences(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        """``(n, ids)`` highest cosine of a sentence of each chosen point; NaN for points without sentences."""

    def get_sentences(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        """``(sentences, dimension)`` vectors of the sentences of chosen points, for those that have any."""

    def is_exact(self, corpus: str, kind: Kind) -> bool:
        """Whether ``query`` never misses a neighbour."""

    def count(self, corpus: str, kind: Kind) -> int:
        """Number of points; 0 where there is no collection."""

    def close(self) -> None:
        """Release connections and directories."""


@lru_cache(maxsize=8192)  # a search compares the same few hundred points with each of its texts
def point_uuid(node_id: str) -> str:
    """The store's id of a node: a UUID of version 5 from the node's id, the same in every store.

    It is that of :func:`uuid.uuid5`, computed without an object for each: a search makes hundreds.
    """
    digest = bytearray(hashlib.sha1(_NAMESPACE.bytes + node_id.encode(), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50  # version 5
    digest[8] = digest[8] & 0x3F | 0x80  # variant of RFC 4122
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def check_vectors(vectors: Vectors, dimension: int, names: Sequence[str]) -> Vectors:
    """Return the vectors unchanged if they are valid; a store that accepts NaN returns wrong results from then on.

    Args:
        vectors: ``(n, dimension)`` vectors.
        dimension: Dimension of the corpus' vectors.
        names: Name of the origin of each row, for the message.

    Raises:
        EmbeddingFailed: wrong shape, or a value that is not finite.
    """
    if vectors.ndim != 2 or vectors.shape != (len(names), dimension):
        raise EmbeddingFailed(
            f"expected {len(names)} vectors of {dimension} numbers, got an array of shape {vectors.shape}"
        )
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if bad.size:
        raise EmbeddingFailed(
            f"a vector must hold finite numbers only; {bad.size} do not, the first is that of {names[int(bad[0])]!r}"
        )
    return vectors


def count_different(vectors: Iterable[Vectors], stored: Iterable[Vectors]) -> int:
    """Number of vectors that differ from the stored ones; both are ``(n, dimension)``."""
    pairs = zip(vectors, stored, strict=True)
    return sum(not np.allclose(_unit(one), _unit(other), rtol=0, atol=TOLERANCE) for one, other in pairs)


def _unit(vector: Vectors) -> Vectors:
    return vector / (np.linalg.norm(vector) or 1.0)
