"""The server as a process of this machine: known by the folder on its command line, so a taken-over pid is never it."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import cast

from tetragraph.errors import LocalModelError, MissingDependency

STOP_TIMEOUT_S = 20.0


def load(module: str) -> ModuleType:
    """Import a package of the extra ``local-llm``.

    Raises:
        MissingDependency: it is not installed; the message is the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingDependency(
            f"a local language model needs the package {module}: pip install 'tetragraph[local-llm]', "
            "or set TETRAGRAPH_LLM and OPENAI_BASE_URL to use an endpoint of your own"
        ) from error


def is_running(pid: int, argument: str) -> bool:
    """Whether the process lives and has ``argument`` on its command line."""
    psutil = load("psutil")
    try:
        return argument in psutil.Process(pid).cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):  # also when it is a zombie
        return False


def find(argument: str) -> int | None:
    """The process that has ``argument`` on its command line."""
    for process in load("psutil").process_iter(["cmdline"]):
        if argument in (process.info["cmdline"] or ()):
            return cast("int", process.pid)
    return None


def stop(pid: int) -> None:
    """End a process, by force if it does not go; returns when it is gone."""
    psutil = load("psutil")
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for number in (signal.SIGTERM, signal.SIGKILL):
            process.send_signal(number)
            with suppress(psutil.TimeoutExpired):
                process.wait(STOP_TIMEOUT_S)
                return


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a file alone, waiting for whoever holds it; the system gives it back when a holder dies.

    Raises:
        LocalModelError: on Windows, which is not supported.
    """
    if sys.platform == "win32":
        raise LocalModelError("tetragraph runs on Linux and macOS, got Windows: use the Windows Subsystem for Linux")
    import fcntl  # does not exist on Windows

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
