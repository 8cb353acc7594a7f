"""Immutable sets of arrays, memory-mapped from a cache folder; the in-process engines search them.

One set belongs to one corpus, one kind (``chunks``, ``evidence_walk``, ``gain_graph`` …) and one generation. A set is
written to a temporary folder and renamed, so it is complete or absent; several processes share its pages. A set names
the place and checksum of each of its arrays; one that is damaged counts as absent. Everything in the cache can be
rebuilt from the stores.

A set that is needed before its generation is known is staged: written to the cache, mapped, and renamed or removed at
the end of the change.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import numpy as np

from tetragraph.arrays import Array, Bytes, Longs
from tetragraph.host.batches import read_blocks
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import close_tree_to_others, create_private, make_private_folder
from tetragraph.host.system_errors import report_refusals
from tetragraph.host.temporary_folder import ALIVE, remove_abandoned
from tetragraph.stores import array_folder
from tetragraph.stores.array_folder import DAMAGE, Pieces, Written, is_sound, is_whole, map_arrays, read_contents

Index = TypeVar("Index")
MAX_GENERATIONS = 2
"""Number of generations that remain on disk: a search that began before a change still reads the older one."""
LOADED_INDEXES = 32
CHECKED_BYTES = 32_000_000
"""Largest array whose checksum is compared when a set is opened, in bytes; of larger ones only the size is."""
_UNFINISHED = ".unfinished-"
"""Beginning of the name of a folder with a set that is being written, or staged."""
_SETTING = "TETRAGRAPH_CACHE"


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

    @staticmethod
    def pack_stream(name: str, texts: Iterable[str], scratch: BinaryIO) -> dict[str, Array | Pieces]:
        """The same two arrays of texts that are taken one after the other, so that never all of them are in memory.

        Args:
            name: Name of the column.
            texts: The texts; all are taken before this returns.
            scratch: An empty file that takes them until the column is written, and is closed then.
        """
        sizes = array("q", [0])
        with ExitStack() as stack:
            stack.enter_context(scratch)
            for text in texts:
                sizes.append(scratch.write(text.encode()))
            stack.pop_all()
        return {
            f"{name}.data": Pieces(np.uint8, (), _read_pieces(scratch)),
            f"{name}.offsets": np.cumsum(np.frombuffer(sizes, dtype=np.int64)),
        }


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


def _read_pieces(stream: BinaryIO) -> Iterator[Bytes]:
    with stream:
        stream.seek(0)
        for piece in read_blocks(stream):
            yield np.frombuffer(piece, dtype=np.uint8)


def map_folder(folder: Path) -> ArraySet:
    """The arrays saved in a folder, mapped into memory; all of them share one open file."""
    return ArraySet(map_arrays(folder, read_contents(folder)))


def _open(folder: Path) -> ArraySet | None:
    """The set in a folder; None if there is none, or if it is damaged."""
    with report_refusals(folder, _SETTING):
        try:
            contents = read_contents(folder)
            return ArraySet(map_arrays(folder, contents)) if is_sound(folder, contents, CHECKED_BYTES) else None
        except DAMAGE:
            return None


@dataclass(frozen=True, slots=True)
class StagedSet:
    """A set in the cache that belongs to no generation yet.

    Attributes:
        arrays: The arrays, mapped into memory.
        folder: Folder of the set.
    """

    arrays: ArraySet
    folder: Path


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
        build: Callable[[], Written],
        wrap: Callable[[ArraySet], Index],
    ) -> Index:
        """The index of a generation: from this process, otherwise from disk, otherwise built.

        Args:
            corpus_key: Globally unique key of the corpus (database, name, creation).
            kind: Kind of index; each kind has its own layout.
            generation: Generation of the corpus that the arrays belong to.
            build: Computes the arrays, whole or in pieces; only one process at a time calls it.
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

    def put(self, corpus_key: str, kind: str, generation: int, arrays: Written) -> ArraySet:
        """Store a set that the caller has computed, unless it is already stored; returns it as it is mapped."""
        return self._ensure(corpus_key, kind, generation, lambda: arrays)

    @contextmanager
    def stage(self, corpus_key: str, kind: str, arrays: Written) -> Iterator[StagedSet]:
        """Write a set whose generation is not known yet; unless it is published, it is removed at the end of the block.

        The mapped arrays remain usable for as long as they are referred to. What a killed process had staged is removed
        when a set of the same corpus and kind is written again.
        """
        parent = self._folder / corpus_key / kind
        with ExitStack() as stack:
            with report_refusals(self._folder, _SETTING):
                with self._alone(parent):
                    folder = Path(stack.enter_context(_unfinished(parent)))
                    stack.enter_context(exclusive(folder / ALIVE))
                place = folder / "set"
                place.mkdir()
                array_folder.write(place, arrays)
                mapped = map_folder(place)
            yield StagedSet(mapped, place)

    def publish(self, staged: StagedSet, generation: int) -> None:
        """Make a staged set that of a generation, without writing it again; does nothing if that is already stored."""
        place = staged.folder.parent.parent / f"{generation:012d}"
        with report_refusals(self._folder, _SETTING), self._alone(place.parent):
            if _open(place) is None:
                shutil.rmtree(place, ignore_errors=True)
                staged.folder.rename(place)
                self._remove_old(place)

    def scratch(self) -> BinaryIO:
        """A file without a name in the folder of the cache, which the system removes when it is closed."""
        with report_refusals(self._folder, _SETTING):
            make_private_folder(self._folder)
            return cast("BinaryIO", tempfile.TemporaryFile(dir=self._folder))

    def pack_stream(self, name: str, texts: Iterable[str]) -> dict[str, Array | Pieces]:
        """The two arrays of a column, whose texts are in a scratch file of the cache: see :meth:`Strings.pack_stream`.

        Raises:
            StoreError: the system refused the scratch file, as on a full disk.
        """
        with report_refusals(self._folder, _SETTING):
            return Strings.pack_stream(name, texts, self.scratch())

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
        return [place for place in places if not is_whole(place)]

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

    def _ensure(self, corpus_key: str, kind: str, generation: int, build: Callable[[], Written]) -> ArraySet:
        place = self._place(corpus_key, kind, generation)
        if (found := _open(place)) is not None:
            return found
        with ExitStack() as stack:
            with report_refusals(self._folder, _SETTING):
                stack.enter_context(self._alone(place.parent))
            if (found := _open(place)) is not None:
                return found
            arrays = build()
            with report_refusals(self._folder, _SETTING):
                shutil.rmtree(place, ignore_errors=True)
                _write(place, arrays)
                self._remove_old(place)
                return map_folder(place)

    @contextmanager
    def _alone(self, parent: Path) -> Iterator[None]:
        """Hold the lock of a corpus and kind; what killed processes have left is removed."""
        make_private_folder(self._folder)
        create_private(parent)
        with exclusive(parent / "lock"):
            remove_abandoned(parent, f"{_UNFINISHED}*")
            yield

    @staticmethod
    def _remove_old(newest: Path) -> None:
        generations = sorted(entry for entry in newest.parent.iterdir() if entry.is_dir() and entry.name.isdigit())
        for old in generations[:-MAX_GENERATIONS]:
            if old != newest:
                shutil.rmtree(old, ignore_errors=True)


def _unfinished(parent: Path) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(dir=parent, prefix=_UNFINISHED, ignore_cleanup_errors=True)


def _write(place: Path, arrays: Written) -> None:
    with _unfinished(place.parent) as folder:
        inner = Path(folder) / "set"
        inner.mkdir()
        array_folder.write(inner, arrays)
        inner.rename(place)
