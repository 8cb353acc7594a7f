"""Deletion of the contents of a corpus in both stores; the node of the corpus stays."""

from __future__ import annotations

from typing import Any, Final

from tetragraph.stores.graph import Graph
from tetragraph.stores.vector_sets import corpus_of
from tetragraph.stores.vectors import VectorStore
from tetragraph.systems.base import BuildTarget, Retriever
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

_SHARED: Final = (
    "corpus/delete_documents",
    "corpus/delete_chunks",
    "corpus/delete_entities",
    "corpus/delete_terms",
)


def delete_nodes(graph: Graph, corpus: str, job: str = "") -> None:
    """Delete the nodes of a corpus, documents first, so that none counts as unchanged after a kill.

    Args:
        graph: The graph store.
        corpus: Name of the corpus.
        job: Id of the job that drops the corpus, which stays; empty for none.
    """
    graph.write("corpus/delete_jobs", corpus=corpus, job=job)
    systems: list[BuildTarget[Any] | Retriever[Any]] = [*BUILD_TARGETS.values(), *RETRIEVERS.values()]
    for query in dict.fromkeys((*_SHARED, *(query for system in systems for query in system.drop_queries))):
        graph.write(query, corpus=corpus)


def delete_vectors(vectors: VectorStore, corpus: str) -> None:
    """Delete the collections of a corpus, of all sets."""
    for name, kind in vectors.collections():
        if corpus_of(name) == corpus:
            vectors.drop(name, kind)
