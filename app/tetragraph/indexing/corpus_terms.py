"""The terms of a corpus in the graph, with the numbers that a search composed in the stores needs beside them.

As the stage of the entities does, this one compares the expected with the stored state and writes the difference.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import Longs, Vectors
from tetragraph.language.lexicon.analysis import Analysis
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.language.lexicon.terms import count_terms
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

STAGE = "terms"
_PAGE = 20_000


def update_terms(stores: CorpusStores, analysis: Analysis, vectors: Vectors, progress: Progress) -> int:
    """Update the terms in the graph to those of these chunks.

    Args:
        stores: Stores of the corpus, whose record has the languages to stem; the caller holds its lease.
        analysis: Words of all chunks, in ascending order of id.
        vectors: ``(n, dimension)`` vectors of the same chunks.
        progress: Receives every written change.

    Returns:
        Number of created, changed and deleted terms, and of chunks whose length was written.
    """
    counted = count_terms(analysis, load_stemmer(stores.record.stem_languages))
    terms, gone = _compare(stores, "terms/find_terms", "df", counted.terms, counted.chunks)
    chunks, _ = _compare(stores, "terms/find_lengths", "terms", analysis.ids, counted.lengths)
    steps = (
        ("terms/delete_terms", len(gone), ({"id": term} for term in sorted(gone))),
        ("terms/upsert_terms", len(terms), _rows(terms, "df", counted.terms, counted.chunks)),
        ("terms/upsert_lengths", len(chunks), _rows(chunks, "terms", analysis.ids, counted.lengths)),
    )
    total = sum(count for _, count, _ in steps)
    progress.start(STAGE, total, "changes")
    for query, _, rows in steps:
        for size in stores.graph.write_rows(query, rows, corpus=stores.name):
            progress.advance(STAGE, size)
    stores.graph.write(
        "terms/upsert_statistics",
        corpus=stores.name,
        chunks=len(analysis.ids),
        mean_terms=counted.mean_length,
        similarity_scale=similarity_scale(vectors),
        stem_languages=list(stores.record.stem_languages),
    )
    progress.finish(STAGE)
    return total


def _compare(
    stores: CorpusStores, query: str, column: str, ids: Sequence[str], values: Longs
) -> tuple[Longs, list[str]]:
    """Compare stored with expected values; only what differs is kept in memory.

    Args:
        stores: Stores of the corpus.
        query: Query of pages with ``id`` and the value.
        column: Column of the value.
        ids: Expected ids, ascending.
        values: ``(ids,)`` expected values.

    Returns:
        Places of the ids whose value has to be written, and the stored ids that are not expected.
    """
    is_new = np.ones(len(ids), dtype=bool)
    gone: list[str] = []
    for row in stores.graph.pages(query, corpus=stores.name, limit=_PAGE):
        place = bisect_left(ids, row["id"])
        if place < len(ids) and ids[place] == row["id"]:
            is_new[place] = values.item(place) != row[column]
        else:
            gone.append(row["id"])
    return np.flatnonzero(is_new), gone


def _rows(places: Longs, column: str, ids: Sequence[str], values: Longs) -> Iterator[dict[str, Any]]:
    return ({"id": ids[place], column: values.item(place)} for place in map(int, places))
