"""Share of the gold passages among the first k: every method, one setting for all sets."""

from __future__ import annotations

from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
CUTS = (2, 5, 10)
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "evidence": ("evidence", {}),
    "gain": ("gain", {"engine": "memory"}),
    "gain, mode paper": ("gain", {"engine": "memory", "mode": "paper"}),
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "fused": ("fused", {}),
}


def measure_recall(plan: Plan) -> dict[str, Any]:
    """Recall at 2, 5 and 10 on the development questions, mean over questions, per cent."""
    figures = {}
    for name in SETS:
        index.ingest(plan, name)
        questions = data.questions(name, "dev")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            for told, (method, options) in METHODS.items():
                figures[f"{name}, {told}"] = _recall(client.corpus(name), questions, method, options)
    return figures


def _recall(corpus: Corpus, questions: list[data.Question], method: str, options: dict[str, Any]) -> dict[str, float]:
    found = dict.fromkeys(CUTS, 0.0)
    for question in questions:
        ranked = [hit.chunk.document_id for hit in corpus.search(question.text, k=max(CUTS), method=method, **options)]
        for cut in CUTS:
            found[cut] += len(question.supporting & set(ranked[:cut])) / len(question.supporting)
    return {f"R@{cut}": round(100 * total / len(questions), 1) for cut, total in found.items()}
