"""Pages of annual reports that answer questions: FinanceBench, 14 PDFs with tables.

Hits of one page count once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph

SET = "financebench"
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "fused-plain": ("fused", {"of": ("dense", "keyword")}),
    "evidence": ("evidence", {}),
}
"""Method and settings by name in the tables."""
PAGES = 5
_DEPTH = 50
"""Hits in which the first pages are looked for."""
_Page = tuple[str, int | None]
"""Name of a report, and number of a page."""


def measure_report_pages(plan: Plan) -> dict[str, dict[str, float]]:
    """Measure for each method the share of questions with a gold page first, and among the first five, in per cent."""
    folder = data.folder() / SET
    rows = data.rows(folder / "dev.jsonl.gz")
    names = sorted({name for row in rows for name in row["supporting"]})
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus("reports")
        corpus.ingest([folder / "pdfs" / f"{name}.pdf" for name in names], build=())
        return {run: measure_pages(corpus, rows, method, options) for run, (method, options) in METHODS.items()}


def measure_pages(
    corpus: Corpus, rows: Sequence[Mapping[str, Any]], method: str, options: Mapping[str, Any]
) -> dict[str, float]:
    """Shares of the questions with a gold page first, and among the first five pages, in per cent."""
    ranks = [_rank(corpus, row, method, options) for row in rows]
    first, found = sum(rank == 1 for rank in ranks), sum(rank <= PAGES for rank in ranks)
    return {"first": round(100 * first / len(rows)), f"among {PAGES}": round(100 * found / len(rows))}


def _rank(corpus: Corpus, row: Mapping[str, Any], method: str, options: Mapping[str, Any]) -> int:
    """Rank of the first gold page among the distinct pages of the hits; beyond all pages where none is found."""
    gold: set[_Page] = {(name, page) for name in row["supporting"] for page in row["pages"]}
    hits = corpus.search(row["question"], k=_DEPTH, method=method, **options)
    pages: dict[_Page, None] = dict.fromkeys((Path(hit.chunk.source).stem, hit.chunk.page) for hit in hits)
    return next((rank for rank, page in enumerate(pages, start=1) if page in gold), _DEPTH + 1)
