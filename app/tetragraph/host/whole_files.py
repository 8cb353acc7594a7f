"""Files that are complete or absent: written beside their place, and moved to it."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace a file with a text in UTF-8, whose line ends stay; after an error it is as it was."""
    save_whole(path, lambda file: _write_text(file, text))


def save_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Replace a file with the one that ``write`` makes at the path it is given; after an error it is as it was.

    A link, a device and a pipe, such as ``/dev/stdout``, are written to and not replaced.
    """
    if _is_kept(path):
        write(path)
        return
    beside = _beside(path)
    try:
        write(beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Check that :func:`save_whole` can write a file, whose folder is made if it is missing.

    Raises:
        OSError: it cannot, as far as the system shows before it is done.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    if not _is_kept(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = _beside(path)
        try:
            beside.touch()
        finally:
            beside.unlink(missing_ok=True)


def _write_text(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="")


def _is_kept(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not path.is_file())


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
