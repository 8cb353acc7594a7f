"""Search by words in Neo4j's full-text index."""

from __future__ import annotations

import re

from tetragraph.model import Filters, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check
from tetragraph.stores.lucene import lucene_query
from tetragraph.stores.stored_chunks import rank_worded

_UNDIVIDED = re.compile(r"[\u0e01-\u0e2e\u0e81-\u0eae\u1000-\u102a\u1780-\u17b3]")
"""A letter of Thai, Lao, Burmese or Khmer, whose words Lucene does not divide, unlike those of Chinese."""


def search(stores: CorpusStores, question: Question, k: int, filters: Filters | None = None) -> list[Hit]:
    """The ``k`` chunks with the highest BM25 score over title and text, by (-score, id).

    Chunks that share no word with the question are no hits, so there may be fewer than ``k``. Document frequencies
    span all corpora of the database, as they share one index; which chunks can be hits does not depend on others.
    A question in Thai, Lao, Burmese or Khmer gets a note, as the index takes a stretch of these for one word.

    Raises:
        UnknownFilter, InvalidInput: a filter cannot be used.
    """
    check(stores, filters)
    if _UNDIVIDED.search(question.text):
        stores.note(
            "the full-text index takes a stretch of Thai, Lao, Burmese or Khmer for one word, so that keywords find "
            "little of it: `evidence` and `dense` find more"
        )
    query = lucene_query(question.text, stores.name)
    if query is None:
        return []
    ranked = rank_worded(stores, query, k, filters)
    chunks = chunk_table.fetch(stores, [chunk_id for chunk_id, _ in ranked])
    present = [(chunks[chunk_id], score) for chunk_id, score in ranked if chunk_id in chunks]
    return [Hit(rank, score, chunk, {"bm25": score}) for rank, (chunk, score) in enumerate(present, start=1)]
