"""Where a search is computed: on arrays in this process, or in the stores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from tetragraph.errors import NotBuilt, StoreError
from tetragraph.stores.corpus import CorpusStores

Index = TypeVar("Index")
Engine: TypeAlias = Literal["auto", "memory", "stores"]
"""Values of the option ``engine``. ``memory`` reads arrays of the whole corpus; ``stores`` reads from Neo4j and Qdrant
what one question needs, and keeps nothing; ``auto`` is ``memory`` where :func:`choose_engine` finds it cheap."""
Chosen: TypeAlias = Literal["memory", "stores"]
SMALL = 20_000
"""Largest number of chunks of a corpus whose absent arrays ``auto`` has computed, in seconds, on the first search."""


@dataclass(frozen=True, slots=True)
class IndexSource(Generic[Index]):
    """An index that a system has for others, with either engine.

    Attributes:
        kinds: Kinds of the sets of arrays that ``load`` reads.
        load: Returns the index of the newest complete generation, on arrays (see :meth:`CorpusStores.index`).
        read: Returns an index that reads from the stores what one search asks for.
    """

    kinds: tuple[str, ...]
    load: Callable[[CorpusStores], Index]
    read: Callable[[CorpusStores], Index]

    def open(self, stores: CorpusStores, engine: Chosen) -> Index:
        """The index with an engine."""
        return self.read(stores) if engine == "stores" else self.load(stores)


def choose_engine(stores: CorpusStores, asked: Engine, kinds: Iterable[str]) -> Chosen:
    """The engine of a search; ``auto`` takes memory where the arrays are at hand or the corpus is small.

    It also takes memory where an earlier version published the corpus, see :func:`check_statistics`.

    While a corpus is being changed, ``memory`` answers from the arrays of the last complete generation. Without these,
    ``auto`` takes the stores. They are neither the old nor the new generation, which a note says.

    Args:
        stores: The stores of the corpus; receive the note.
        asked: Value of the option.
        kinds: Kinds of the sets of arrays that the method reads (see :meth:`CorpusStores.index`).
    """
    if asked == "stores":
        _note_change(stores)
    if asked != "auto":
        return asked
    record = stores.record
    if record.chunks is None or all(stores.arrays.has(record.key, kind, record.published) for kind in kinds):
        return "memory"
    if record.published != record.generation:
        _note_change(stores)
        return "stores"
    return "memory" if record.has_arrays and stores.vectors.count(record.name, "chunks") <= SMALL else "stores"


def _note_change(stores: CorpusStores) -> None:
    """Note that the stores are between two generations, if they are."""
    record = stores.record
    if record.published != record.generation:
        stores.note(
            f"corpus {record.name!r} is being changed, or a change was interrupted: answered from the stores as they "
            f"are, between two generations"
        )


def being_built(stores: CorpusStores, title: str, target: str) -> StoreError:
    """The error of a search in the stores of a graph that is not complete.

    Args:
        stores: The stores of the corpus.
        title: Name of the graph.
        target: Argument of ``tetragraph build``.
    """
    return StoreError(
        f"the {title} of corpus {stores.name!r} is being built, or a build was interrupted: wait for it, or run "
        f"`tetragraph build {target} -c {stores.name}` again"
    )


def check_statistics(stores: CorpusStores) -> None:
    """Raise unless the numbers of a corpus that a search in the stores needs are there.

    Raises:
        NotBuilt: an earlier version published the corpus.
    """
    if stores.record.chunks is None:
        raise NotBuilt(
            f"corpus {stores.name!r} was published by an earlier version, without the document frequencies that "
            f"engine='stores' needs: the next change of its documents writes them, such as "
            f"`tetragraph ingest SOURCE -c {stores.name}`; engine='memory' works meanwhile"
        )
