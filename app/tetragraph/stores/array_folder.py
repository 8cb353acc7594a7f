"""The folder of one set of arrays: a file with all of them, and one with the place and checksum of each."""

from __future__ import annotations

import json
import math
import mmap
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from tetragraph.arrays import Array
from tetragraph.host.private_files import close_to_others

DAMAGE = (FileNotFoundError, NotADirectoryError, ValueError, EOFError, KeyError, TypeError, AttributeError)
"""Errors of a set that is absent or damaged; another refusal of the system says nothing about the set."""
_ARRAYS = "arrays"
"""File of a set with all of its arrays: a process may open few files, 256 on macOS, and a mapped file stays open."""
_CONTENTS = "contents.json"
"""File of a set with the :class:`Place` of each of its arrays."""
_ALIGNMENT = 64
"""Arrays begin at multiples of this number of bytes, the first behind a mark of this length."""


@dataclass(frozen=True, slots=True)
class Place:
    """An array in the file of its set.

    Attributes:
        dtype: Type of its numbers, ``<f4``.
        shape: Its shape.
        start: Offset of its first byte in the file.
        size: Number of its bytes.
        checksum: CRC-32 of its bytes.
    """

    dtype: str
    shape: tuple[int, ...]
    start: int
    size: int
    checksum: int

    @property
    def end(self) -> int:
        """Offset behind its last byte."""
        return self.start + self.size


@dataclass(frozen=True, slots=True)
class Pieces:
    """An array that is written in pieces, so that it is never whole in memory.

    Attributes:
        dtype: Type of its numbers.
        row: Shape of one of its rows; empty for a column of numbers.
        parts: Consecutive rows of it. They are taken once, after the arrays before it are written: a part may depend
            on these.
    """

    dtype: type[np.generic]
    row: tuple[int, ...]
    parts: Iterable[Array]


Contents = Mapping[str, Place]
Written = Mapping[str, Array | Pieces]
"""Arrays to be written, by name."""


def write(folder: Path, arrays: Written) -> None:
    """Write a set into an empty folder; only its owner may read it."""
    contents = {name: astuple(one) for name, one in _write_arrays(folder / _ARRAYS, arrays).items()}
    (folder / _CONTENTS).write_text(json.dumps(contents), encoding="utf-8")
    for file in folder.iterdir():
        close_to_others(file)


def read_contents(folder: Path) -> Contents:
    """The places of the arrays of a set; raises one of :data:`DAMAGE` if they cannot be read."""
    rows = json.loads((folder / _CONTENTS).read_text(encoding="utf-8"))
    return {name: Place(dtype, tuple(shape), *rest) for name, (dtype, shape, *rest) in rows.items()}


def map_arrays(folder: Path, contents: Contents) -> dict[str, Array]:
    """The arrays of a set, mapped into memory; all of them share one open file."""
    with (folder / _ARRAYS).open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        name: np.ndarray(one.shape, np.dtype(one.dtype), buffer=mapped, offset=one.start)
        for name, one in contents.items()
    }


def is_sound(folder: Path, contents: Contents, checked_bytes: float) -> bool:
    """Whether a set is the one that was written; checksums are compared up to a size of the array."""
    if {file.name for file in folder.iterdir()} != {_ARRAYS, _CONTENTS}:
        return False
    file = folder / _ARRAYS
    if file.stat().st_size != max((one.end for one in contents.values()), default=_ALIGNMENT):
        return False
    small = [one for one in contents.values() if one.size <= checked_bytes]
    with file.open("rb") as stream:
        return all(_checksum(stream, one) == one.checksum for one in small)


def is_whole(folder: Path) -> bool:
    """Whether all bytes of a set are those that were written; reads all of them."""
    try:
        return is_sound(folder, read_contents(folder), math.inf)
    except DAMAGE:
        return False


def _checksum(stream: BinaryIO, place: Place) -> int:
    checksum, left = 0, place.size
    stream.seek(place.start)
    while piece := stream.read(min(left, 1 << 20)):
        checksum, left = zlib.crc32(piece, checksum), left - len(piece)
    return checksum


def _write_arrays(file: Path, arrays: Written) -> Contents:
    """Write arrays one behind the other, each at a multiple of ``_ALIGNMENT``, and return their places."""
    contents: dict[str, Place] = {}
    with file.open("wb") as stream:
        stream.write(b"tetragraph".ljust(_ALIGNMENT, b"\0"))
        for name, array in arrays.items():
            dtype = np.dtype(array.dtype)
            if dtype.hasobject:
                raise ValueError(f"array {name!r} must hold numbers or texts, got objects of Python")
            stream.write(bytes(-stream.tell() % _ALIGNMENT))
            start, rows, checksum = stream.tell(), 0, 0
            for part in array.parts if isinstance(array, Pieces) else [array]:
                data = np.ascontiguousarray(part, dtype).reshape(-1).view(np.uint8).data if part.size else b""
                stream.write(data)
                checksum = zlib.crc32(data, checksum)
                rows += len(part) if part.ndim else 0
            shape = (rows, *array.row) if isinstance(array, Pieces) else array.shape
            contents[name] = Place(dtype.str, shape, start, stream.tell() - start, checksum)
    return contents
