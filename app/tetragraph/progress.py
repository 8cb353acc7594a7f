"""Progress of long operations: a protocol that callers may implement, and a stopwatch for stages."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

logger = logging.getLogger("tetragraph")


class Progress(Protocol):
    """Receiver of the stages of a long operation. The CLI draws bars; the library reports nothing by default."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Start of a stage. ``total`` is in ``unit``s (``documents``, ``chunks``, ``bytes``); None if it is unknown.

        For a stage that has not finished it gives a new total; what was completed counts on.
        """

    def advance(self, stage: str, amount: int = 1) -> None:
        """Completion of ``amount`` more units."""

    def finish(self, stage: str) -> None:
        """End of a stage."""


class NoProgress:
    """Progress that reports nothing."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Do nothing."""

    def advance(self, stage: str, amount: int = 1) -> None:
        """Do nothing."""

    def finish(self, stage: str) -> None:
        """Do nothing."""


class Stopwatch:
    """Wall time of stages.

    Attributes:
        seconds: Stage to the sum of its times, in order of first use.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the time of a block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - began
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds
            logger.debug("stage %s took %.2f s", name, seconds)
