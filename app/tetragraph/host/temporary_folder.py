"""Temporary folders that the next process removes when theirs was killed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tetragraph.host.file_lock import exclusive, is_locked
from tetragraph.host.private_files import make_private_folder
from tetragraph.host.system_errors import report_refusals

ALIVE = "alive"
"""File in a temporary folder that its process holds locked."""


@contextmanager
def temporary_folder(parent: Path, setting: str) -> Iterator[Path]:
    """A folder that only its owner can read; it is deleted at the end, or by the next one there if this is killed.

    Args:
        parent: Folder of the temporary folders of one purpose, created if it does not exist; it has nothing else.
        setting: Environment variable that decides where it is, for messages.

    Raises:
        TetragraphError: the system refuses a folder or file there.
    """
    with ExitStack() as stack:
        with report_refusals(parent, setting):
            make_private_folder(parent)
            with exclusive(parent / "lock"):
                remove_abandoned(parent, "tmp*")
                made = tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True)
                folder = Path(stack.enter_context(made))
                stack.enter_context(exclusive(folder / ALIVE))
        inner = folder / "files"
        inner.mkdir()
        yield inner


def remove_abandoned(parent: Path, pattern: str) -> None:
    """Delete the folders of ended processes; the caller prevents that one is created meanwhile."""
    for left in parent.glob(pattern):
        if not is_locked(left / ALIVE):
            shutil.rmtree(left, ignore_errors=True)
