"""Folders and files that only their owner may read: they hold texts of documents."""

from __future__ import annotations

from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Create a folder with mode 0700, with its parents; an existing folder of the same user is closed to others."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        close_to_others(folder)


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
