"""The terms of a corpus in the graph, with the numbers that a search composed in the stores needs beside them.

As the stage of the entities does, this one compares the expected with the stored state and writes the difference.
"""

from __future__ import annotations

from typing import Any

from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.analysis import Analysis
from tetragraph.language.lexicon.terms import count_terms
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

STAGE = "terms"
_PAGE = 20_000


def update_terms(stores: CorpusStores, analysis: Analysis, vectors: Vectors, progress: Progress) -> int:
    """Update the terms in the graph to those of these chunks.

    Args:
        stores: Stores of the corpus; the caller holds its lease.
        analysis: Words of all chunks, in ascending order of id.
        vectors: ``(n, dimension)`` vectors of the same chunks.
        progress: Receives every written change.

    Returns:
        Number of created, changed and deleted terms, and of chunks whose length was written.
    """
    counted = count_terms(analysis)
    stored = _find_terms(stores)
    lengths = dict(zip(analysis.ids, counted.lengths.tolist(), strict=True))
    known = _find_lengths(stores)
    steps: list[tuple[str, list[dict[str, Any]]]] = [
        ("terms/delete_terms", [{"id": term} for term in sorted(stored.keys() - counted.chunks.keys())]),
        (
            "terms/upsert_terms",
            [{"id": term, "df": df} for term, df in counted.chunks.items() if stored.get(term) != df],
        ),
        (
            "terms/upsert_lengths",
            [{"id": chunk, "terms": terms} for chunk, terms in lengths.items() if known.get(chunk) != terms],
        ),
    ]
    total = sum(len(rows) for _, rows in steps)
    progress.start(STAGE, total, "changes")
    for query, rows in steps:
        for size in stores.graph.write_rows(query, rows, corpus=stores.name):
            progress.advance(STAGE, size)
    stores.graph.write(
        "terms/upsert_statistics",
        corpus=stores.name,
        chunks=len(lengths),
        mean_terms=counted.mean_length,
        similarity_scale=similarity_scale(vectors),
    )
    progress.finish(STAGE)
    return total


def _find_terms(stores: CorpusStores) -> dict[str, int]:
    rows = stores.graph.pages("terms/find_terms", corpus=stores.name, limit=_PAGE)
    return {row["id"]: row["df"] for row in rows}


def _find_lengths(stores: CorpusStores) -> dict[str, int]:
    rows = stores.graph.pages("terms/find_lengths", corpus=stores.name, limit=_PAGE)
    return {row["id"]: row["terms"] for row in rows}
