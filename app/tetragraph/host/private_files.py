"""Folders and files that only their owner may read: they hold texts of documents."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Create a folder with mode 0700, with its parents; an existing folder of the same user is closed to others."""
    create_private(folder)
    if folder.stat().st_mode & 0o077:
        close_to_others(folder)


def create_private(folder: Path) -> None:
    """Create a folder and the missing ones above it, all with mode 0700 whatever the umask; existing ones stay.

    ``mkdir(parents=True)`` gives its mode to the last folder only: in others, anyone could rename what is inside.
    """
    for path in (*(parent for parent in reversed(folder.parents) if not parent.exists()), folder):
        path.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, content: str | bytes) -> None:
    """Replace a file atomically; at no time can other users than its owner read it. Texts are written in UTF-8."""
    data = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:  # noqa: PTH123  # a mode from the start
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def close_to_others(path: Path) -> None:
    """Take all rights on a file or folder from everyone but its owner, if this process may do that."""
    try:
        path.chmod(path.stat().st_mode & 0o700)
    except OSError:
        return


def close_tree_to_others(folder: Path) -> None:
    """Close a folder that is open to others, with all in it; itself last, so that an interrupted run is repeated."""
    if folder.is_dir() and folder.stat().st_mode & 0o077:
        for path in (*folder.rglob("*"), folder):
            close_to_others(path)
