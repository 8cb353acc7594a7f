"""Check of free disk space before a start: on a full disk Neo4j reports a misleading reason, minutes later."""

from __future__ import annotations

import shutil
from pathlib import Path

from tetragraph.errors import LocalStoreError

RESERVE_BYTES = 300_000_000
"""Disk space that must stay free, in bytes."""


def require_disk_space(folder: Path, needed_bytes: int, what: str) -> None:
    """Check that ``needed_bytes`` and the reserve fit on the disk of ``folder``.

    Raises:
        LocalStoreError: they do not; the message has both figures.
    """
    free = shutil.disk_usage(folder).free
    if free < needed_bytes + RESERVE_BYTES:
        raise LocalStoreError(
            f"{what} needs {(needed_bytes + RESERVE_BYTES) / 1e6:.0f} MB of free disk, "
            f"the disk of {folder} has {free / 1e6:.0f} MB: "
            "free some, or set TETRAGRAPH_HOME and TETRAGRAPH_CACHE to another disk"
        )
