"""BiG-RAG's ablation of the two retrieval paths, at the level of retrieval."""

from __future__ import annotations

from benchmarks.papers.runs import DEFAULT, Figures, Runs, ingest, measure_rows, sample
from benchmarks.plan import Plan
from tetragraph import Tetragraph

SET, SPLIT = "hotpotqa_train", "train"
"""A small set of HotpotQA, the only benchmark of the paper's table 2: facts of 10,000 passages take ten minutes."""
KS = (5, 10)
BOTH = "dual path"
RUNS: Runs = {
    BOTH: ("bipartite", {"mode": "paper"}),
    "entity path": ("bipartite", {"mode": "paper", "paths": "entities"}),
    "relation path": ("bipartite", {"mode": "paper", "paths": "relations"}),
    "default": ("bipartite", {}),
    "dense": ("dense", {}),
}


def measure_bipartite(plan: Plan) -> Figures:
    """Measure both paths and each of them, on facts of the dependency parse."""
    questions = sample(plan, SET, split=SPLIT)
    with Tetragraph.connect(plan.settings) as client:
        corpus = ingest(client, SET, DEFAULT)
        built = corpus.build("bipartite")
        rows = measure_rows(corpus, questions, RUNS, KS, BOTH)
    return {SET: {"rows": rows, "graph": {"facts": built.counts["relations"]}}}
