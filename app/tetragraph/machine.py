"""What tetragraph needs of a machine: packages that may be missing, and files that one process holds at a time."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from tetragraph.errors import MissingDependency, UnsupportedSystem


def required(module: str, message: str) -> ModuleType:
    """Import an optional package when it is needed.

    Args:
        module: Its import name.
        message: Of the error; ``{package}`` stands for the name of what is missing.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or module).split(".", 1)[0]
        raise MissingDependency(message.format(package=package)) from error


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the file ``path`` alone, waiting for whoever holds it; the system gives it back when a holder dies.

    Raises:
        UnsupportedSystem: on Windows.
    """
    if sys.platform == "win32":
        raise UnsupportedSystem("tetragraph runs on Linux and macOS, got Windows: use the Windows Subsystem for Linux")
    import fcntl  # does not exist on Windows

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
