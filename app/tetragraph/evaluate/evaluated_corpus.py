"""Adapter from a corpus to the functions that an evaluation uses."""

from __future__ import annotations

from collections.abc import Sequence

from tetragraph.connection import Connection
from tetragraph.evaluate.run_methods import Answering, EvaluatedCorpus, Searching
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table


def evaluated_corpus(connection: Connection, corpus: str, search: Searching, answer: Answering) -> EvaluatedCorpus:
    """A corpus as the set of functions that an evaluation uses.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        search: Searches the corpus.
        answer: Answers questions from the corpus.
    """

    def find_titles(document_ids: Sequence[str]) -> dict[str, str]:
        """Titles by id, of the documents that the corpus has."""
        rows = connection.graph.read("corpus/find_titles", corpus=corpus, ids=list(document_ids))
        return {row["id"]: row["title"] for row in rows}

    def find_chunks(ids: Sequence[str]) -> dict[str, Chunk]:
        """Chunks by id, of those that the corpus has."""
        rows = connection.graph.read("corpus/find_chunks_by_id", corpus=corpus, ids=list(ids))
        return {row["id"]: chunk_table.from_row(row) for row in rows}

    record = connection.stores(corpus).record
    facts = {"embedder": record.embedder, "dimension": record.dimension, "settings": dict(record.settings)}
    return EvaluatedCorpus(corpus, record.published, facts, search, find_titles, answer, find_chunks)
