"""The chunks of a corpus that have a copy, read from Neo4j once for each published generation and process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final

from tetragraph.stores.corpus import CorpusStores

MOST_CHUNKS: Final = 50_000
"""Largest number of chunks of a corpus whose copies are remembered; finding them takes time in proportion to it."""
_MOST_LOADED: Final = 16
"""Number of corpora and generations whose copies a process keeps."""
_LOADED: OrderedDict[tuple[str, int], frozenset[str]] = OrderedDict()
_LOCK = Lock()


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
    key = (stores.record.key, stores.record.generation)
    with _LOCK:
        if (found := _LOADED.get(key)) is not None:
            return found
    found = frozenset(row["id"] for row in stores.graph.read("corpus/find_copied", corpus=stores.name))
    now = stores.graph.get("corpus/get_corpus", corpus=stores.name)
    if now is None or (now["created"], now["generation"]) != (stores.record.created, stores.record.generation):
        return None
    with _LOCK:
        _LOADED[key] = found
        while len(_LOADED) > _MOST_LOADED:
            _LOADED.popitem(last=False)
    return found
