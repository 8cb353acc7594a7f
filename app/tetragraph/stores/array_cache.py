"""Immutable sets of arrays, memory-mapped from a cache folder; the in-process engines search them.

One set belongs to one corpus, one kind (``chunks``, ``evidence_walk``, ``gain_graph`` …) and one generation. A set is
written to a temporary folder and renamed, so it is complete or absent; several processes share its pages. Everything in
the cache can be rebuilt from the stores.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tetragraph.arrays import Array, Bytes, Longs
from tetragraph.host.file_lock import exclusive

Index = TypeVar("Index")
MAX_GENERATIONS = 2
"""Number of generations that remain on disk: a search that began before a change still reads the older one."""
LOADED_INDEXES = 32


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
        return bytes(self._data[self._offsets[position] : self._offsets[position + 1]]).decode()

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
    """The arrays saved in a folder, mapped into memory."""
    files = sorted(folder.glob("*.npy"))
    mapped = ((file.name.removesuffix(".npy"), np.load(file, mmap_mode="r", allow_pickle=False)) for file in files)
    return ArraySet({name: np.asarray(array) for name, array in mapped})  # a plain view: slicing a memmap is slow


class ArrayCache:
    """The sets on disk and this process' indexes of them; safe to share between threads and processes."""

    def __init__(self, folder: Path) -> None:
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
        """Whether the set is on disk."""
        return self._place(corpus_key, kind, generation).is_dir()

    def newest(self, corpus_key: str, kind: str) -> ArraySet | None:
        """The set of the highest generation on disk, from which builds reuse what has not changed."""
        places = sorted((self._folder / corpus_key / kind).glob("[0-9]*"))
        return map_folder(places[-1]) if places else None

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
        if place.is_dir():
            return map_folder(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(place.parent / "lock"):
            if not place.is_dir():
                _write(place, build())
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
        for name, array in arrays.items():
            np.save(inner / f"{name}.npy", array, allow_pickle=False)
        inner.rename(place)
