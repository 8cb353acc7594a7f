"""Check of free disk space before a store writes."""

from __future__ import annotations

import shutil
from pathlib import Path

from tetragraph.errors import StoreError

RESERVE_BYTES = 64_000_000
"""Disk space in bytes that must stay free: stores allocate their files ahead of their use, and a full disk damages
them."""


def require_space(path: Path, needed: int, what: str) -> None:
    """Check that the disk of a path, which need not exist yet, has room for ``needed`` more bytes and the reserve.

    Args:
        path: File or folder below ``TETRAGRAPH_HOME``.
        needed: Bytes that are about to be written.
        what: What is about to be written where; the message begins with it.

    Raises:
        StoreError: there is not enough room; the message has both figures.
    """
    free = shutil.disk_usage(next(folder for folder in (path, *path.parents) if folder.is_dir())).free
    if free < needed + RESERVE_BYTES:
        raise StoreError(
            f"{what} needs {(needed + RESERVE_BYTES) / 1e6:.0f} MB of free disk, it has {free / 1e6:.0f} MB: "
            "free some and run the same command again, or set TETRAGRAPH_HOME to another disk"
        )
