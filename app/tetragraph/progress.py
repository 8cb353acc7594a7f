"""How long work tells of itself: a protocol, silent unless the caller passes something that listens."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the stages of long work. The CLI draws bars; the library is silent by default."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """A stage begins. ``total`` is in ``unit``s (``documents``, ``chunks``, ``bytes``); None when not known."""

    def advance(self, stage: str, amount: int = 1) -> None:
        """``amount`` more units are done."""

    def finish(self, stage: str) -> None:
        """The stage is complete."""


class Silent:
    """Says nothing."""

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Ignored."""

    def advance(self, stage: str, amount: int = 1) -> None:
        """Ignored."""

    def finish(self, stage: str) -> None:
        """Ignored."""
