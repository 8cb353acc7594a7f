"""Values that a process reads once for each published generation of a corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tetragraph.host.recent_values import RecentValues
from tetragraph.stores.corpus import CorpusStores

Value = TypeVar("Value")
MOST: Final = 16
"""Number of corpora and generations whose values are kept."""


class GenerationMemory(Generic[Value]):
    """Values, each of a published generation of a corpus; thread-safe."""

    def __init__(self) -> None:
        self._values = RecentValues[tuple[str, int], Value](MOST)

    def recall(self, stores: CorpusStores, read: Callable[[CorpusStores], Value]) -> Value | None:
        """The value of the published generation of a corpus, read if it is not kept.

        Args:
            stores: The stores of the corpus.
            read: Reads the value; what it reads during a change is not kept.

        Returns:
            None if it is not kept and the corpus is being changed, also while it was read.
        """
        record = stores.record
        key = (record.key, record.published)
        if (found := self._values.get(key)) is not None or record.published != record.generation:
            return found
        found = read(stores)
        now = stores.graph.get("corpus/get_corpus", corpus=stores.name)
        if now is None or (now["created"], now["generation"]) != (record.created, record.generation):
            return None
        self._values.put(key, found)
        return found
