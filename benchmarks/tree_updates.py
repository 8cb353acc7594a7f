"""Cost and quality of updates of the encoding tree: a fifth of the documents is ingested later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Corpus, Document, Tetragraph

SET = "2wikimultihopqa"
NAME = f"{SET}-grown"
BATCHES = 10
SHARE = 0.2
Figures = dict[str, dict[str, Any]]


def measure_tree_updates(plan: Plan) -> Figures:
    """Build the tree of four fifths of 2Wiki, ingest the rest in batches, and build the tree again.

    Returns:
        Figures of the build on all documents and of the updates, and by how many per cent the entropy of the updated
        tree is above that of the rebuilt one.
    """
    documents = [Document(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(SET))]
    index.drop(plan, NAME)
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(NAME)
        later = documents[:: round(1 / SHARE)]
        first = [document for place, document in enumerate(documents) if place % round(1 / SHARE)]
        corpus.ingest(first, build=["tree"], sentences="none")
        seconds = [corpus.ingest(batch).seconds["tree"] for batch in _batches(later)]
        grown = _entropy(client, corpus)
        build_s = corpus.build("tree").seconds["tree"]
        fresh = _entropy(client, corpus)
        corpus.drop()
    return {
        "build": {"passages": len(documents), "s": round(build_s, 1), "structural_entropy": round(fresh, 4)},
        "updates": {
            "passages": len(later),
            "batches": len(seconds),
            "ms_a_passage": round(1000 * sum(seconds) / len(later), 1),
            "structural_entropy": round(grown, 4),
            "above_fresh_percent": round(100 * (grown / fresh - 1), 2),
        },
    }


def _batches(documents: Sequence[Document]) -> list[Sequence[Document]]:
    size = -(-len(documents) // BATCHES)
    return [documents[start : start + size] for start in range(0, len(documents), size)]


def _entropy(client: Tetragraph, corpus: Corpus) -> float:
    row = client.connection.graph.read("encoding_tree/get_tree", corpus=corpus.name)[0]
    return float(row["structural_entropy"])
