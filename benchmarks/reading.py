"""Recall of questions of several steps by how their chain is searched, with and without a reranker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.questions import read_questions

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
CUTS = (2, 5, 10)
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "match": ("evidence", {}),
    "read": ("evidence", {"chain": "read"}),
    "read+reranked": ("evidence", {"chain": "read", "rerank": "late-interaction", "rerank_weight": 0.5}),
}
"""Method and settings by name in the table."""


def measure_reading(plan: Plan) -> dict[str, dict[str, float]]:
    """Measure recall at 2, 5 and 10: mean over questions, in per cent."""
    figures = {}
    for name in SETS:
        index.ingest(plan, name)
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            report = client.corpus(name).evaluate(questions, METHODS, ks=CUTS)
        for run in report.runs:
            means = report.scores[run.name].metrics
            figures[f"{name}, {run.name}"] = {f"R@{k}": round(100 * means[f"recall@{k}"], 1) for k in CUTS}
    return figures
