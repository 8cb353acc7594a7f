"""What an explanation costs beside the search that it explains."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph

SET = "2wikimultihopqa"
METHODS = ("evidence", "gain", "tree", "bipartite", "fused")
HITS = 10
QUESTIONS = 100
Figures = dict[str, dict[str, dict[str, float]]]


def measure_explain(plan: Plan) -> Figures:
    """For each method, on 2Wiki and after a few questions to warm up.

    Measured are a search for ten passages with the embedding of its question, why one of them was found, and the
    subgraph that led to all ten.
    """
    index.ingest(plan, SET, index.ALL_GRAPHS)
    texts = [question.text for question in data.questions(SET, "dev")[: min(plan.questions, QUESTIONS)]]
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(SET)
        return {method: _measured(corpus, method, texts) for method in METHODS}


def _measured(corpus: Corpus, method: str, texts: list[str]) -> dict[str, dict[str, float]]:
    results = [corpus.search(text, k=HITS, method=method) for text in texts]
    work: dict[str, list[Any]] = {
        "search": [partial(corpus.search, text, k=HITS, method=method) for text in texts],
        "explain a hit": [partial(corpus.explain, result, 1 + n % HITS) for n, result in enumerate(results)],
        "subgraph of ten hits": [partial(corpus.subgraph, result) for result in results],
    }
    return {name: measure.load(tasks, clients=1) for name, tasks in work.items()}
