"""Matrices of the entities that chunks mention and describe, read from the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import sparse

from tetragraph.algorithms.information_gain import self_information
from tetragraph.arrays import CSR, Floats
from tetragraph.stores.corpus import CorpusStores

Mention: TypeAlias = tuple[int, str, int]
"""Row of a chunk, id of an entity in its text, and number of occurrences."""
_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class EntityLinks:
    """Matrices of chunks (rows of the chunk table) by entities; all but ``counts`` are binary.

    Attributes:
        entities: Entity ids, ascending: the columns.
        mentions: ``(n, entities)`` entities in the text, without those in its own titles.
        describes: ``(n, entities)`` entities in the titles.
        counts: ``(n, entities)`` occurrences in the text, without those of its own titles.
        information: ``(entities,)`` self-information of a chunk naming the entity, in nats.
    """

    entities: list[str]
    mentions: CSR
    describes: CSR
    counts: CSR
    information: Floats


def read(stores: CorpusStores, rows: Mapping[str, int]) -> EntityLinks:
    """Read the current links from the graph.

    Args:
        stores: The stores of the corpus.
        rows: Chunk id to row.
    """
    mentioned: list[Mention] = []
    described: list[tuple[int, str]] = []
    for record in stores.graph.pages("entities/find_entities_of_chunks", corpus=stores.name, limit=_PAGE):
        row = rows.get(record["id"])
        if row is None:
            continue
        mentioned += [(row, *named) for named in zip(record["mentioned"], record["counts"], strict=True)]
        described += [(row, entity) for entity in record["described"]]
    return from_pairs(len(rows), mentioned, described)


def from_pairs(
    size: int,
    mentioned: Sequence[Mention],
    described: Sequence[tuple[int, str]],
    entities: Sequence[str] | None = None,
) -> EntityLinks:
    """Links from pairs of row and entity id, each given once.

    Args:
        size: Number of chunks.
        mentioned: Mentions.
        described: Rows of chunks and the entities in their titles.
        entities: Ids of all entities, ascending; those of the pairs when left out.
    """
    if entities is None:
        entities = sorted({entity for _, entity, _ in mentioned} | {entity for _, entity in described})
    columns = {entity: column for column, entity in enumerate(entities)}
    shape = (size, len(entities))

    def matrix(pairs: Sequence[tuple[int, str]], values: Sequence[float]) -> CSR:
        places = ([row for row, _ in pairs], [columns[entity] for _, entity in pairs])
        return sparse.csr_array((np.array(values, dtype=np.float64), places), shape=shape)

    pairs = [(row, entity) for row, entity, _ in mentioned]
    mentions, describes = matrix(pairs, [1.0] * len(pairs)), matrix(described, [1.0] * len(described))
    holders = ((mentions + describes) > 0).sum(axis=0)
    counts = matrix(pairs, [count for _, _, count in mentioned])
    return EntityLinks(list(entities), mentions, describes, counts, self_information(holders, size))
