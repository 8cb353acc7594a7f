"""BM25 as a retriever."""

from __future__ import annotations

from tetragraph.model import Findings
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.keyword.search import search
from tetragraph.systems.rerank_options import RerankOptions


class Keyword(Retriever[RerankOptions]):
    """Chunks that share words with the question, ranked by BM25; a baseline."""

    name = "keyword"
    summary = "BM25 in Neo4j's full-text index"
    label = "Keywords"
    search_options = RerankOptions
    score_parts = {"bm25": "words that passage and question share"}
    needs_vector = False
    reads_arrays = False

    def search(self, request: SearchRequest[RerankOptions]) -> Findings:
        return Findings(tuple(search(request.stores, request.question, request.k, request.filters)))
