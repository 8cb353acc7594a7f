"""Values that a process reads once for each published generation of a corpus."""

from __future__ import annotations

from threading import Lock
from typing import Final, Generic, TypeVar

from tetragraph.stores.corpus import CorpusRecord

Value = TypeVar("Value")
MOST: Final = 16
"""Number of corpora and generations whose values are kept."""


class GenerationMemory(Generic[Value]):
    """The newest values, each of a published generation of a corpus; thread-safe."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, int], Value] = {}
        self._lock = Lock()

    def get(self, record: CorpusRecord) -> Value | None:
        """The value of the published generation of a corpus; None if it is not kept."""
        with self._lock:
            return self._values.get((record.key, record.published))

    def put(self, record: CorpusRecord, value: Value) -> None:
        """Keep a value, in place of the oldest if there are too many."""
        with self._lock:
            self._values[record.key, record.published] = value
            while len(self._values) > MOST:
                del self._values[next(iter(self._values))]
