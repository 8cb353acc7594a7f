"""Search by words in Neo4j's full-text index."""

from __future__ import annotations

from tetragraph.model import Filters, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check
from tetragraph.stores.lucene import lucene_query
from tetragraph.stores.stored_chunks import rank_worded


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
    ranked = rank_worded(stores, query, k, filters)
    chunks = chunk_table.fetch(stores, [chunk_id for chunk_id, _ in ranked])
    present = [(chunks[chunk_id], score) for chunk_id, score in ranked if chunk_id in chunks]
    return [Hit(rank, score, chunk, {"bm25": score}) for rank, (chunk, score) in enumerate(present, start=1)]
