"""Search by words in Neo4j's full-text index."""

from __future__ import annotations

from tetragraph.model import Filters, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check, parameters
from tetragraph.stores.lucene import lucene_query


def search(stores: CorpusStores, question: Question, k: int, filters: Filters | None = None) -> list[Hit]:
    """The ``k`` chunks with the highest BM25 score over title and text, by (-score, id).

    Chunks that share no word with the question are no hits, so there may be fewer than ``k``. Document frequencies
    span all corpora of the database, as they share one index; which chunks can be hits does not depend on others.

    Raises:
        UnknownFilter, InvalidInput: a filter cannot be used.
    """
    check(stores, filters)
    query = lucene_query(question.text, stores.name)
    if query is None:
        return []
    rows = stores.graph.read(
        "keyword/find_chunks_by_text", corpus=stores.name, query=query, filters=parameters(filters), limit=k
    )
    chunks = chunk_table.fetch(stores, [row["id"] for row in rows])
    present = [row for row in rows if row["id"] in chunks]
    return [
        Hit(rank, row["score"], chunks[row["id"]], {"bm25": row["score"]}) for rank, row in enumerate(present, start=1)
    ]
