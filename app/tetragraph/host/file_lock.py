"""File locks between processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tetragraph.errors import UnsupportedSystem


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file ``path``, waiting for it; the system releases the lock of a dead process.

    Raises:
        UnsupportedSystem: on Windows.
    """
    if sys.platform == "win32":
        raise UnsupportedSystem("tetragraph runs on Linux and macOS, got Windows: use the Windows Subsystem for Linux")
    import fcntl  # does not exist on Windows

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether a process that lives holds the lock on the file ``path``; not if there is no such file."""
    import fcntl  # does not exist on Windows

    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
