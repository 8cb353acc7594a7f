"""Immutable sets of arrays, memory-mapped from a cache folder; the in-process engines search them.

One set belongs to one corpus, one kind (``chunks``, ``evidence_walk``, ``gain_graph`` …) and one generation. A set is
written to a temporary folder and renamed, so it is complete or absent; several processes share its pages. A set names
the place and checksum of each of its arrays; one that is damaged counts as absent. Everything in the cache can be
rebuilt from the stores.
"""

from __future__ import annotations

import itertools
import json
import math
import mmap
import shutil
import tempfile
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from tetragraph.arrays import Array, Bytes, Longs
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import close_to_others, close_tree_to_others, make_private_folder
from tetragraph.host.system_errors import report_refusals

Index = TypeVar("Index")
MAX_GENERATIONS = 2
"""Number of generations that remain on disk: a search that began before a change still reads the older one."""
LOADED_INDEXES = 32
CHECKED_BYTES = 32_000_000
"""Largest array whose checksum is compared when a set is opened, in bytes; of larger ones only the size is."""
_ARRAYS = "arrays"
"""File of a set with all of its arrays: a process may open few files, 256 on macOS, and a mapped file stays open."""
_CONTENTS = "contents.json"
"""File of a set with the :class:`Place` of each of its arrays."""
_ALIGNMENT = 64
"""Arrays begin at multiples of this number of bytes, the first behind a mark of this length."""
_DAMAGE = (FileNotFoundError, NotADirectoryError, ValueError, EOFError, KeyError, TypeError, AttributeError)
"""Errors of a set that is absent or damaged; another refusal of the system says nothing about the set."""
_SETTING = "TETRAGRAPH_CACHE"


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


Contents = Mapping[str, Place]


class Strings(Sequence[str]):
    """A column of texts in two arrays: the UTF-8 bytes of all texts, and the offset of each."""

    def __init__(self, data: Bytes, offsets: Longs) -> None:
        self._data = data
        self._offsets = offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        return str(self._data.data[self._offsets.item(position) : self._offsets.item(position + 1)], "utf-8")

    def __iter__(self) -> Iterator[str]:
        data = bytes(self._data)
        return (data[begin:end].decode() for begin, end in itertools.pairwise(self._offsets.tolist()))

    @staticmethod
    def pack(name: str, texts: Sequence[str]) -> dict[str, Array]:
        """The two arrays of a column, under the names that :meth:`ArraySet.strings` reads."""
        encoded = [text.encode() for text in texts]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(item) for item in encoded], out=offsets[1:])
        return {f"{name}.data": np.frombuffer(b"".join(encoded), dtype=np.uint8), f"{name}.offsets": offsets}


class ArraySet(Mapping[str, Array]):
    """Named arrays and columns of texts."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> Array:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def strings(self, name: str) -> Strings:
        """A column packed by :meth:`Strings.pack`."""
        return Strings(self[f"{name}.data"], self[f"{name}.offsets"])


def map_folder(folder: Path) -> ArraySet:
    """The arrays saved in a folder, mapped into memory; all of them share one open file."""
    return _map(folder, _read_contents(folder))


def _map(folder: Path, contents: Contents) -> ArraySet:
    with (folder / _ARRAYS).open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return ArraySet(
        {
            name: np.ndarray(one.shape, np.dtype(one.dtype), buffer=mapped, offset=one.start)
            for name, one in contents.items()
        }
    )


def _open(folder: Path) -> ArraySet | None:
    """The set in a folder; None if there is none, or if it is damaged."""
    with report_refusals(folder, _SETTING):
        try:
            contents = _read_contents(folder)
            return _map(folder, contents) if _is_sound(folder, contents, CHECKED_BYTES) else None
        except _DAMAGE:
            return None


def _read_contents(folder: Path) -> Contents:
    rows = json.loads((folder / _CONTENTS).read_text(encoding="utf-8"))
    return {name: Place(dtype, tuple(shape), *rest) for name, (dtype, shape, *rest) in rows.items()}


def _is_sound(folder: Path, contents: Contents, checked_bytes: float) -> bool:
    """Whether a set is the one that was written; checksums are compared up to a size of the array."""
    if {file.name for file in folder.iterdir()} != {_ARRAYS, _CONTENTS}:
        return False
    file = folder / _ARRAYS
    if file.stat().st_size != max((one.end for one in contents.values()), default=_ALIGNMENT):
        return False
    small = [one for one in contents.values() if one.size <= checked_bytes]
    with file.open("rb") as stream:
        return all(_checksum(stream, one) == one.checksum for one in small)


def _checksum(stream: BinaryIO, place: Place) -> int:
    checksum, left = 0, place.size
    stream.seek(place.start)
    while piece := stream.read(min(left, 1 << 20)):
        checksum, left = zlib.crc32(piece, checksum), left - len(piece)
    return checksum


class ArrayCache:
    """The sets on disk and this process' indexes of them; safe to share between threads and processes.

    Sets that others could read, of an earlier version, are closed to them.
    """

    def __init__(self, folder: Path) -> None:
        close_tree_to_others(folder)
        self._folder = folder
        self._loaded: OrderedDict[tuple[str, str, int], Any] = OrderedDict()
        self._lock = threading.Lock()
        self._building: dict[tuple[str, str, int], threading.Lock] = {}

    def load(
        self,
        corpus_key: str,
        kind: str,
        generation: int,
        build: Callable[[], Mapping[str, Array]],
        wrap: Callable[[ArraySet], Index],
    ) -> Index:
        """The index of a generation: from this process, otherwise from disk, otherwise built.

        Args:
            corpus_key: Globally unique key of the corpus (database, name, creation).
            kind: Kind of index; each kind has its own layout.
            generation: Generation of the corpus that the arrays belong to.
            build: Computes the arrays; only one process at a time calls it.
            wrap: Turns the arrays into the caller's index, which is cached and shared by threads.
        """
        key = (corpus_key, kind, generation)
        with self._lock:
            if key in self._loaded:
                self._loaded.move_to_end(key)
                return self._loaded[key]  # type: ignore[no-any-return]  # a result of wrap for this key
            building = self._building.setdefault(key, threading.Lock())
        with building:
            with self._lock:
                if key in self._loaded:
                    return self._loaded[key]  # type: ignore[no-any-return]  # a result of wrap for this key
            index = wrap(self._ensure(corpus_key, kind, generation, build))
            with self._lock:
                self._loaded[key] = index
                self._building.pop(key, None)
                while len(self._loaded) > LOADED_INDEXES:
                    self._loaded.popitem(last=False)
            return index

    def put(self, corpus_key: str, kind: str, generation: int, arrays: Mapping[str, Array]) -> None:
        """Store a set that the caller has computed; does nothing if it is already stored."""
        self._ensure(corpus_key, kind, generation, lambda: arrays)

    def has(self, corpus_key: str, kind: str, generation: int) -> bool:
        """Whether the set is in use by this process, or on disk and sound."""
        with self._lock:
            if (corpus_key, kind, generation) in self._loaded:
                return True
        return _open(self._place(corpus_key, kind, generation)) is not None

    def newest(self, corpus_key: str, kind: str) -> ArraySet | None:
        """The set of the highest generation on disk, from which builds reuse what has not changed."""
        places = sorted((self._folder / corpus_key / kind).glob("[0-9]*"), reverse=True)
        return next((found for place in places if (found := _open(place)) is not None), None)

    def find_damaged(self, corpus_key: str) -> list[Path]:
        """Folders of the sets of a corpus that are not as they were written; reads all of them."""
        places = sorted((self._folder / corpus_key).glob("*/[0-9]*"))
        return [place for place in places if not _is_whole(place)]

    def delete_damaged(self, corpus_key: str) -> None:
        """Delete the damaged sets of a corpus; the next search rebuilds them."""
        for place in self.find_damaged(corpus_key):
            shutil.rmtree(place, ignore_errors=True)

    def forget(self, corpus_key: str) -> None:
        """Remove every set of a corpus."""
        with self._lock:
            for key in [key for key in self._loaded if key[0] == corpus_key]:
                del self._loaded[key]
        shutil.rmtree(self._folder / corpus_key, ignore_errors=True)

    def _place(self, corpus_key: str, kind: str, generation: int) -> Path:
        return self._folder / corpus_key / kind / f"{generation:012d}"

    def _ensure(
        self, corpus_key: str, kind: str, generation: int, build: Callable[[], Mapping[str, Array]]
    ) -> ArraySet:
        place = self._place(corpus_key, kind, generation)
        if (found := _open(place)) is not None:
            return found
        with ExitStack() as stack:
            with report_refusals(self._folder, _SETTING):
                make_private_folder(self._folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(exclusive(place.parent / "lock"))
            if (found := _open(place)) is not None:
                return found
            arrays = build()
            with report_refusals(self._folder, _SETTING):
                shutil.rmtree(place, ignore_errors=True)
                _write(place, arrays)
                self._remove_old(place)
                return map_folder(place)

    @staticmethod
    def _remove_old(newest: Path) -> None:
        generations = sorted(entry for entry in newest.parent.iterdir() if entry.is_dir() and entry.name.isdigit())
        for old in generations[:-MAX_GENERATIONS]:
            if old != newest:
                shutil.rmtree(old, ignore_errors=True)


def _write(place: Path, arrays: Mapping[str, Array]) -> None:
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".unfinished-", ignore_cleanup_errors=True) as folder:
        inner = Path(folder) / "set"
        inner.mkdir()
        contents = {name: astuple(one) for name, one in _write_arrays(inner / _ARRAYS, arrays).items()}
        (inner / _CONTENTS).write_text(json.dumps(contents), encoding="utf-8")
        for file in inner.iterdir():
            close_to_others(file)
        inner.rename(place)


def _write_arrays(file: Path, arrays: Mapping[str, Array]) -> Contents:
    """Write arrays one behind the other, each at a multiple of ``_ALIGNMENT``, and return their places."""
    contents: dict[str, Place] = {}
    with file.open("wb") as stream:
        stream.write(b"tetragraph".ljust(_ALIGNMENT, b"\0"))
        for name, array in arrays.items():
            if array.dtype.hasobject:
                raise ValueError(f"array {name!r} must hold numbers or texts, got objects of Python")
            stream.write(bytes(-stream.tell() % _ALIGNMENT))
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else b""
            start = stream.tell()
            stream.write(data)
            contents[name] = Place(array.dtype.str, array.shape, start, stream.tell() - start, zlib.crc32(data))
    return contents


def _is_whole(folder: Path) -> bool:
    try:
        return _is_sound(folder, _read_contents(folder), math.inf)
    except _DAMAGE:
        return False
