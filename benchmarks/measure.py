"""Measuring functions: times, memory, disk and throughput."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.watch import Probe, Watch
from tetragraph.host import processes

MEMORY_EVERY_S = 0.1
DISK_EVERY_S = 1.0
WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Run:
    """A finished process. MB are 10^6 bytes.

    Attributes:
        wall_s, cpu_s: Seconds of wall time, and of processor time.
        peak_mb: Peak resident memory according to the kernel.
        output: Standard output of the process.
        printed: Value of ``time.monotonic`` at the first output.
        memory: Readings of resident memory: ``python``, and the requested probes.
        disk: Readings of the slower probes.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: str
    printed: float
    memory: Watch
    disk: Watch


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    memory: Mapping[str, Probe] | None = None,
    disk: Mapping[str, Probe] | None = None,
) -> Run:
    """Run this Python with arguments, and read the probes meanwhile; ends the program if the process fails."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, *arguments], env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    with ExitStack() as watches:
        probes = {"python": lambda: processes.resident_mb(process.pid), **(memory or {})}
        watched = watches.enter_context(Watch(probes, MEMORY_EVERY_S))
        measured = watches.enter_context(Watch(disk or {}, DISK_EVERY_S))
        stream = process.stdout
        output = stream.read(1) if stream else ""
        printed = time.monotonic()
        output += stream.read() if stream else ""
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(arguments)} ended with {process.returncode}")
    cpu_s = usage.ru_utime + usage.ru_stime
    peak_mb = usage.ru_maxrss * 1024 / 1e6
    return Run(time.monotonic() - began, cpu_s, peak_mb, output, printed, watched, measured)


def load(work: Sequence[Callable[[], Any]], clients: int = 1, warm_up: int = WARM_UP) -> dict[str, float]:
    """Milliseconds of each piece of work, and pieces per second, with concurrent clients that each take the next piece.

    Args:
        work: Independent pieces of work.
        clients: Number of concurrent clients.
        warm_up: Number of pieces that are executed once beforehand, without measuring.

    Returns:
        ``p50_ms``, ``p95_ms``, ``p99_ms`` of wall time, and ``per_s``.
    """

    def timed(piece: Callable[[], Any]) -> float:
        began = time.perf_counter()
        piece()
        return (time.perf_counter() - began) * 1000

    for piece in work[:warm_up]:
        piece()
    with ThreadPoolExecutor(clients) as threads:
        began = time.perf_counter()
        times = list(threads.map(timed, work))
        wall_s = time.perf_counter() - began
    return {**percentiles(times), "per_s": round(len(work) / wall_s, 1)}


def seconds(work: Callable[[], Any]) -> float:
    """Duration of a piece of work that is executed once, in seconds."""
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 2)


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """The 50th, 95th and 99th percentile of milliseconds, interpolated between the two nearest values.

    >>> percentiles([3.0, 1.0, 2.0])
    {'p50_ms': 2.0, 'p95_ms': 2.9, 'p99_ms': 2.98}
    """
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {f"p{cut}_ms": round(cuts[cut - 1], 2) for cut in (50, 95, 99)}


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    """Exponent of growth with size: the slope of a least-squares line through the logarithms.

    Returns:
        None if fewer than two sizes are known, or a value is not above 0 and so has no logarithm.

    >>> exponent([10, 100, 1000], [3.0, 30.0, 300.0])
    1.0
    """
    if len(sizes) < 2 or min(values) <= 0:
        return None
    slope, _ = np.polyfit(np.log(sizes), np.log(values), 1)
    return round(float(slope), 2)


def cpu_s(pid: int) -> float:
    """Processor seconds that a process has used."""
    used = psutil.Process(pid).cpu_times()
    return float(used.user + used.system)


def disk_mb(folder: Path) -> float:
    """Disk space of the files below a folder, without holes in files and files that vanish meanwhile."""
    blocks = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                blocks += (Path(parent) / name).stat().st_blocks
    return blocks * 512 / 1e6


def machine() -> str:
    """Description of the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = platform.processor() or platform.machine()
    details = Path("/proc/cpuinfo")
    if details.is_file():
        lines = details.read_text(encoding="utf-8").splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}"
