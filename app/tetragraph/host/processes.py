"""Server processes of this machine, identified by pid and a command line argument, as the system reuses pids."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Set
from contextlib import suppress
from types import ModuleType
from typing import Any, cast

from tetragraph.host.optional_imports import install_command, required

POLL_S = 0.02
STOP_TIMEOUT_S = 60.0


def _psutil() -> ModuleType:
    return required("psutil", f"servers on this machine need the package {{package}}: {install_command('local')}")


def is_running(pid: int, argument: str) -> bool:
    """Whether the process runs and has ``argument`` on its command line."""
    psutil = _psutil()
    try:
        return argument in psutil.Process(pid).cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):  # raised for zombies, too
        return False


def find(argument: str) -> int | None:
    """Pid of a process that has ``argument`` on its command line; None without one."""
    for process in _psutil().process_iter(["cmdline"]):
        if argument in (process.info["cmdline"] or ()):
            return cast("int", process.pid)
    return None


def listens(pid: int, ports: Set[int]) -> bool:
    """Whether the process and its children listen on all these TCP ports; also true where the system hides sockets."""
    psutil = _psutil()
    try:
        process = psutil.Process(pid)
        ends = [end for one in (process, *process.children(recursive=True)) for end in one.net_connections("tcp")]
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # such as those of a Java with capabilities
        return True
    return ports <= {end.laddr.port for end in ends if end.status == psutil.CONN_LISTEN}


def resident_mb(pid: int) -> float:
    """Resident memory in MB (10^6 bytes); 0 if the process has ended."""
    psutil = _psutil()
    try:
        return cast("float", psutil.Process(pid).memory_info().rss / 1e6)
    except psutil.NoSuchProcess:
        return 0.0


def stop(pid: int, argument: str, timeout_s: float = STOP_TIMEOUT_S) -> None:
    """Terminate the process, and kill it after ``timeout_s`` seconds (the data survive that); returns at its end."""
    if not is_running(pid, argument):
        return
    psutil = _psutil()
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        if wait_until(lambda: _has_ended(process), timeout_s):
            break
    with suppress(ChildProcessError):  # not a child of this process
        os.waitpid(pid, os.WNOHANG)


def _has_ended(process: Any) -> bool:
    """Whether a process has released its files and ports; its command line disappears earlier."""
    psutil = _psutil()
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(condition: Callable[[], bool], timeout_s: float) -> bool:
    """Poll until the condition holds; returns whether it did in time."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True
