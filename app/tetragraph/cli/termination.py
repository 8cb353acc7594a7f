"""SIGTERM and SIGHUP end a command as Ctrl-C does: it releases its leases and removes its temporary files."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end a process: one of its user or system, and the end of its terminal, where the system has it."""


class Terminated(KeyboardInterrupt):
    """The process received one of :data:`SIGNALS`."""


class Termination:
    """Raises :class:`Terminated` in the main thread at the first signal; later ones do not disturb the cleanup.

    Attributes:
        is_requested: Whether a signal came.
    """

    def __init__(self) -> None:
        self.is_requested = False

    def handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  # as ``signal.signal`` calls it
        """Handle the signal."""
        if not self.is_requested:  # `timeout` sends it twice: to the process, and to its group
            self.is_requested = True
            _leave_lost_terminal()
            raise Terminated


def _leave_lost_terminal() -> None:
    """Send output nowhere whose terminal has ended: an error while it is written would disturb the cleanup."""
    for descriptor in (1, 2):
        try:
            os.write(descriptor, b"")
        except OSError as error:
            if error.errno == errno.EIO:
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


@contextmanager
def termination_raised() -> Iterator[Termination]:
    """Handle the signals inside the block, except those ignored or handled already, or outside the main thread."""
    termination = Termination()
    ours = []
    if threading.current_thread() is threading.main_thread():
        ours = [one for one in SIGNALS if signal.getsignal(one) is signal.SIG_DFL]  # nohup ignores SIGHUP
    for one in ours:
        signal.signal(one, termination.handle)
    try:
        yield termination
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)
