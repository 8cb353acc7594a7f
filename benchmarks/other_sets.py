"""What the methods find in other kinds of text: abstracts, web pages, paragraphs without titles, German.

Hits of one document count once, so that long pages are judged as pages.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.questions import read_questions

WEB_PAGES = ("wild/culture", "wild/health", "wild/human_activities", "wild/philosophy")
"""Topics of web pages."""
SETS = ("cranfield", "xquad/en", "xquad/de", *WEB_PAGES)
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "fused-plain": ("fused", {"of": ("dense", "keyword")}),
    "gain": ("gain", {"engine": "memory"}),
    "evidence": ("evidence", {}),
}
"""Method and settings by name in the tables; each with at most one hit a document."""
LONGEST_PAGE = 30_000
"""Characters at which pages are cut: a few are books, which take longer to embed than all others."""


def measure_other_sets(plan: Plan) -> dict[str, Any]:
    """Measure recall of documents at 5 and nDCG at 10, in per cent."""
    figures: dict[str, Any] = {}
    for name in SETS:
        corpus_name = name.replace("/", "_")
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client, tempfile.TemporaryDirectory() as folder:
            corpus = client.corpus(corpus_name)
            corpus.ingest(cut(name, Path(folder) / f"{corpus_name}.jsonl"), build=("gain",))
            methods = {run: (method, {**options, "per_document": 1}) for run, (method, options) in METHODS.items()}
            report = corpus.evaluate(questions, methods, ks=(5, 10), allow_missing=True)  # one gold abstract is empty
        for run in report.runs:
            means = report.scores[run.name].metrics
            figures[f"{name}, {run.name}"] = {
                "R@5": round(100 * means["recall@5"], 1),
                "nDCG@10": round(100 * means["ndcg@10"], 1),
            }
    return figures


def cut(name: str, file: Path) -> Path:
    """A file with the documents of a set, cut at :data:`LONGEST_PAGE` characters."""
    rows = [{**row, "text": row["text"][:LONGEST_PAGE]} for row in data.rows(data.corpus(name))]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file
