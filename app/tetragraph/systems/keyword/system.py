"""BM25 as a retriever."""

from __future__ import annotations

from tetragraph.model import Findings
from tetragraph.systems.base import NoOptions, Retriever, SearchRequest
from tetragraph.systems.keyword.search import search


class Keyword(Retriever[NoOptions]):
    """Chunks that share words with the question, ranked by BM25; a baseline."""

    name = "keyword"
    summary = "BM25 in Neo4j's full-text index"
    search_options = NoOptions
    score_parts = {"bm25": "words that passage and question share"}
    needs_vector = False

    def search(self, request: SearchRequest[NoOptions]) -> Findings:
        return Findings(tuple(search(request.stores, request.question, request.k, request.filters)))
