"""A Ray cluster with two processors for the tests of a file, and the processes that belong to one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

WORKERS = 2
VARIABLES = {
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": "0" * 64,
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on loopback
}
"""Variables of the cluster and of processes that use it."""
PROGRAM = f"""
import os, sys
report = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import ray
from tetragraph.executors.ray_process import connect
with connect(ray, None, {WORKERS}):
    print(ray.get_runtime_context().gcs_address, file=report, flush=True)
    sys.stdin.read()
"""


class RayCluster:
    """A running cluster.

    Attributes:
        address: Its address, for ``TETRAGRAPH_RAY_ADDRESS``.
    """

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self._pid = pid

    def workers(self) -> list[psutil.Process]:
        """The processes of workers that have started."""
        return [one for one in psutil.Process(self._pid).children(recursive=True) if is_worker(one)]


def is_worker(process: psutil.Process) -> bool:
    """Whether a process is a worker, by the title that Ray gives it."""
    try:
        return process.cmdline()[:1] != [] and process.cmdline()[0].startswith("ray::Worker")
    except psutil.NoSuchProcess:
        return False


@contextmanager
def running_cluster() -> Iterator[RayCluster]:
    """Start a cluster as the executor does; it and all its processes end with the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **VARIABLES, "RAY_USAGE_STATS_ENABLED": "0"},
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        assert address, "the cluster did not start"
        started = psutil.Process(process.pid).children(recursive=True)
        yield RayCluster(address, process.pid)
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()
    _, alive = psutil.wait_procs(started, timeout=20)
    assert alive == []
