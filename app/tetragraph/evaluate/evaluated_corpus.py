"""Adapter from a corpus to the functions that an evaluation uses."""

from __future__ import annotations

from collections.abc import Sequence

from tetragraph.arrays import Vectors
from tetragraph.connection import Connection
from tetragraph.errors import StoreError
from tetragraph.evaluate.model import Found
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

    def find_places(document_ids: Sequence[str]) -> list[Found]:
        """All chunks of the documents that the corpus has."""
        rows = connection.graph.read("corpus/find_chunk_places", corpus=corpus, ids=list(document_ids))
        return [Found(row["id"], row["document_id"], "", row["start"], row["end"], 0.0) for row in rows]

    def find_vectors(ids: Sequence[str]) -> dict[str, Vectors]:
        """Vectors of chunks by id."""
        found = connection.stores(corpus).vectors.get(corpus, "chunks", ids)
        if len(found) < len(ids):
            raise StoreError(
                f"each chunk must have its vector in Qdrant, {len(ids) - len(found)} of corpus {corpus!r} lack theirs: "
                "run `tetragraph ingest` again, or `tetragraph doctor` to see how the stores differ"
            )
        return found

    record = connection.stores(corpus).record
    facts = {"embedder": record.embedder, "dimension": record.dimension, "settings": dict(record.settings)}
    return EvaluatedCorpus(
        corpus,
        record.published,
        facts,
        search,
        find_titles,
        answer,
        find_chunks,
        find_places,
        find_vectors,
        lambda: connection.llm.operation("judge", corpus=corpus),
    )
