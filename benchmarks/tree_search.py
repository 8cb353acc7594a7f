"""Recall of the encoding tree by the weight of its communities and by the layers that it is built on."""

from __future__ import annotations

from typing import Any

from benchmarks import data
from benchmarks.papers.runs import DEFAULT, SETS, ingest, percent
from benchmarks.papers.tree import SHARES
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.questions import read_questions

K = 5
LAYERS: dict[str, tuple[float, float]] = {
    "semantic layer alone": SHARES["semantic only"],
    "logical layer alone": (0.0, 1.0),
    "all layers": SHARES["all layers"],
}
"""Shares of the semantic and the logical layer in the affinity graph; the distance layer has the rest."""
WEIGHTS = (0.0, 0.1, 0.2, 0.4, 0.6)
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"weight {weight}": ("tree", {"coarse": weight}) for weight in WEIGHTS},
    "no expansion": ("tree", {"expansion": "none"}),
    "mode paper": ("tree", {"mode": "paper"}),
    "dense": ("dense", {}),
}
"""Method and options by row; those without a weight have the default of their mode."""
DEFAULT_WEIGHT = "weight 0.1"


def measure_tree_search(plan: Plan) -> dict[str, Any]:
    """Measure recall at 5 on the development questions, in per cent: one row for a layer alone, all for all layers."""
    figures = {}
    for name in SETS:
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            corpus = ingest(client, name, DEFAULT)
            for layers, (semantic, logical) in LAYERS.items():
                corpus.build("tree", semantic=semantic, logical=logical)
                chosen = list(ROWS) if layers == "all layers" else [DEFAULT_WEIGHT]
                methods = {f"row{place}": ROWS[row] for place, row in enumerate(chosen)}
                report = corpus.evaluate(questions, methods, ks=(K,))
                for run, row in zip(report.runs, chosen, strict=True):
                    found = percent(report.scores[run.name].metrics[f"recall@{K}"])
                    label = row if ROWS[row][0] != "tree" else f"{layers}, {row}"
                    figures[f"{name}, {label}"] = {f"R@{K}": found}
    return figures
