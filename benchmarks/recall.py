"""Share of the gold among the first k hits, for every method with one setting for all sets."""

from __future__ import annotations

from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.questions import read_questions

SETS = ("2wikimultihopqa", "hotpotqa", "musique", "popqa")
CUTS = (2, 5, 10)
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
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


def measure_recall(plan: Plan) -> dict[str, Any]:
    """Measure recall at 2, 5 and 10 on the development questions: mean over questions, in per cent."""
    figures = {}
    for name in SETS:
        index.ingest(plan, name, index.ALL_GRAPHS)
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            report = client.corpus(name).evaluate(questions, METHODS, ks=CUTS)
        for run in report.runs:
            means = report.scores[run.name].metrics
            figures[f"{name}, {run.name}"] = {f"R@{k}": round(100 * means[f"recall@{k}"], 1) for k in CUTS}
    return figures
