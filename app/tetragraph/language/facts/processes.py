"""Runs the dependency extractor in separate processes, as parsing holds the global interpreter lock.

Each process executes this module and communicates through pipes. So a program that builds a graph needs no ``if
__name__ == "__main__"``, which the processes of ``multiprocessing`` require, and its threads are not copied.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader
from typing import IO, Self, cast

from tetragraph.errors import ProcessEnded, TetragraphError
from tetragraph.executors import Step
from tetragraph.host.processors import count_processors
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.model import Chunk

WORTH_IT = 256
"""Number of chunks below which parsing in this process is faster than loading the model in others."""


def extract_batches(batches: Sequence[Sequence[Chunk]], processes: int | None = None) -> Iterator[list[list[Fact]]]:
    """Extract the facts of each batch, in order; see :meth:`DependencyExtractor.extract`.

    Args:
        batches: Chunks that are parsed and returned together.
        processes: Number of parallel processes; by default one for each processor, or only this process for few chunks
            and if Python is embedded in another program.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
        ProcessEnded: a process ended before its work was complete.
    """
    if processes is None:
        processes = count_processors() if sum(map(len, batches)) >= WORTH_IT else 1
    if processes == 1 or not sys.executable:
        yield from map(DependencyExtractor().extract, batches)
        return
    with ExitStack() as stack:
        idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()
        for _ in range(processes):
            idle.put(stack.enter_context(_Process()))
        pool = stack.enter_context(ThreadPoolExecutor(processes))
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        yield from pool.map(lambda batch: _extract(idle, batch), batches)


def _extract(idle: queue.SimpleQueue[_Process], batch: Sequence[Chunk]) -> list[list[Fact]]:
    process = idle.get()
    try:
        return process.extract(batch)
    finally:
        idle.put(process)


@dataclass(frozen=True, slots=True)
class ExtractFacts(Step[Sequence[Chunk], list[list[Fact]]]):
    """Extracts the facts of chunks; see :meth:`DependencyExtractor.extract`."""

    def load(self) -> Callable[[Sequence[Chunk]], list[list[Fact]]]:
        return DependencyExtractor().extract


class _Process:
    """A separate process that extracts facts."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "tetragraph.language.facts.processes"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        try:
            pickle.dump(list(chunks), self._input)
            self._input.flush()
            found: list[list[Fact]] | TetragraphError = pickle.load(self._output)  # noqa: S301  # sent by a process that this one started
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise ProcessEnded(
                f"a process that extracts facts must work until all are found, one ended with {self._process.wait()}: "
                "its own words are above this; run this again, it goes on where it stopped"
            ) from error
        if isinstance(found, TetragraphError):
            raise found
        return found


def serve(given: BufferedReader, answers: IO[bytes]) -> None:
    """Reply to each batch of chunks with their facts, or with the error, until the input ends."""
    extractor = DependencyExtractor()
    while given.peek(1):
        try:
            chunks = pickle.load(given)  # noqa: S301  # from the process that started this one
            answer: list[list[Fact]] | TetragraphError = extractor.extract(chunks)
        except TetragraphError as error:
            answer = error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it, and then ends this one
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output that a package prints is not an answer
    serve(cast("BufferedReader", sys.stdin.buffer), answers)
