"""Commands in processes that are forked from one with the imports done, so that a kill rarely meets an import.

The processes are real ones, with memory, threads and connections of their own; only the seconds in which Python reads
its modules are saved, in which nothing can be lost.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path

IMPORTED = (
    "neo4j",
    "numba",
    "onnxruntime",
    "qdrant_edge",
    "scipy.sparse",
    "spacy",
    "tetragraph.cli",
    "tetragraph.client.tetragraph",
    "tokenizers",
)
"""Modules that are imported before the processes are forked; none of them starts a thread that a fork would lose."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended.

    Attributes:
        code: Exit code; negative for the number of a signal.
        output: What it printed, errors included.
    """

    code: int
    output: str


class Launcher:
    """Starts ``tetragraph`` with arguments, in a folder and with an environment.

    Args:
        environment: All environment variables of the commands.
        folder: Working directory.
    """

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._environment = dict(environment)
        self._folder = folder
        self._context: ForkServerContext = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(IMPORTED))

    def run(self, arguments: Sequence[str], kill_after_s: float | None = None) -> Ended | None:
        """Run a command to its end, or kill it after some time.

        Returns:
            The end of the command; None if it was still running and was killed.
        """
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "output"
            given = (list(arguments), self._environment, str(self._folder), str(output))
            process = self._context.Process(target=_run, args=given)
            process.start()
            process.join(kill_after_s)
            if process.exitcode is None:
                process.kill()
                process.join()
                return None
            printed = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
            return Ended(process.exitcode, printed)


def _run(arguments: list[str], environment: dict[str, str], folder: str, output: str) -> None:
    """Be the command: its environment, working directory and streams, then its entry point."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    nothing, printed = os.open(os.devnull, os.O_RDONLY), os.open(output, os.O_WRONLY | os.O_CREAT, 0o600)
    for source, target in ((nothing, 0), (printed, 1), (printed, 2)):
        os.dup2(source, target)
    sys.argv = ["tetragraph", *arguments]
    from tetragraph.cli import main

    main()
