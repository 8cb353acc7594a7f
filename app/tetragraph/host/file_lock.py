"""File locks between processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tetragraph.errors import UnsupportedSystem


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file ``path``, waiting for it; the system releases the lock of a dead process.

    Raises:
        UnsupportedSystem: on Windows.
    """
    _check_system()
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


def remove_unlocked(path: Path) -> None:
    """Delete a file unless a process that lives holds the lock on it, which :func:`lock_new` takes."""
    import fcntl  # does not exist on Windows

    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:  # another process has removed it, or it is of another user
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
    except OSError:  # locked, or the file system has no locks
        return
    finally:
        os.close(descriptor)


def lock_new(path: Path) -> int:
    """Create a file that only its owner may read, and lock it until its descriptor, which is returned, is closed.

    Where the file system has no locks, :func:`remove_unlocked` deletes nothing, and the file is not locked.

    Raises:
        OSError: it exists, or cannot be written.
        UnsupportedSystem: on Windows.
    """
    _check_system()
    import fcntl  # does not exist on Windows

    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if path.exists():  # no process has removed it before it was locked
            return descriptor
        os.close(descriptor)


def _check_system() -> None:
    if sys.platform == "win32":
        raise UnsupportedSystem("tetragraph runs on Linux and macOS, got Windows: use the Windows Subsystem for Linux")
