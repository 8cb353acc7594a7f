"""A corpus in sixteen parts, each question sent to all of them, and their hits merged by score."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.model import Document, Evidence

SET = "2wikimultihopqa"
SHARDS = 16
METHODS = ("dense", "keyword", "evidence")
FIRST, TOP = 5, 10
QUESTIONS = 200
Figures = dict[str, Any]


def measure_shards(plan: Plan) -> dict[str, Figures]:
    """Compare one corpus with sixteen, into which a hash of their ids divides its documents."""
    rows = data.rows(data.corpus(SET))
    documents = [Document(row["id"], row["title"], row["text"]) for row in rows]
    asked = data.questions(SET, "dev")[: min(QUESTIONS, plan.questions)]
    with Tetragraph.connect(plan.settings) as client:
        whole = _ingest(client, f"{SET}-whole", documents)
        shards = [
            _ingest(client, f"{SET}-{number}", [one for one in documents if shard_of(one.id) == number])
            for number in range(SHARDS)
        ]
        return {method: _compare(whole, shards, asked, method) for method in METHODS}


def shard_of(document: str) -> int:
    """Number of the shard of a document."""
    return zlib.crc32(document.encode()) % SHARDS


def merge(found: Sequence[Evidence]) -> list[str]:
    """Documents of the best hits of all searches; ties go to the smaller id."""
    hits = sorted((-hit.score, hit.chunk.document_id) for evidence in found for hit in evidence)
    return [document for _, document in hits[:TOP]]


def _ingest(client: Tetragraph, name: str, documents: Sequence[Document]) -> Corpus:
    corpus = client.corpus(name)
    corpus.ingest(documents, build=())
    return corpus


def _compare(whole: Corpus, shards: Sequence[Corpus], asked: Sequence[data.Question], method: str) -> Figures:
    """Recall of both in per cent, and the share of the first ten hits that both have."""
    pairs = [
        (
            merge([whole.search(one.text, k=TOP, method=method)]),
            merge([shard.search(one.text, k=TOP, method=method) for shard in shards]),
        )
        for one in asked
    ]
    singles, merged = zip(*pairs, strict=True)
    return {
        "questions": len(asked),
        f"R@{FIRST}, one corpus": _percent(data.recall(singles, asked, FIRST)),
        f"R@{FIRST}, {SHARDS} corpora": _percent(data.recall(merged, asked, FIRST)),
        f"same of {TOP}": _percent(fmean(len({*one} & {*other}) / TOP for one, other in pairs)),
    }


def _percent(share: float) -> float:
    return round(100 * share, 1)
