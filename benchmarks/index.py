"""From files to a gain graph that answers: time and memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks import data, measure
from benchmarks.local import settings
from tetragraph.stores import local

SETS = ("musique_train", "2wikimultihopqa")


def measure_index(home: Path) -> dict[str, Any]:
    """Index two corpora with the command line, then the larger one again, unchanged."""
    local.start(settings(home))
    figures = {}
    for name in SETS:
        figures[f"{name} from files to gain graph"] = ingest(home, name)
    figures[f"{SETS[-1]} again, unchanged"] = ingest(home, SETS[-1])
    return figures


def ingest(home: Path, name: str) -> dict[str, Any]:
    """One run of ``tetragraph ingest`` in a process of its own."""
    chosen = settings(home)
    done = measure.run(
        ["-m", "tetragraph", "ingest", str(data.corpus(name)), "--corpus", name, "--json"],
        {"TETRAGRAPH_HOME": str(chosen.home), "TETRAGRAPH_CACHE": str(chosen.cache)},
    )
    report = json.loads(done.output)
    return {
        "passages": report["counts"]["documents"],
        "wall_s": round(done.wall_s, 1),
        "cpu_s": round(done.cpu_s, 1),
        "python_peak_mb": round(done.peak_mb),
        "written": report["written"],
        "stages": report["seconds"],
    }
