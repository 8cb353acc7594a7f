"""One collection of the in-process Qdrant engine: a directory, opened on first use and closed when idle."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from qdrant_edge import (
    Distance,
    EdgeConfig,
    EdgeShard,
    EdgeVectorParams,
    MultiVectorComparator,
    MultiVectorConfig,
    VectorStorageDatatype,
)

from tetragraph.errors import CorruptHome, QueryFailed, StoreBusy, StoreError
from tetragraph.host.free_space import require_space
from tetragraph.host.system_errors import find_number, refusal, report_refusals
from tetragraph.stores.edge_owner import SETTING, Owner
from tetragraph.stores.points import OWN, SENTENCES, check_layout, missing_collection
from tetragraph.stores.vectors import Layout

_LEFT = (".new", ".old")
"""Suffixes of a directory that is being created, and of one that is being removed."""


def without_suffix(name: str) -> str:
    """Name of a directory, also of one that a kill left while it was being created or removed.

    >>> without_suffix("handbook__chunks.new")
    'handbook__chunks'
    """
    return next((name.removesuffix(suffix) for suffix in _LEFT if name.endswith(suffix)), name)


class EdgeDirectory:
    """The directory, its lock and, while it is open, the engine. Safe to share between threads.

    A new collection is written beside the directory and renamed, so that a kill leaves all of it or nothing.
    """

    def __init__(self, path: Path, wait_s: float) -> None:
        self._path = path
        self._wait_s = wait_s
        self._owner = Owner(path.with_name(f"{path.name}.lock"))
        self._guard = threading.RLock()
        self._shard: EdgeShard | None = None
        self._layout = Layout(0, sentences=False)
        self._last_used = 0.0

    def exists(self) -> bool:
        """Whether the collection was created; does not open it."""
        return self._path.is_dir()

    @contextmanager
    def use(self) -> Iterator[tuple[EdgeShard, Layout]]:
        """The open engine and the layout of its vectors, for exclusive use by this thread until the block ends.

        Raises:
            NotBuilt: there is no collection.
            StoreBusy: another process held the directory for the whole waiting time.
            CorruptHome: its files cannot be read.
            QueryFailed: the engine refused a request of the block.
        """
        with self._guard:
            shard = self._shard or self._open()
            try:
                yield shard, self._layout
            except BaseException as error:
                if not _is_engine_error(error):
                    raise
                if number := find_number(error):
                    raise refusal(error, number, self._path, SETTING) from error
                raise QueryFailed(
                    f"the vectors in {self._path} refused an operation: {error}; if the directory is damaged, move it "
                    "away and run `tetragraph doctor --repair`, which embeds the corpus again"
                ) from error
            finally:
                self._last_used = time.monotonic()

    def create(self, layout: Layout) -> None:
        """Create the collection if it does not exist.

        Raises:
            EmbedderMismatch: it exists with another dimension, or without vectors of sentences.
        """
        with self._guard:
            self._owner.acquire(self._wait_s)
            if not self.exists():
                self.require_space(0)
                self._create(layout)
            with self.use() as (_, found):
                check_layout(f"the collection in {self._path}", found, layout)

    def require_space(self, needed: int) -> None:
        """Check that the disk has room for ``needed`` more bytes of vectors.

        The engine writes through mapped files, so a full disk would end the process with SIGBUS, without a message.

        Raises:
            StoreError: there is not enough room; the message has both figures.
        """
        require_space(self._path, needed, f"writing vectors to {self._path}")

    def drop(self) -> None:
        """Remove the directory and its contents, and what a kill left of it; does nothing if there is neither."""
        fresh, doomed = (self._path.with_name(f"{self._path.name}{suffix}") for suffix in _LEFT)
        with self._guard:
            if not any(path.is_dir() for path in (self._path, fresh, doomed)):
                return
            self._owner.acquire(self._wait_s)  # waits for one that creates or drops it
            self._close_engine()
            shutil.rmtree(fresh, ignore_errors=True)
            shutil.rmtree(doomed, ignore_errors=True)
            if self.exists():
                self._path.rename(doomed)
            shutil.rmtree(doomed, ignore_errors=True)
            self._owner.release(forget=True)

    def release(self, idle_s: float = 0.0) -> None:
        """Release the directory to other processes if it was not used for ``idle_s`` seconds."""
        if not self._guard.acquire(blocking=idle_s == 0.0):
            return
        try:
            if time.monotonic() - self._last_used >= idle_s:
                self._close_engine()
                self._owner.release()
        finally:
            self._guard.release()

    def _open(self) -> EdgeShard:
        if not self.exists():
            raise missing_collection(self._path.name)
        self._owner.acquire(self._wait_s)
        try:
            shard = self._load()
        except BaseException:
            self._owner.release()
            raise
        self._shard = shard
        return shard

    def _load(self) -> EdgeShard:
        if not self.exists():  # another process dropped it while this one waited
            raise missing_collection(self._path.name)
        try:
            vectors = json.loads((self._path / "edge_config.json").read_text(encoding="utf-8"))["vectors"]
            layout = Layout(int(vectors[OWN]["size"]), SENTENCES in vectors)
            shard = EdgeShard.load(str(self._path))
        except BaseException as error:
            if not _is_engine_error(error) and not isinstance(error, ValueError | KeyError | OSError):
                raise
            raise self._unreadable_error(error) from error
        self._layout = layout
        return shard

    def _unreadable_error(self, error: BaseException) -> StoreError:
        if "WouldBlock" in str(error):  # the engine's own lock
            return StoreBusy(
                f"a local vector directory has one owner at a time; {self._path} was opened by a program that does not "
                "say who it is, or by a fork of this one: stop it, or use a Qdrant server with QDRANT_URL"
            )
        if number := find_number(error):
            return refusal(error, number, self._path, SETTING)
        return CorruptHome(
            f"the vectors in {self._path} cannot be read: {error}; nothing is lost that Neo4j does not hold: move the "
            "directory away and run `tetragraph doctor --repair`, which embeds the corpus again"
        )

    def _create(self, layout: Layout) -> None:
        fresh = self._path.with_name(f"{self._path.name}.new")
        with report_refusals(self._path.parent, SETTING):
            if fresh.exists():  # left by a kill; a failure to remove it is told as what it is
                shutil.rmtree(fresh)
            fresh.mkdir(parents=True)
        vectors = {OWN: EdgeVectorParams(size=layout.dimension, distance=Distance.Cosine)}
        if layout.sentences:
            vectors[SENTENCES] = EdgeVectorParams(
                size=layout.dimension,
                distance=Distance.Cosine,
                multivector_config=MultiVectorConfig(MultiVectorComparator.MaxSim),
                datatype=VectorStorageDatatype.Float16,
            )
        try:
            EdgeShard.create(str(fresh), EdgeConfig(vectors=vectors, wal_enabled=True)).close()
        except BaseException as error:
            if not _is_engine_error(error):
                raise
            if number := find_number(error):
                raise refusal(error, number, self._path, SETTING) from error
            raise StoreError(
                f"the vectors in {self._path} could not be created: {error}; check the free space and the limits of "
                "file sizes and open files (ulimit), then run the same command again"
            ) from error
        fresh.rename(self._path)

    def _close_engine(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._shard = None


def _is_engine_error(error: BaseException) -> bool:
    """Only the engine raises bare ``Exception``; on damaged files it panics, which is no ``Exception``."""
    return type(error) is Exception or type(error).__name__ == "PanicException"
