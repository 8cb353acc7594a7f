"""How long work tells of itself: a protocol, silent unless the caller passes something that listens; and its times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Receives the stages of long work. The CLI draws bars; the library is silent by default."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """A stage begins. ``total`` is in ``unit``s (``documents``, ``chunks``, ``bytes``); None when not known."""

    def advance(self, stage: str, amount: int = 1) -> None:
        """``amount`` more units are done."""

    def finish(self, stage: str) -> None:
        """The stage is complete."""


class NoProgress:
    """Says nothing."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Ignored."""

    def advance(self, stage: str, amount: int = 1) -> None:
        """Ignored."""

    def finish(self, stage: str) -> None:
        """Ignored."""


class Stopwatch:
    """Wall time by stage.

    Attributes:
        seconds: Stage to the sum of its times, in order of first use.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
