"""Values that a process reads once for each published generation of a corpus."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from tetragraph.host.recent_values import RecentValues
from tetragraph.stores.corpus import CorpusRecord

Value = TypeVar("Value")
MOST: Final = 16
"""Number of corpora and generations whose values are kept."""


class GenerationMemory(Generic[Value]):
    """Values, each of a published generation of a corpus; thread-safe."""

    def __init__(self) -> None:
        self._values = RecentValues[tuple[str, int], Value](MOST)

    def get(self, record: CorpusRecord) -> Value | None:
        """The value of the published generation of a corpus; None if it is not kept."""
        return self._values.get((record.key, record.published))

    def put(self, record: CorpusRecord, value: Value) -> None:
        """Keep a value, in place of one that was not used for long if there are too many."""
        self._values.put((record.key, record.published), value)
