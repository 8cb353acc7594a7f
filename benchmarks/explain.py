"""Duration of an explanation compared with the search that it explains."""

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
    """Measure each method on 2Wiki, after a few questions to warm up.

    The figures are the times of a search for ten passages with the embedding of its question, of the explanation of one
    hit, and of the subgraph that led to all ten.
    """
    index.ingest(plan, SET, index.ALL_GRAPHS)
    texts = [question.text for question in data.questions(SET, "dev")[: min(plan.questions, QUESTIONS)]]
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(SET)
        return {method: _measure(corpus, method, texts) for method in METHODS}


def _measure(corpus: Corpus, method: str, texts: list[str]) -> dict[str, dict[str, float]]:
    results = [corpus.search(text, k=HITS, method=method) for text in texts]
    work: dict[str, list[Any]] = {
        "search": [partial(corpus.search, text, k=HITS, method=method) for text in texts],
        "explain a hit": [partial(corpus.explain, result, 1 + n % HITS) for n, result in enumerate(results)],
        "subgraph of ten hits": [partial(corpus.subgraph, result) for result in results],
    }
    return {name: measure.load(tasks, clients=1) for name, tasks in work.items()}
