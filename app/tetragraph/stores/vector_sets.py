"""Numbered sets of the collections of a corpus: while another embedder fills the next one, searches use the first.

The collections of set 1 have the name of the corpus, ``handbook__chunks``, those of set 2 ``handbook~2__chunks``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tetragraph.arrays import Floats, Vectors
from tetragraph.model import Filters, Metadata
from tetragraph.stores.vectors import Kind, Layout, Point, Scored, VectorServer, VectorStore

SEPARATOR = "~"


def set_name(corpus: str, number: int) -> str:
    """Name of a set of collections.

    >>> set_name("handbook", 1), set_name("handbook", 2)
    ('handbook', 'handbook~2')
    """
    return corpus if number == 1 else f"{corpus}{SEPARATOR}{number}"


def corpus_of(name: str) -> str:
    """Name of the corpus of a set of collections.

    >>> corpus_of("handbook~2")
    'handbook'
    """
    return name.partition(SEPARATOR)[0]


def drop_set(vectors: VectorStore, name: str) -> None:
    """Drop the collections of one set, by its name."""
    for corpus, kind in vectors.collections():
        if corpus == name:
            vectors.drop(corpus, kind)


@dataclass(frozen=True, slots=True)
class VectorSet:
    """A vector store that uses one set of the collections of each corpus; closing it is left to the store.

    Attributes:
        store: The store.
        number: Number of the set, from 2.
    """

    store: VectorStore
    number: int

    def server(self) -> VectorServer:
        return self.store.server()

    def ensure(self, corpus: str, kind: Kind, dimension: int, *, sentences: bool = False) -> None:
        self.store.ensure(self._name(corpus), kind, dimension, sentences=sentences)

    def layout(self, corpus: str, kind: Kind) -> Layout | None:
        return self.store.layout(self._name(corpus), kind)

    def collections(self) -> list[tuple[str, Kind]]:
        return self.store.collections()

    def upsert(self, corpus: str, kind: Kind, points: Sequence[Point]) -> None:
        self.store.upsert(self._name(corpus), kind, points)

    def delete(self, corpus: str, kind: Kind, ids: Sequence[str]) -> None:
        self.store.delete(self._name(corpus), kind, ids)

    def drop(self, corpus: str, kind: Kind) -> None:
        self.store.drop(self._name(corpus), kind)

    def get(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        return self.store.get(self._name(corpus), kind, ids)

    def hashes(self, corpus: str, kind: Kind) -> dict[str, str]:
        return self.store.hashes(self._name(corpus), kind)

    def metadata(self, corpus: str, kind: Kind) -> dict[str, Metadata]:
        return self.store.metadata(self._name(corpus), kind)

    def scroll(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], Vectors]]:
        return self.store.scroll(self._name(corpus), kind, batch)

    def scroll_sentences(self, corpus: str, kind: Kind, batch: int = 1000) -> Iterator[tuple[list[str], list[Vectors]]]:
        return self.store.scroll_sentences(self._name(corpus), kind, batch)

    def points(self, corpus: str, kind: Kind) -> Iterator[list[Point]]:
        return self.store.points(self._name(corpus), kind)

    def fetch(self, corpus: str, kind: Kind, ids: Sequence[str]) -> list[Point]:
        return self.store.fetch(self._name(corpus), kind, ids)

    def query(
        self, corpus: str, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        return self.store.query(self._name(corpus), kind, vector, limit, filters)

    def compare(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self.store.compare(self._name(corpus), kind, vectors, ids)

    def compare_sentences(self, corpus: str, kind: Kind, vectors: Vectors, ids: Sequence[str]) -> Floats:
        return self.store.compare_sentences(self._name(corpus), kind, vectors, ids)

    def get_sentences(self, corpus: str, kind: Kind, ids: Sequence[str]) -> dict[str, Vectors]:
        return self.store.get_sentences(self._name(corpus), kind, ids)

    def is_exact(self, corpus: str, kind: Kind) -> bool:
        return self.store.is_exact(self._name(corpus), kind)

    def count(self, corpus: str, kind: Kind) -> int:
        return self.store.count(self._name(corpus), kind)

    def close(self) -> None:
        """Do nothing: the store is shared."""

    def _name(self, corpus: str) -> str:
        return set_name(corpus, self.number)


def use_set(vectors: VectorStore, number: int) -> VectorStore:
    """The vector store with one set of the collections of each corpus."""
    return vectors if number == 1 else VectorSet(vectors, number)
