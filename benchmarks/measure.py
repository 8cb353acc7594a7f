"""How long, how much, how often: the instruments."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Run:
    """A finished process: wall seconds, processor seconds, peak resident memory in MB, and what it printed."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: str


def run(arguments: Sequence[str], environment: dict[str, str]) -> Run:
    """Run this Python with arguments; its figures are the kernel's own."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, *arguments], env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    output = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(arguments)} ended with {process.returncode}")
    return Run(time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def percentiles(work: Sequence[Callable[[], Any]]) -> dict[str, float]:
    """Milliseconds of wall time of each piece of work: p50, p95, p99."""
    times = []
    for one in work:
        began = time.perf_counter()
        one()
        times.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {"p50_ms": round(cuts[49], 2), "p95_ms": round(cuts[94], 2), "p99_ms": round(cuts[98], 2)}


def machine() -> str:
    """The machine in words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = platform.processor() or platform.machine()
    details = Path("/proc/cpuinfo")
    if details.is_file():
        lines = details.read_text(encoding="utf-8").splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}"
