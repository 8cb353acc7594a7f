"""Search by embedding as a retriever."""

from __future__ import annotations

from tetragraph.model import Findings
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.dense.options import DenseOptions
from tetragraph.systems.dense.search import search


class Dense(Retriever[DenseOptions]):
    """Chunks whose embeddings are most similar to the question; a baseline."""

    name = "dense"
    summary = "nearest passages by embedding, in Qdrant"
    label = "Vectors"
    search_options = DenseOptions
    reads_arrays = False
    score_parts = {
        "similarity": "likeness of passage and question",
        "redundancy": "likeness to passages that were chosen before",
    }

    def search(self, request: SearchRequest[DenseOptions]) -> Findings:
        hits = search(request.stores, request.question, request.k, request.filters, request.options)
        return Findings(tuple(hits))
