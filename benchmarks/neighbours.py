"""Neighbours searched in lists beside exact ones: how many are found, and what searches of the graphs lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours, places_within
from tetragraph.algorithms.neighbour_lists import make_lists, nearest_lists
from tetragraph.algorithms.neighbour_search import EXACT_UP_TO, find_neighbours
from tetragraph.arrays import Vectors
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.evaluate.questions import read_questions
from tetragraph.stores import chunk_table

COUNTS = (5, 20)
"""Neighbours of a chunk in the graphs of ``gain`` and ``tree``."""
GRAPHS = ("gain", "tree")
SETS = {"2wikimultihopqa": "dev", "musique_train": "train"}
"""Split of the questions of each set."""
RUNS: Mapping[str, tuple[str, dict[str, Any]]] = {graph: (graph, {"engine": "memory"}) for graph in GRAPHS}
EXACT, LISTS = "exact", "lists"
K = 5
Figures = dict[str, Any]


def measure_neighbours(plan: Plan) -> dict[str, Figures]:
    """Compare both searches on each set."""
    figures: dict[str, Figures] = {}
    for name, split in SETS.items():
        index.ingest(plan, name, GRAPHS)
        questions = read_questions(data.folder() / name / f"{split}.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            found = found_in_lists(np.array(chunk_table.load(client.connection.stores(name)).vectors))
            corpus = client.corpus(name)
            in_lists = _recall(corpus, questions, 0)
            exact = _recall(corpus, questions, EXACT_UP_TO)
        recalls = {f"{graph}, {EXACT}": exact[graph] for graph in GRAPHS}
        recalls |= {f"{graph}, {LISTS}": in_lists[graph] for graph in GRAPHS}
        figures[name] = {**found, **recalls}
    return figures


def found_in_lists(vectors: Vectors) -> Figures:
    """Share of the vectors that each one is compared with, and of its exact neighbours that are found, in per cent."""
    lists = make_lists(vectors)
    sizes = np.array([len(members) for members in lists.members])
    compared = sizes[nearest_lists(lists, vectors)].sum(axis=1).mean()
    figures = {"chunks": len(vectors), "compared": _percent(float(compared / len(vectors)))}
    base, other = nearest_neighbours(vectors, max(COUNTS))
    place, keys = places_within(base), base * len(vectors) + other
    for count in COUNTS:
        found_base, found_other = find_neighbours(vectors, count, 0)
        is_found = np.isin(keys[place < count], found_base * len(vectors) + found_other)
        figures[f"found of {count}"] = _percent(float(is_found.mean()))
    return figures


def _recall(corpus: Corpus, questions: Sequence[GoldQuestion], exact_up_to: int) -> dict[str, float]:
    """Recall of the graphs, built anew."""
    for graph in GRAPHS:
        corpus.build(graph, exact_up_to=exact_up_to)
    report = corpus.evaluate(questions, RUNS, ks=(K,))
    return {run.name: _percent(report.scores[run.name].metrics[f"recall@{K}"]) for run in report.runs}


def _percent(share: float) -> float:
    return round(100 * share, 1)
