"""Share of the gold among the first k hits, for every method with one setting for all sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.questions import read_questions

SETS = ("2wikimultihopqa", "hotpotqa", "musique", "popqa")
CUTS = (2, 5, 10)
Methods = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Method and settings by the name of their row."""
METHODS: Methods = {
    "evidence": ("evidence", {}),
    "evidence-embed": ("evidence", {"chain": "embed"}),
    "evidence-off": ("evidence", {"chain": "off"}),
    "evidence-local": ("evidence", {"scope": "local"}),
    "gain": ("gain", {"engine": "memory"}),
    "tree": ("tree", {}),
    "tree-none": ("tree", {"expansion": "none"}),
    "tree-paper": ("tree", {"mode": "paper"}),
    "bipartite": ("bipartite", {}),
    "bipartite-whole": ("bipartite", {"decompose": False}),
    "bipartite-paper": ("bipartite", {"ranking": "paper"}),
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "fused": ("fused", {}),
    "fused-plain": ("fused", {"of": ("dense", "keyword")}),
}
"""Method and settings by name in the tables: chains of sub-questions by default, with separate embeddings, and off; the
part of the corpus that a walk reaches; the encoding tree without query
expansion, and with the scores of its paper; the bipartite graph without decomposition, and with the ranking of its
paper; evidence and facts fused, and similarity and keywords."""


def measure_recall(plan: Plan) -> dict[str, dict[str, float]]:
    """Measure every method; see :func:`measure_methods`."""
    return measure_methods(plan, SETS, METHODS, index.ALL_GRAPHS)


def measure_methods(
    plan: Plan, sets: Sequence[str], methods: Methods, graphs: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Measure recall at 2, 5 and 10 on the development questions: mean over questions, in per cent.

    Args:
        plan: Parameters of the run.
        sets: Names of the data sets.
        methods: Method and settings by the name of their row.
        graphs: Graphs that the methods need.
    """
    figures = {}
    for name in sets:
        index.ingest(plan, name, graphs)
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            report = client.corpus(name).evaluate(questions, methods, ks=CUTS)
        for run in report.runs:
            means = report.scores[run.name].metrics
            figures[f"{name}, {run.name}"] = {f"R@{k}": round(100 * means[f"recall@{k}"], 1) for k in CUTS}
    return figures
