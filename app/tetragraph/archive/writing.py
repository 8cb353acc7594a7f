"""Writes the file of a backup, a bounded part at a time."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import secrets
import tarfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from tetragraph.archive.file_format import (
    CHECKSUM,
    FORMAT,
    FULL_VERSION,
    MANIFEST,
    NAME,
    PART_BYTES,
    PART_MODULUS,
    PART_ROWS,
    VERSION,
    Base,
    Manifest,
    Part,
)
from tetragraph.archive.fingerprint import FingerprintSum
from tetragraph.host.file_lock import lock_new, remove_unlocked
from tetragraph.host.system_errors import report_unwritable
from tetragraph.stores.portable_values import to_json

_LEVEL = 1
"""Level of the compression; vectors, which are most of a backup, are not compressed further by a higher one."""


class BackupWriter:
    """Writes rows section by section, then the manifest.

    Args:
        file: The file.
        base: The backup that has parts which are left out here; None for a full backup.
        known: Hashes of the parts of the base.
    """

    def __init__(self, file: BinaryIO, base: Base | None = None, known: Collection[str] = ()) -> None:
        self._base, self._known, self._held = base, frozenset(known), list[str]()
        self._tar = tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115 - closed in `finish`
        self._parts: list[Part] = []
        self._section = ""
        self._number = 0
        self._rows: list[bytes] = []
        self._size = 0
        self.fingerprint = FingerprintSum()
        self._add(FORMAT, f"{NAME} {VERSION if base else FULL_VERSION}\n".encode())

    def write(self, section: str, row: Mapping[str, Any]) -> None:
        """Add a row; all rows of a section come one after another."""
        if section != self._section or len(self._rows) >= PART_ROWS or self._size >= PART_BYTES:
            self._end_part()
        if section != self._section:
            self._section, self._number = section, 0
        line = to_json(row).encode()
        self.fingerprint.add_line(section, line)
        line += b"\n"
        self._rows.append(line)
        self._size += len(line)
        if zlib.crc32(line) % PART_MODULUS == 0:
            self._end_part()

    def finish(self, manifest: Manifest) -> Manifest:
        """Write the last part and the manifest; returns it with parts and fingerprint."""
        self._end_part()
        base = replace(self._base, parts=tuple(self._held)) if self._base else None
        complete = replace(manifest, parts=tuple(self._parts), fingerprint=self.fingerprint.sections, base=base)
        content = complete.to_bytes()
        self._add(MANIFEST, content)
        self._add(CHECKSUM, f"{hashlib.sha256(content).hexdigest()}  {MANIFEST}\n".encode())
        self._tar.close()
        return complete

    def _end_part(self) -> None:
        if not self._rows:
            return
        self._number += 1
        name = f"{self._section}.{self._number:06d}.jsonl.gz"
        content = gzip.compress(b"".join(self._rows), _LEVEL, mtime=0)
        part = Part(name, len(self._rows), len(content), hashlib.sha256(content).hexdigest())
        self._parts.append(part)
        if part.sha256 in self._known:
            self._held.append(name)
        else:
            self._add(name, content)
        self._rows, self._size = [], 0

    def _add(self, name: str, content: bytes) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(content), 0o600
        self._tar.addfile(entry, io.BytesIO(content))


@contextmanager
def complete_or_absent(path: Path) -> Iterator[BinaryIO]:
    """A new file beside ``path`` that only its owner may read, renamed to it, durable, when the block ends well.

    What killed processes have left of the same path is removed first.

    Raises:
        InvalidInput: the path is not writable.
        StoreError: the disk is full, or another resource is used up.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with report_unwritable(path, "a backup"):
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove_left(path)
            with os.fdopen(lock_new(beside), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _remove_left(path: Path) -> None:
    """Delete the parts of a file whose processes have ended."""
    part = re.compile(rf"\.{re.escape(path.name)}\.\d+(-[0-9a-f]{{8}})?\.part")
    with suppress(PermissionError):  # a folder that may be written to, not listed
        for found in path.parent.iterdir():
            if part.fullmatch(found.name):
                remove_unlocked(found)
