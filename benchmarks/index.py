"""Ingest of files up to a searchable gain graph: time, memory and disk by stage."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks import data, measure
from benchmarks.measure import Run
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.host import processes
from tetragraph.stores import local

SETS = ("musique_train", "2wikimultihopqa")
DISKS = ("neo4j_disk_mb", "qdrant_disk_mb", "arrays_disk_mb")
TOTAL = "total"
ALL_GRAPHS = ("bipartite", "gain", "tree")
"""Graphs that the search methods need."""
Figures = dict[str, dict[str, Any]]


def measure_index(plan: Plan) -> Figures:
    """Index two corpora with the command line, then the larger one again, unchanged."""
    figures: Figures = {}
    for name in SETS:
        drop(plan, name)
        for stage, row in ingest(plan, name).items():
            figures[name if stage == TOTAL else f"{name}: {stage}"] = row
    figures[f"{SETS[-1]} again, unchanged"] = ingest(plan, SETS[-1])[TOTAL]
    return figures


def drop(plan: Plan, name: str) -> None:
    """Delete a corpus of an earlier run."""
    with Tetragraph.connect(plan.settings) as client:
        if name in {corpus.name for corpus in client.corpora()}:
            client.corpus(name).drop()


def ingest(plan: Plan, name: str, build: Sequence[str] = ("gain",)) -> Figures:
    """Run ``tetragraph ingest`` in a process of its own; see :func:`run_watched`."""
    graphs = [word for graph in build for word in ("--build", graph)]
    return run_watched(
        plan, ["-m", "tetragraph", "ingest", str(data.corpus(name)), "--corpus", name, *graphs, "--json"]
    )


def run_watched(plan: Plan, arguments: Sequence[str]) -> Figures:
    """Run a process that ingests and prints its report as JSON.

    Returns:
        For each stage the seconds, the peak resident memory of the process and of Neo4j, and the growth of the stores
        since the start of the run; and the ``total``, with the start of Python, processor seconds and the number of
        passages.
    """
    server = local.start(plan.settings)
    neo4j_cpu_s = measure.cpu_s(server.pid)
    done = measure.run(
        arguments,
        plan.environment,
        memory={"neo4j": lambda: processes.resident_mb(server.pid)},
        disk={name: partial(_disk_mb, plan, name) for name in DISKS},
    )
    report = json.loads(done.output)
    figures = _stages(done, report["seconds"])
    figures[TOTAL] = {
        "s": round(done.wall_s, 1),
        "python_mb": round(done.peak_mb),
        "neo4j_mb": round(done.memory.highest("neo4j", 0.0, done.printed)),
        **{name: _growth(done, name, done.printed + measure.DISK_EVERY_S) for name in DISKS},
        "python_cpu_s": round(done.cpu_s, 1),
        "neo4j_cpu_s": round(measure.cpu_s(server.pid) - neo4j_cpu_s, 1),
        "passages": report["counts"]["documents"],
        "written": report["written"],
    }
    return figures


def _stages(done: Run, seconds: dict[str, float]) -> Figures:
    """Figures of the stages, which follow one another without a gap; the report is printed after the last."""
    moment = done.printed - sum(seconds.values())
    figures: Figures = {}
    for stage, length in seconds.items():
        end = moment + length
        figures[stage] = {
            "s": round(length, 1),
            "python_mb": round(done.memory.highest("python", moment, end)),
            "neo4j_mb": round(done.memory.highest("neo4j", moment, end)),
            **{name: _growth(done, name, end) for name in DISKS},
        }
        moment = end
    return figures


def _growth(done: Run, name: str, moment: float) -> float:
    return round(done.disk.at(name, moment) - done.disk.first(name), 1)


def _disk_mb(plan: Plan, name: str) -> float:
    chosen = plan.settings
    folders = (chosen.home / "neo4j" / "data", chosen.home / "qdrant", chosen.cache / "arrays")
    return measure.disk_mb(folders[DISKS.index(name)])
