"""Ownership of a directory of the in-process Qdrant engine: one process at a time, on this machine."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tetragraph.errors import StoreBusy, StoreError
from tetragraph.host.private_files import make_private_folder
from tetragraph.host.system_errors import report_refusals

SETTING = "TETRAGRAPH_HOME"
"""Name of the setting that chooses the folder of the vectors."""
_POLL_S = 0.05
_LONGEST_COMMAND = 200


class Owner:
    """A lock file that describes its holder. The operating system releases the lock when the holder dies.

    Not safe to share between threads: the caller synchronises.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self, wait_s: float) -> None:
        """Become the owner, waiting at most ``wait_s`` seconds for another; returns at once if it already is.

        Raises:
            StoreBusy: another owner held it for that long; the message names the owner and the remedies.
            StoreError: on Windows, where the in-process engine is not supported.
        """
        if self._descriptor is not None:
            return
        deadline = time.monotonic() + wait_s
        while not self._try_lock():
            if time.monotonic() >= deadline:
                raise _busy_error(self._path, wait_s)
            time.sleep(_POLL_S)

    def release(self, *, forget: bool = False) -> None:
        """Release the directory; does nothing if this is not the owner.

        Args:
            forget: Also remove the lock file, because the directory is gone.
        """
        if self._descriptor is None:
            return
        if forget:
            self._path.unlink(missing_ok=True)
        else:
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None

    def _try_lock(self) -> bool:
        with report_refusals(self._path.parent, SETTING):
            make_private_folder(self._path.parent)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(descriptor):
            os.close(descriptor)
            return False
        if not _is_same_file(self._path, descriptor):  # the previous owner removed the file meanwhile
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        with report_refusals(self._path.parent, SETTING):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(_describe_process()).encode(), 0)
        return True


def _busy_error(path: Path, wait_s: float) -> StoreBusy:
    return StoreBusy(
        f"a local vector directory has one owner at a time; {path.with_suffix('')} was held by "
        f"{_describe_holder(path)} for all of the {wait_s:g} s that this one waited: stop that process or let it "
        "finish, wait longer with TETRAGRAPH_EDGE_WAIT_S, or share a Qdrant server between processes with QDRANT_URL"
    )


def _describe_process() -> dict[str, str | int]:
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])[:_LONGEST_COMMAND]
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "command": command, "since": since}


def _describe_holder(path: Path) -> str:
    """The holder in words; its description may be incomplete while it is being written."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        words = f"process {facts['pid']} on {facts['host']} (`{facts['command']}`, since {facts['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
    if facts["pid"] == os.getpid():
        return f"another client in this same {words}, which should share one or close it,"
    return words


def _lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        raise StoreError("the in-process Qdrant runs on Linux and macOS, got Windows: set QDRANT_URL")
    import fcntl  # does not exist on Windows

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_same_file(path: Path, descriptor: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False
