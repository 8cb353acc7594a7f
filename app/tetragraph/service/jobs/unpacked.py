"""Sizes of packed uploads, checked before anything unpacks them for reading."""

from __future__ import annotations

import gzip
import lzma
import tarfile
import zipfile
import zlib
from pathlib import Path

from tetragraph.errors import InvalidInput, RequestTooLarge
from tetragraph.indexing.archives import has_bounded_members, open_tape

_TAPES = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
)
_BLOCK = 1 << 20


def check_unpacked(file: Path, most: int) -> None:
    """Check what a packed file would become, before anything unpacks it; other files pass.

    Raises:
        RequestTooLarge: it is larger than ``most`` bytes when unpacked.
        InvalidInput: it is damaged, or a ZIP archive whose size cannot be bounded.
    """
    try:
        if zipfile.is_zipfile(file):  # whatever its suffix: the loader of archives opens it as that
            _check_zip(file, most)
        if file.name.lower().endswith(_TAPES):
            _check_tape(file, most)
        elif file.name.lower().endswith(".gz"):
            _check_gzip(file, most)
    except InvalidInput:
        raise
    except _DAMAGED as error:
        raise InvalidInput(f"{file.name!r} is damaged: {error}") from error


def _check_zip(file: Path, most: int) -> None:
    with zipfile.ZipFile(file) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > most:
            raise _too_large(file, most)
        if not has_bounded_members(archive):
            raise InvalidInput(f"{file.name!r} must be packed by deflate or not at all: pack it again, or unpack it")


def _check_gzip(file: Path, most: int) -> None:
    size = 0
    with gzip.open(file) as stream:
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > most:
                raise _too_large(file, most)


def _check_tape(file: Path, most: int) -> None:
    """Count what an archive unpacks to; of its members only the first header is read, as names may be of any size."""
    with open_tape(file, most, lambda: _too_large(file, most)) as stream:
        first = stream.read(tarfile.BLOCKSIZE)
        if first != bytes(tarfile.BLOCKSIZE):  # the end of an archive, here of one without members
            tarfile.TarInfo.frombuf(first, tarfile.ENCODING, "surrogateescape")
        while stream.read(_BLOCK):
            pass


def _too_large(file: Path, most: int) -> RequestTooLarge:
    return RequestTooLarge(f"{file.name!r} must have at most {most:,} bytes when it is unpacked, it has more")
