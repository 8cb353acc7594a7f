"""Archives that unpack to no more than was allowed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

MOST_AT_ONCE: Final = 1 << 20
"""Largest number of bytes that one read returns, and so of a name or other header of an archive."""
_OPENERS: Final[dict[bytes, Callable[[Path], object]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"]\x00\x00": lzma.open,
}
"""Function that opens a compressed file, by the first bytes of the file."""
_BOUNDED: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


class BoundedStream:
    """The bytes that a file unpacks to, read from first to last; `tarfile` takes it for a file.

    They are counted here, as the headers of an archive count neither themselves nor their names. It never goes back: a
    compressed file would be unpacked from its beginning each time.

    Args:
        stream: Bytes to read.
        most: Largest number of them.
        refuse: Makes the error that is raised after more.
    """

    def __init__(self, stream: IO[bytes], most: int, refuse: Callable[[], Exception]) -> None:
        self._stream = stream
        self._most = most
        self._refuse = refuse
        self._position = 0

    def read(self, size: int) -> bytes:
        """The next bytes, fewer only at the end.

        Raises:
            tarfile.ReadError: the size is negative, or above ``MOST_AT_ONCE``.
        """
        if not 0 <= size <= MOST_AT_ONCE:
            raise tarfile.ReadError(f"a header may have {MOST_AT_ONCE:,} bytes, one has {size:,}")
        block = self._stream.read(size)
        self._position += len(block)
        if self._position > self._most:
            raise self._refuse()
        return block

    def tell(self) -> int:
        """Number of bytes read."""
        return self._position

    def seek(self, position: int) -> int:
        """Read up to a position; returns the one that is reached, which is lower at the end.

        Raises:
            tarfile.ReadError: the position is before the present one.
        """
        if position < self._position:
            raise tarfile.ReadError("a header leads back to what was read")
        while self._position < position and self.read(min(position - self._position, MOST_AT_ONCE)):
            pass
        return self._position


@contextmanager
def open_tape(path: Path, most: int, refuse: Callable[[], Exception]) -> Iterator[BoundedStream]:
    """The bytes of a TAR archive, unpacked; see :class:`BoundedStream`."""
    with path.open("rb") as file:
        head = file.read(max(map(len, _OPENERS)))
    opener = next((opener for magic, opener in _OPENERS.items() if head.startswith(magic)), None)
    with cast("IO[bytes]", opener(path) if opener else path.open("rb")) as stream:
        yield BoundedStream(stream, most, refuse)


def has_bounded_members(archive: zipfile.ZipFile) -> bool:
    """Whether all members are packed so that ``zipfile`` unpacks no more at once than it is asked for.

    Of bzip2 and LZMA it unpacks whole blocks: a few hundred bytes become gigabytes, whatever size a member states.
    """
    return all(member.compress_type in _BOUNDED for member in archive.infolist())
