"""Cost of the bipartite graph of an ingested corpus, and recall with facts that a model extracted."""

from __future__ import annotations

from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Document, Tetragraph
from tetragraph.evaluate.questions import read_questions

SET = "2wikimultihopqa"
NAME = f"{SET}-facts"
CHANGED = 60
"""Number of documents that are deleted and ingested again: one in a hundred."""
RECORDED = "musique_train"
Figures = dict[str, dict[str, Any]]


def measure_fact_graph(plan: Plan) -> Figures:
    """Build the graph of 2Wiki, change a hundredth of it, and search MuSiQue's training set with recorded triples.

    Returns:
        Seconds of build and updates with the size of the graph; recall in per cent with the recorded triples and with
        the parser's facts.
    """
    return {**_costs(plan), **_recorded(plan)}


def _costs(plan: Plan) -> Figures:
    documents = [Document(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(SET))]
    some = documents[:: len(documents) // CHANGED][:CHANGED]
    index.drop(plan, NAME)
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(NAME)
        corpus.ingest(documents, build=[], sentences="none")
        built = corpus.build("bipartite")
        gone = corpus.delete(*(document.id for document in some))
        back = corpus.ingest(some)
        corpus.drop()
    kinds = ("relations", "entities", "aliases")
    return {
        "build": {
            "passages": len(documents),
            "s": round(built.seconds["bipartite"], 1),
            **{kind: built.counts[kind] for kind in kinds},
        },
        "update": {
            "passages": len(some),
            "delete_s": round(gone.seconds["bipartite"], 1),
            "ingest_s": round(back.seconds["bipartite"], 1),
            "as_before": all(back.counts[kind] == built.counts[kind] for kind in kinds),
        },
    }


def _recorded(plan: Plan) -> Figures:
    name, folder = f"{RECORDED}-recorded", data.folder() / RECORDED
    documents = [Document(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(RECORDED))]
    questions = read_questions(folder / "train.jsonl.gz")[: plan.questions]
    figures: Figures = {}
    index.drop(plan, name)
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(name)
        corpus.ingest(documents, build=[], sentences="none")
        for extractor in (str(folder / "openie.jsonl.gz"), "dependency"):
            corpus.build("bipartite", extractor=extractor)
            report = corpus.evaluate(questions, {"bipartite": ("bipartite", {})}, ks=(2, 5, 10))
            means = report.scores["bipartite"].metrics
            key = f"{RECORDED}, {'recorded triples' if extractor != 'dependency' else 'parser'}"
            figures[key] = {f"R@{k}": round(100 * means[f"recall@{k}"], 1) for k in (2, 5, 10)}
        corpus.drop()
    return figures
