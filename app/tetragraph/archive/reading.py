"""Reads and checks the file of a backup."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from tetragraph.archive.file_format import (
    CHECKSUM,
    FORMAT,
    LARGEST_PART,
    MANIFEST,
    Base,
    Manifest,
    Part,
    check_format,
)
from tetragraph.archive.fingerprint import FingerprintSum, find_differences
from tetragraph.archive.report import BackupReport
from tetragraph.errors import InvalidInput, TetragraphError, UnusableBackup
from tetragraph.stores import migrations
from tetragraph.stores.portable_values import from_json

_DAMAGE = (tarfile.TarError, zlib.error, EOFError, ValueError, KeyError, gzip.BadGzipFile)
_LARGEST_TEXT = 1 << 27
"""Bytes above which a manifest is not one of this program."""


class BackupReader:
    """An open backup; nothing of it is written to the disk. Threads may read its parts.

    Attributes:
        path: Path of the file.
        manifest: Description of the backup, whose hash agrees.
        sha256: Hash of its manifest.
        base: The open backup that has some of its parts; None for a full backup.
    """

    def __init__(self, path: Path, tar: tarfile.TarFile, manifest: Manifest, sha256: str) -> None:
        self._tar = tar
        self.path = path
        self.manifest = manifest
        self.sha256 = sha256
        self.base: BackupReader | None = None
        self._held = frozenset(manifest.base.parts) if manifest.base else frozenset[str]()
        self._by_hash = {part.sha256: part for part in manifest.parts}
        self._lock = threading.Lock()  # threads share one place in the file

    @cached_property
    def _entries(self) -> Mapping[str, tarfile.TarInfo]:
        """The entries by name, which the archive would look for from its end each time."""
        return {entry.name: entry for entry in self._tar}

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Open a backup and check its format and manifest.

        Raises:
            InvalidInput: there is no such file.
            UnusableBackup: it is no backup, damaged, of a newer format or schema, or its base is not beside it.
        """
        try:
            with report_damage(path), ExitStack() as opened:
                yield cls._open_with_bases(path, opened)
        except TetragraphError:  # of the caller's work on the opened backup; some are errors of the system, too
            raise
        except OSError as error:
            raise InvalidInput(f"a backup must be a file that can be read, got {str(path)!r}: {error}") from error

    @classmethod
    def _open_with_bases(cls, path: Path, opened: ExitStack) -> Self:
        reader = last = cls._open_alone(path, opened)
        while named := last.manifest.base:  # each base is compared at once, so no file can come twice
            place = _find_base(last.path, named)
            with report_damage(place):
                base = cls._open_alone(place, opened)
            if base.sha256 != named.sha256:
                raise UnusableBackup(
                    f"{place} is another backup than the base that {last.path.name} was made with", reason="no base"
                )
            last.base = last = base
        return reader

    @classmethod
    def _open_alone(cls, path: Path, opened: ExitStack) -> Self:
        tar = opened.enter_context(tarfile.open(path, "r:"))  # noqa: SIM115 - closed by the caller
        check_format(_read_text(tar, FORMAT))
        content = _read_text(tar, MANIFEST)
        manifest = Manifest.from_bytes(content, _read_text(tar, CHECKSUM))
        _check_schema(manifest)
        return cls(path, tar, manifest, hashlib.sha256(content).hexdigest())

    @property
    def files(self) -> list[Path]:
        """Paths of the backup, of its base, and so on to the full backup."""
        found, reader = [self.path], self.base
        while reader:
            found.append(reader.path)
            reader = reader.base
        return found

    def check_hashes(self) -> None:
        """Compare every part with its hash.

        Raises:
            UnusableBackup: a part is missing or damaged, or there is one that the manifest lacks.
        """
        self._check_names()
        for part in self.manifest.parts:
            self._packed(part)

    def check(self) -> None:
        """Compare every part with its hash and the number of its rows, and all rows with the fingerprint.

        Raises:
            UnusableBackup: a part is missing or damaged, or there is one that the manifest lacks.
        """
        self._check_names()
        total = FingerprintSum()
        for part in self.manifest.parts:
            for line in self._lines(part):
                total.add_line(part.section, line)
        if found := find_differences(total.sections, self.manifest.fingerprint):
            raise UnusableBackup(f"the contents of {found[0]} are not those of the manifest: the backup is damaged")

    def rows(self, part: Part) -> list[dict[str, Any]]:
        """The rows of one part.

        Raises:
            UnusableBackup: it is damaged, or the base lacks it.
        """
        return [from_json(line.decode()) for line in self._lines(part)]

    def _check_names(self) -> None:
        names = [entry.name for entry in self._tar if entry.name not in (FORMAT, MANIFEST, CHECKSUM)]
        if names != [part.name for part in self.manifest.parts if part.name not in self._held]:
            raise UnusableBackup("the parts of the backup are not those of its manifest: it is damaged")

    def _lines(self, part: Part) -> list[bytes]:
        with gzip.GzipFile(fileobj=io.BytesIO(self._packed(part))) as lines:
            text = lines.read(LARGEST_PART + 1)
        found = text.splitlines() if len(text) <= LARGEST_PART else []
        if len(found) != part.rows:
            raise UnusableBackup(f"{part.name} of the backup has {len(found):,} rows, its manifest {part.rows:,}")
        return found

    def _packed(self, part: Part) -> bytes:
        """The compressed lines of a part, whose hash agrees, of the backup or of the one below it that has them."""
        reader = self
        while part.name in reader._held:  # of the same class
            base = reader.base
            there = base._by_hash.get(part.sha256) if base else None
            if base is None or there is None:
                raise UnusableBackup(
                    f"the base of the backup must have the part {part.name}, it has not: it is another one",
                    reason="no base",
                )
            reader, part = base, there
        return reader._packed_here(part)

    def _packed_here(self, part: Part) -> bytes:
        with self._lock:
            content = self._tar.extractfile(self._entries[part.name])
            packed = content.read(part.size + 1) if content else b""
        if hashlib.sha256(packed).hexdigest() != part.sha256:
            raise UnusableBackup(
                f"{part.name} of {self.path.name} does not have the hash of the manifest: it is damaged"
            )
        return packed


def _find_base(path: Path, base: Base) -> Path:
    """Path of the backup beside another one that has some of its parts.

    Raises:
        UnusableBackup: it is not there.
    """
    place = path.with_name(base.name)
    if base.name != place.name or not place.is_file():
        raise UnusableBackup(
            f"an incremental backup needs its base {base.name!r} beside it, which is not in {str(path.parent)!r}: put "
            "it there",
            reason="no base",
        )
    return place


def verify_backup(path: str | Path) -> BackupReport:
    """Check a backup of a corpus completely, without any store.

    Args:
        path: Path of the file.

    Raises:
        InvalidInput: there is no such file.
        UnusableBackup: it is no backup, damaged, or of a newer version.
    """
    with BackupReader.open(Path(path)) as backup:
        backup.check()
        return BackupReport.of(Path(path), backup.manifest)


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Report errors of damaged files as such, with the path.

    Raises:
        UnusableBackup: the block failed to read the file.
    """
    try:
        yield
    except UnusableBackup as error:
        raise UnusableBackup(f"{path}: {error}", reason=error.reason) from error
    except InvalidInput:
        raise
    except _DAMAGE as error:
        raise UnusableBackup(f"{path} is no backup of tetragraph, or it is damaged: {error}") from error


def _read_text(tar: tarfile.TarFile, name: str) -> bytes:
    try:
        entry = tar.extractfile(name)
    except KeyError:
        raise UnusableBackup(f"a backup has a file {name}, this one has none: it is damaged or was cut off") from None
    return entry.read(_LARGEST_TEXT) if entry else b""


def _check_schema(manifest: Manifest) -> None:
    newest = migrations.schema_version()
    if manifest.schema > newest:
        raise UnusableBackup(
            f"this version of tetragraph has schema {newest}, the backup has schema {manifest.schema} of tetragraph "
            f"{manifest.tetragraph}: restore it with that version, or a later one",
            reason="newer",
        )
