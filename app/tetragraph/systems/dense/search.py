"""Search by embedding in the vector store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import top
from tetragraph.algorithms.marginal_relevance import marginal_relevance
from tetragraph.model import Chunk, Filters, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import allowed_ids, check, needs_graph
from tetragraph.stores.stored_chunks import keep_present
from tetragraph.stores.vectors import Scored
from tetragraph.systems.dense.options import SEARCH_DEFAULTS, DenseOptions


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    filters: Filters | None = None,
    options: DenseOptions = SEARCH_DEFAULTS,
) -> list[Hit]:
    """The ``k`` chunks most similar to the question, by (-cosine, id); fewer if the corpus has fewer.

    With ``rerank="mmr"`` they are selected among the ``pool`` most similar ones, so that they differ. A vector whose
    chunk is missing from Neo4j is left out, with a note.

    Raises:
        UnknownFilter, InvalidInput: a filter cannot be used.
    """
    check(stores, filters)
    wanted = max(k, options.pool) if options.rerank == "mmr" else k
    if needs_graph(filters):
        found = _compare_allowed(stores, question, wanted, allowed_ids(stores, filters or {}))
    else:
        found = stores.nearest("chunks", question.vector, wanted, filters)
    chunks = chunk_table.fetch(stores, [scored.id for scored in found])
    kept = set(keep_present(stores, [scored.id for scored in found], chunks))
    present = [scored for scored in found if scored.id in kept]
    if options.rerank == "mmr":
        return _select_diverse(stores, present, chunks, k, options.trade_off)
    return [
        Hit(rank, scored.score, chunks[scored.id], {"similarity": scored.score})
        for rank, scored in enumerate(present, start=1)
    ]


def _compare_allowed(stores: CorpusStores, question: Question, count: int, allowed: Collection[str]) -> list[Scored]:
    """The allowed chunks most similar to the question, by (-cosine, id), of the last published generation."""
    table = chunk_table.load(stores)
    rows = np.flatnonzero(table.mask(allowed))
    similarities = dot_products(table.vectors[rows], question.vector)
    best = top(similarities.astype(np.float64), min(count, len(rows))).tolist()
    return [Scored(table.ids[int(rows[place])], float(similarities[place])) for place in best]


def _select_diverse(
    stores: CorpusStores, found: Sequence[Scored], chunks: Mapping[str, Chunk], k: int, trade_off: float
) -> list[Hit]:
    """Select chunks that are similar to the question and different from one another."""
    vectors = stores.vectors.get(stores.name, "chunks", [scored.id for scored in found])
    known = [scored for scored in found if scored.id in vectors]
    matrix = np.array([vectors[scored.id] for scored in known], dtype=np.float64).reshape(len(known), -1)
    relevance = np.array([scored.score for scored in known])
    chosen = marginal_relevance(relevance, dot_products(matrix[:, None], matrix), k, trade_off)
    columns = (column.tolist() for column in chosen)
    return [
        Hit(rank, similar - alike, chunks[known[place].id], {"similarity": similar, "redundancy": -alike})
        for rank, (place, similar, alike) in enumerate(zip(*columns, strict=True), start=1)
    ]
