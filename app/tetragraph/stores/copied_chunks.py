"""The chunks of a corpus that have a copy, read from Neo4j once for each published generation and process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.generation_memory import GenerationMemory

MOST_CHUNKS: Final = 50_000
"""Largest number of chunks of a corpus whose copies are remembered; finding them takes time in proportion to it."""
_LOADED: Final[GenerationMemory[frozenset[str]]] = GenerationMemory()


def may_have_copies(stores: CorpusStores, ids: Sequence[str]) -> list[str]:
    """Those of some chunks that may have a copy; those without one are left out where they are known.

    They are known of a published generation, which no change has followed, of a corpus that is not large.

    Args:
        stores: The stores of the corpus.
        ids: Ids of the chunks.
    """
    record = stores.record
    if record.chunks is None or record.chunks > MOST_CHUNKS or record.published != record.generation:
        return list(ids)
    copied = _load(stores)
    return [one for one in ids if copied is None or one in copied]


def _load(stores: CorpusStores) -> frozenset[str] | None:
    """Ids of the chunks with a copy; None if the corpus was changed while they were read."""
    if (found := _LOADED.get(stores.record)) is not None:
        return found
    found = frozenset(row["id"] for row in stores.graph.read("corpus/find_copied", corpus=stores.name))
    now = stores.graph.get("corpus/get_corpus", corpus=stores.name)
    if now is None or (now["created"], now["generation"]) != (stores.record.created, stores.record.generation):
        return None
    _LOADED.put(stores.record, found)
    return found
