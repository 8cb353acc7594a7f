"""The chunks of a corpus that have a copy or near copy, read from Neo4j once for each published generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.generation_memory import GenerationMemory

MOST_CHUNKS: Final = 50_000
"""Largest number of chunks of a corpus whose copies are remembered; finding them takes time in proportion to it."""
Value = TypeVar("Value")
_COPIED: Final[GenerationMemory[frozenset[str]]] = GenerationMemory()
_NEAR: Final[GenerationMemory[Mapping[str, str]]] = GenerationMemory()


def may_have_copies(stores: CorpusStores, ids: Sequence[str]) -> list[str]:
    """Those of some chunks that may have a copy; those without one are left out where they are known.

    They are known of a published generation, which no change has followed, of a corpus that is not large.

    Args:
        stores: The stores of the corpus.
        ids: Ids of the chunks.
    """
    count = stores.record.chunks
    copied = None if count is None else _recall(_COPIED, stores, count, _read_copied)
    return [one for one in ids if copied is None or one in copied]


def find_originals(stores: CorpusStores, ids: Sequence[str]) -> Mapping[str, str]:
    """The chunk of the original by chunk, for those of some chunks that have a near copy.

    Args:
        stores: The stores of the corpus.
        ids: Ids of the chunks.
    """
    if not (stores.record.near_copies and ids):
        return {}
    if (near := _recall_near(stores)) is not None:
        return {one: near[one] for one in sorted({*ids}) if one in near}
    rows = stores.graph.read("corpus/find_originals", corpus=stores.name, ids=list(ids))
    return {row["id"]: row["near"] for row in rows}


def may_have_near_copies(stores: CorpusStores, ids: Sequence[str]) -> list[str]:
    """Those of some chunks that may have a near copy; as :func:`may_have_copies`."""
    if not (stores.record.near_copies and ids):
        return []
    near = _recall_near(stores)
    return [one for one in ids if near is None or one in near]


def _recall_near(stores: CorpusStores) -> Mapping[str, str] | None:
    return _recall(_NEAR, stores, stores.record.near_copies or 0, _read_near)


def _read_copied(stores: CorpusStores) -> frozenset[str]:
    return frozenset(row["id"] for row in stores.graph.read("corpus/find_copied", corpus=stores.name))


def _read_near(stores: CorpusStores) -> Mapping[str, str]:
    rows = stores.graph.read("corpus/find_near_copies", corpus=stores.name)
    return {row["id"]: row["near"] for row in rows}


def _recall(
    memory: GenerationMemory[Value], stores: CorpusStores, count: int, read: Callable[[CorpusStores], Value]
) -> Value | None:
    """The value of the published generation; None if the corpus is large or is being changed."""
    if count > MOST_CHUNKS or stores.record.published != stores.record.generation:
        return None
    return memory.recall(stores, read)
