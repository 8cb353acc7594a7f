"""The local Neo4j: fetch, start, memory, stop."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.plan import Plan
from tetragraph.settings import Settings
from tetragraph.stores import local

LIFE = ("download and first start", "stop", "new home", "cold start")
"""Parts of the measurement, in order."""


def measure_local(plan: Plan) -> dict[str, Any]:
    """Measure seconds and megabytes: download into an empty cache, cold start, stop."""
    with tempfile.TemporaryDirectory(prefix="tetragraph-cache-") as cache:
        fresh = Settings(home=plan.home / "life", cache=Path(cache), m2=None)
        figures = {"download and first start": _start(fresh)}
        size = sum(file.stat().st_size for file in fresh.home.rglob("*") if file.is_file())
        figures["stop"] = _stop(fresh)
        figures["new home"] = {"mb": round(size / 1e6, 1)}
        figures["cold start"] = _start(fresh)
        _stop(fresh)
        shutil.rmtree(fresh.home)
    return figures


def _start(chosen: Settings) -> dict[str, float]:
    began = time.monotonic()
    local.start(chosen)
    return {"s": round(time.monotonic() - began, 1), "resident_mb": round(local.status(chosen).resident_mb)}


def _stop(chosen: Settings) -> dict[str, float]:
    began = time.monotonic()
    local.stop(chosen)
    return {"s": round(time.monotonic() - began, 1)}
