"""Agreement of the engines ``memory`` and ``stores`` on development questions: recall, common hits, and time."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from statistics import mean, median
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from benchmarks.variants import engines
from tetragraph import Corpus, Document, Tetragraph
from tetragraph.model import Evidence
from tetragraph.systems.registry import RETRIEVERS

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
PASSAGES = 2_000
"""Passages of a sample: those that the questions need, and others drawn with a fixed seed."""
QUESTIONS = 150
"""Largest number of questions, of the first half of the development questions."""
BOTH = ("memory", "stores")
GRAPHS = ("bipartite", "gain", "tree")
FIRST, TOP = 5, 10
Figures = dict[str, dict[str, Any]]


def measure_engines(plan: Plan) -> Figures:
    """Compare both engines of every method that has them, on a sample of each set."""
    methods = [method for method in RETRIEVERS if {*BOTH} <= {*engines(method)}]
    figures: Figures = {}
    for name in SETS:
        questions = sample_questions(name, min(plan.questions, QUESTIONS))
        with Tetragraph.connect(plan.settings) as client:
            corpus = client.corpus(f"{name}-sample")
            corpus.ingest(sample(name, questions), build=GRAPHS)
            for method in methods:
                figures[f"{name}, {method}"] = compare(corpus, method, questions)
    return figures


def sample_questions(name: str, count: int) -> list[data.Question]:
    """The first questions of the first half of the development questions."""
    questions = data.questions(name, "dev")
    return questions[: len(questions) // 2][:count]


def sample(name: str, questions: Sequence[data.Question]) -> list[Document]:
    """The passages that the questions need, in their order, and others up to ``PASSAGES``."""
    gold = frozenset[str]().union(*(question.supporting for question in questions))
    rows = data.rows(data.corpus(name))
    others = [row for row in rows if row["id"] not in gold]
    random.Random(0).shuffle(others)  # noqa: S311  # a sample
    chosen = [row for row in rows if row["id"] in gold] + others[: max(PASSAGES - len(gold), 0)]
    return [Document(row["id"], row["title"], row["text"]) for row in chosen]


def compare(corpus: Corpus, method: str, questions: Sequence[data.Question]) -> dict[str, float]:
    """Search every question with both engines, one after the other.

    Returns:
        Number of questions; by engine the recall at 5 in per cent and the median time of a search without the embedding
        of texts; the share of the first ten hits that both have, and the number of questions with the same hits in the
        same order.
    """
    found: dict[str, list[Evidence]] = {engine: [] for engine in BOTH}
    ms: dict[str, list[float]] = {engine: [] for engine in BOTH}
    for question in questions:
        corpus.search(question.text, k=TOP, method=method)  # its vectors are at hand then
        for engine in BOTH:
            began = time.perf_counter()
            found[engine].append(corpus.search(question.text, k=TOP, method=method, engine=engine))
            ms[engine].append(1000 * (time.perf_counter() - began))
    hits = {engine: [[hit.chunk.document_id for hit in one] for one in some] for engine, some in found.items()}
    pairs = list(zip(*hits.values(), strict=True))
    return {
        "questions": len(questions),
        **{f"R@{FIRST} {engine}": round(100 * data.recall(hits[engine], questions, FIRST), 2) for engine in BOTH},
        **{f"p50 {engine}, ms": round(median(ms[engine]), 1) for engine in BOTH},
        "same hits, %": round(100 * mean(len({*one} & {*other}) / max(len({*one}), 1) for one, other in pairs), 2),
        "same order": sum(one == other for one, other in pairs),
    }
