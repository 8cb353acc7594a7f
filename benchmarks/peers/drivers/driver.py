"""Common parts of the drivers: job, vectors from the parent process, clocks, and stand-ins for unused modules."""

from __future__ import annotations

import importlib.util
import json
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np


class RemoteEmbedder:
    """The embedder of the parent process, with its cost so far.

    Attributes:
        wall_s: Seconds of waiting for vectors.
        cpu_s: Processor seconds of the parent process for vectors.
    """

    def __init__(self, connection: Connection, dimension: int) -> None:
        self._connection = connection
        self._dimension = dimension
        self.wall_s = 0.0
        self.cpu_s = 0.0

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """``(n, dimension)`` float32 vectors of length 1, of passages."""
        return self._ask("passages", list(texts))

    def questions(self, texts: Sequence[str]) -> np.ndarray:
        """``(n, dimension)`` float32 vectors of length 1, of questions, which a model may embed unlike passages."""
        return self._ask("questions", list(texts))

    def _ask(self, kind: str, texts: list[str]) -> np.ndarray:
        began = time.perf_counter()
        self._connection.send_bytes(json.dumps({"kind": kind, "texts": texts}).encode())
        self.cpu_s += struct.unpack("<d", self._connection.recv_bytes())[0]
        vectors = np.frombuffer(self._connection.recv_bytes(), dtype="<f4").reshape(len(texts), self._dimension)
        self.wall_s += time.perf_counter() - began
        return vectors.copy()


class Clock:
    """Wall and processor seconds of this process and of its embeddings, since the creation of the clock."""

    def __init__(self, embedder: RemoteEmbedder) -> None:
        self._embedder = embedder
        self._began = self._now()

    def read(self) -> dict[str, float]:
        """Seconds by name: ``wall_s``, ``cpu_s`` (of both processes), and the share of the embedding in each."""
        wall, cpu, embedding_wall, embedding_cpu = (
            now - began for now, began in zip(self._now(), self._began, strict=True)
        )
        return {
            "wall_s": wall,
            "cpu_s": cpu + embedding_cpu,
            "embedding_wall_s": embedding_wall,
            "embedding_cpu_s": embedding_cpu,
        }

    def _now(self) -> list[float]:
        return [time.perf_counter(), time.process_time(), self._embedder.wall_s, self._embedder.cpu_s]


def timed(items: Sequence[Any], embedder: RemoteEmbedder, laps: list[dict[str, float]]) -> Iterator[Any]:
    """Yield items to a loop in other code, and add to ``laps`` the time until it requests the next one."""
    for item in items:
        clock = Clock(embedder)
        yield item
        laps.append(clock.read())


class StandIns(MetaPathFinder, Loader):
    """Finder of stand-ins for modules that a peer imports but does not call here, if they are not installed."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = {root for root in roots if importlib.util.find_spec(root) is None}

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        if fullname.partition(".")[0] in self._roots:
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Hollow(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a stand-in has no code."""


class _Hollow(ModuleType):
    """A module with every attribute: an empty class for subclasses and annotations."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def stand_in(*packages: str) -> None:
    """Provide stand-ins for packages that a peer imports but does not call here, unless they are installed."""
    sys.meta_path.append(StandIns(packages))


def main(drive: Callable[[dict[str, Any], RemoteEmbedder], dict[str, Any]]) -> None:
    """Read the job file of the command line, execute the job, and write its result file.

    Args:
        drive: Executes a job with an embedder, and returns the result.
    """
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    embedder = RemoteEmbedder(Connection(int(sys.argv[2])), job["dimension"])
    sys.path.insert(0, job["import_from"])
    result = drive(job, embedder)
    Path(job["result"]).write_text(json.dumps(result), encoding="utf-8")
