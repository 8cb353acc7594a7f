"""The nearest passages by embedding, from the vector store."""

from __future__ import annotations

from tetragraph.model import Filters, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check


def search(stores: CorpusStores, question: Question, k: int, filters: Filters | None = None) -> list[Hit]:
    """The ``k`` passages most similar to the question, by (-cosine, id); fewer where the corpus has fewer.

    A vector whose passage is gone from Neo4j is left out, and a note says so.

    Raises:
        UnknownFilter, InvalidInput: a filter cannot be used.
    """
    check(stores, filters)
    found = stores.vectors.query(stores.name, "chunks", question.vector, k, filters)
    chunks = chunk_table.fetch(stores, [scored.id for scored in found])
    present = [scored for scored in found if scored.id in chunks]
    if len(present) < len(found):
        stores.note(
            f"{len(found) - len(present)} vectors belong to passages that are no longer there and were left out: "
            f"an ingest is under way, or was interrupted and should be run again"
        )
    return [
        Hit(rank, scored.score, chunks[scored.id], {"similarity": scored.score})
        for rank, scored in enumerate(present, start=1)
    ]
