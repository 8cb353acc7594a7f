"""Sizes of packed uploads, checked before anything unpacks them for reading."""

from __future__ import annotations

import gzip
import lzma
import tarfile
import zipfile
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, cast

from tetragraph.errors import InvalidInput, RequestTooLarge
from tetragraph.host.batches import read_blocks
from tetragraph.indexing.archives import BoundedStream, has_bounded_members, open_tape
from tetragraph.indexing.sources import has_readable_name

_TAPES: Final = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_ARCHIVES: Final = (".zip", *_TAPES)
"""Suffixes of files whose members are read each by its own loader; of others only sizes are counted."""
_MOST_DEPTH: Final = 8
_ENCRYPTED: Final = 1
"""Flag of a member of a ZIP archive that needs a password; such members are not read."""
_DAMAGED: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
)


def check_unpacked(file: Path, most: int) -> None:
    """Check what a packed file would become, before anything unpacks it for reading; other files pass.

    A file in it that is packed itself counts with its size, or with what it unpacks to if that is more.

    Raises:
        RequestTooLarge: it is larger than ``most`` bytes when unpacked.
        InvalidInput: it is damaged, packed too often, or a ZIP archive whose size cannot be bounded.
    """
    try:
        with TemporaryDirectory() as folder:
            _Measure(file.name, most, Path(folder)).measure(file, file.name, most)
    except InvalidInput:
        raise
    except _DAMAGED as error:
        raise InvalidInput(f"{file.name!r} is damaged: {error}") from error


class _Measure:
    """Counts the bytes to which a file unpacks, with those of the packed files in it.

    Args:
        name: Name of the file, for messages.
        most: Largest number of bytes, for messages.
        folder: Folder for the files in it, one of each depth at a time.
    """

    def __init__(self, name: str, most: int, folder: Path) -> None:
        self._name = name
        self._most = most
        self._folder = folder

    def measure(self, file: Path, name: str, left: int, depth: int = 0) -> int:
        """Bytes to which a file unpacks, 0 for one that is not packed.

        Args:
            file: The file.
            name: Its name, by which its loader is found.
            left: Largest number of these bytes.
            depth: Number of packed files in which it is.

        Raises:
            RequestTooLarge: there are more.
        """
        if depth > _MOST_DEPTH:
            raise InvalidInput(
                f"{self._name!r} must be packed at most {_MOST_DEPTH} times, it is more often: unpack it"
            )
        name = name.lower()
        size = 0
        if zipfile.is_zipfile(file):  # whatever its suffix: the loader of archives opens it as that
            size = self._measure_zip(file, name, left, depth)
        if name.endswith(_TAPES):
            size = max(size, self._measure_tape(file, left, depth))
        elif name.endswith(".gz"):
            with gzip.open(file) as stream:
                size = max(size, self._measure_part(cast("IO[bytes]", stream), name[: -len(".gz")], left, depth))
        return size

    def _measure_zip(self, file: Path, name: str, left: int, depth: int) -> int:
        with zipfile.ZipFile(file) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            self._check(size, left)
            if not has_bounded_members(archive):
                raise InvalidInput(
                    f"{self._name!r} must be packed by deflate or not at all: pack it again, or unpack it"
                )
            for entry in archive.infolist() if name.endswith(_ARCHIVES) else ():
                if entry.file_size and has_readable_name(entry.filename) and not entry.flag_bits & _ENCRYPTED:
                    with archive.open(entry) as stream:
                        left_for_it = left - size + entry.file_size
                        size += self._measure_part(stream, entry.filename, left_for_it, depth) - entry.file_size
        return size

    def _measure_tape(self, file: Path, left: int, depth: int) -> int:
        with open_tape(file, left, self._too_large) as stream:
            try:
                grown = self._measure_tape_members(stream, left, depth)
            finally:  # what is behind a header that cannot be read is unpacked, too
                for _ in read_blocks(cast("IO[bytes]", stream)):
                    pass
            self._check(stream.tell() + grown, left)
            return stream.tell() + grown

    def _measure_tape_members(self, stream: BoundedStream, left: int, depth: int) -> int:
        """Bytes by which the members of a TAR archive are larger than what it has of them."""
        grown = 0
        with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tape:
            while (entry := tape.next()) is not None:
                # It keeps every header, with names of any size.
                tape.members.clear()  # type: ignore[attr-defined]  # typeshed lacks it
                part = tape.extractfile(entry) if entry.isreg() and has_readable_name(entry.name) else None
                if part is not None:
                    held = 0 if entry.issparse() else entry.size
                    grown += self._measure_part(part, entry.name, left - grown - stream.tell(), depth) - held
        return grown

    def _measure_part(self, stream: IO[bytes], name: str, left: int, depth: int) -> int:
        """Size of a file in a packed one, or that to which it unpacks if it is larger."""
        copy = self._folder / str(depth)
        size = 0
        with copy.open("wb") as file:
            for block in read_blocks(stream):
                size += len(block)
                self._check(size, left)
                file.write(block)
        return max(size, self.measure(copy, name, left, depth + 1))

    def _check(self, size: int, left: int) -> None:
        if size > left:
            raise self._too_large()

    def _too_large(self) -> RequestTooLarge:
        return RequestTooLarge(
            f"{self._name!r} must have at most {self._most:,} bytes when it is unpacked, it has more"
        )
