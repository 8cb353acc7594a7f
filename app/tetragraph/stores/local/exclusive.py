"""One process at a time, on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tetragraph.errors import LocalStoreError


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the file ``path`` alone, waiting for whoever holds it; the system gives it back when a holder dies.

    Raises:
        LocalStoreError: on Windows, where the local Neo4j is not supported.
    """
    if sys.platform == "win32":
        raise LocalStoreError("the local Neo4j runs on Linux and macOS, got Windows: use WSL, or Docker and NEO4J_URI")
    import fcntl  # does not exist on Windows

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
