"""Tables of SeRAG: ablation and retrieval budget with its own embedder."""

from __future__ import annotations

from benchmarks.papers.runs import SETS, Figures, Runs, ingest, measure_rows, sample
from benchmarks.plan import Plan
from tetragraph import Tetragraph

EMBEDDER = "minilm"
BUDGETS = (3, 5, 7, 9)
SHARES = {"all layers": (0.45, 0.45), "semantic only": (1.0, 0.0)}
"""Shares of the semantic and the logical layer; the distance layer has the rest."""
FULL: Runs = {
    "w/o Self-Query": ("tree", {"mode": "paper"}),
    "Single-Layer": ("tree", {"mode": "paper", "coarse": 0, "gate": False}),
    "default": ("tree", {}),
    "dense": ("dense", {}),
}
"""Rows on the tree of all layers; the paper's full method needs a language model for its self-query."""
SEMANTIC: Runs = {"Semantic-Only": ("tree", {"mode": "paper"})}


def measure_tree(plan: Plan) -> Figures:
    """Measure table 2 and figure 2 on every set with MiniLM."""
    figures: Figures = {}
    for name in SETS:
        questions = sample(plan, name)
        with Tetragraph.connect(plan.settings) as client:
            corpus = ingest(client, name, EMBEDDER)
            rows: Figures = {}
            for layers, runs in (("semantic only", SEMANTIC), ("all layers", FULL)):
                semantic, logical = SHARES[layers]
                built = corpus.build("tree", semantic=semantic, logical=logical)
                rows |= measure_rows(corpus, questions, runs, BUDGETS)
        figures[name] = {"rows": rows, "index": {"tree_s": round(built.seconds["tree"], 1)}}
    return figures
