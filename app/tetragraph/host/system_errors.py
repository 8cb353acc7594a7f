"""Refusals of the operating system as errors that say what to do."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tetragraph.errors import InvalidInput, StoreError, TetragraphError

_REMEDIES: Mapping[int | None, str] = {
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT), "free some space there, or set {setting} to a folder on another disk"
    ),
    **dict.fromkeys(
        (errno.EROFS, errno.EACCES, errno.EPERM), "set {setting} to a folder that this user may read and write"
    ),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), "raise the limit of open files (ulimit -n)"),
    errno.ENOMEM: "raise the limit of memory (ulimit -v), or use fewer corpora in one process",
    errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
}
_SHORTAGES = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO})
"""Numbers of refusals for want of space or of another resource, which say nothing against the place as such."""
_NUMBER = re.compile(r"\bos error (\d+)|\bOs \{ code: (\d+)")
"""How libraries in Rust name the error of the system."""


@contextmanager
def report_refusals(folder: Path, setting: str) -> Iterator[None]:
    """Turn refusals of the system in a block that reads or writes below a folder into errors with a remedy.

    Args:
        folder: The folder.
        setting: Name of the setting that chooses it.

    Raises:
        StoreError: the system refused a file: a full or read-only disk, rights, or a limit of the process.
    """
    try:
        yield
    except TetragraphError:  # some of these are OSErrors
        raise
    except OSError as error:
        raise refusal(error, error.errno, folder, setting) from error


@contextmanager
def report_unwritable(path: Path, what: str) -> Iterator[None]:
    """Turn refusals of the system in a block that writes to a path of the caller's choice into errors.

    Args:
        path: The path.
        what: What is written: the message begins with it.

    Raises:
        InvalidInput: the path is not writable.
        StoreError: the disk is full, or another resource is used up.
    """
    try:
        yield
    except TetragraphError:  # some of these are OSErrors
        raise
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise refusal(error, error.errno, path.absolute().parent, "the path") from error
        raise InvalidInput(f"{what} needs a place that can be written to, got {str(path)!r}: {error}") from error


def refusal(error: BaseException, number: int | None, folder: Path, setting: str) -> StoreError:
    """The error for a refusal with this number."""
    reason = getattr(error, "strerror", None) or error
    remedy = _REMEDIES.get(number, "check the folder and its disk, or set {setting} to another").format(setting=setting)
    return StoreError(f"the operating system refused to read or write in {folder}: {reason}; {remedy}")


def find_number(error: BaseException) -> int | None:
    """The number of the system's error behind this one; None if it is of another kind.

    An ``OSError`` holds it, an error of a library in Rust has it in its text.

    >>> find_number(Exception("failed to open WAL: Too many open files (os error 24)"))
    24
    >>> find_number(PermissionError(13, "Permission denied"))
    13
    """
    if isinstance(error, OSError):
        number = error.errno
    else:
        found = _NUMBER.search(str(error))
        number = int(found[1] or found[2]) if found else None
    return number if number in _REMEDIES else None
