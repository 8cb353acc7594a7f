"""Readings of a running process at regular intervals."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

Probe = Callable[[], float]


class Watch:
    """Reads probes in a thread while the block runs, and at its beginning and end.

    Args:
        probes: Probes by name.
        every_s: Seconds between two readings.
    """

    def __init__(self, probes: Mapping[str, Probe], every_s: float) -> None:
        self._probes = probes
        self._every_s = every_s
        self._readings: list[tuple[float, dict[str, float]]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._read()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._read()

    def highest(self, name: str, start: float, end: float) -> float:
        """The highest reading between two values of ``time.monotonic``, including the next one after them."""
        within = [values[name] for moment, values in self._readings if start <= moment <= end]
        return max([*within, self.at(name, end)])

    def at(self, name: str, moment: float) -> float:
        """The first reading from a time on, or the last reading."""
        return next((values[name] for taken, values in self._readings if taken >= moment), self._readings[-1][1][name])

    def first(self, name: str) -> float:
        """The reading before the block began."""
        return self._readings[0][1][name]

    def _watch(self) -> None:
        while not self._ended.wait(self._every_s):
            self._read()

    def _read(self) -> None:
        moment = time.monotonic()
        self._readings.append((moment, {name: probe() for name, probe in self._probes.items()}))
