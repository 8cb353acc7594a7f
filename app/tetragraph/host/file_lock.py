"""Files that one process holds at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tetragraph.errors import UnsupportedSystem


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the file ``path`` alone, waiting for whoever holds it; the system gives it back when a holder dies.

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
