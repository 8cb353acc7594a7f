"""Finds the pages of annual reports that answer questions: FinanceBench, 14 PDFs with tables.

``python -m benchmarks.report_pages [--documents N] [--methods dense …]`` ingests the N smallest reports, by default
all, asks their questions, and prints for each method how many have a gold page among the first five pages. Hits of one
page count once; the page of a chunk is the one where it begins.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import data
from tetragraph import Chunk, Corpus, Settings, Tetragraph
from tetragraph.stores.local import stop

METHODS = ("dense", "keyword", "fused", "evidence")
PAGES = 5
_DEPTH = 50
"""Hits in which the first pages are looked for."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=14, help="number of reports, the smallest first")
    parser.add_argument("--methods", nargs="+", default=METHODS)
    given = parser.parse_args()
    folder = data.folder() / "financebench"
    rows = data.rows(folder / "dev.jsonl.gz")
    files = {name: folder / "pdfs" / f"{name}.pdf" for row in rows for name in row["supporting"]}
    names = sorted(files, key=lambda name: (files[name].stat().st_size, name))[: given.documents]
    asked = [row for row in rows if set(row["supporting"]) <= set(names)]
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home))
        try:
            with Tetragraph.connect(settings) as client:
                corpus = client.corpus("reports")
                report = corpus.ingest([files[name] for name in names], build=())
                chunks = report.counts["chunks"]
                print(f"{len(names)} reports, {chunks:,} chunks, {len(asked)} questions; {report.seconds}")
                for method in given.methods:
                    print(method, *measure(corpus, asked, method), sep="\t")
        finally:
            stop(settings)


def measure(corpus: Corpus, rows: Sequence[Mapping[str, Any]], method: str) -> tuple[str, str]:
    """Shares of the questions with a gold page first, and among the first five pages."""
    ranks = [_rank(corpus, row, method) for row in rows]
    first, found = sum(rank == 1 for rank in ranks), sum(rank <= PAGES for rank in ranks)
    return f"first {first / len(rows):.2f}", f"among {PAGES} {found / len(rows):.2f}"


def _rank(corpus: Corpus, row: Mapping[str, Any], method: str) -> int:
    """Rank of the first gold page among the distinct pages of the hits; beyond all pages where none is found."""
    gold = {(name, page) for name in row["supporting"] for page in row["pages"]}
    hits = corpus.search(row["question"], k=_DEPTH, method=method)
    pages = dict.fromkeys((_name(hit.chunk), hit.chunk.page) for hit in hits)
    return next((rank for rank, page in enumerate(pages, start=1) if page in gold), _DEPTH + 1)


def _name(chunk: Chunk) -> str:
    return Path(chunk.source or chunk.document_id).stem


if __name__ == "__main__":
    main()
