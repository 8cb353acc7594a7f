"""SIGTERM ends a command as Ctrl-C does: the exception releases its leases and removes its temporary files."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(KeyboardInterrupt):
    """The process received SIGTERM."""


class Termination:
    """Raises :class:`Terminated` in the main thread at the first SIGTERM; later ones do not disturb the cleanup.

    Attributes:
        is_requested: Whether a SIGTERM came.
    """

    def __init__(self) -> None:
        self.is_requested = False

    def handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  # as ``signal.signal`` calls it
        """Handle the signal."""
        if not self.is_requested:  # `timeout` sends it twice: to the process, and to its group
            self.is_requested = True
            raise Terminated


@contextmanager
def termination_raised() -> Iterator[Termination]:
    """Handle SIGTERM inside the block, unless it is ignored or handled already, or this is not the main thread."""
    termination = Termination()
    is_ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    )
    if is_ours:
        signal.signal(signal.SIGTERM, termination.handle)
    try:
        yield termination
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
