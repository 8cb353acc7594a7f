"""Matrices of the entities that chunks mention and describe, read from the graph."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import sparse

from tetragraph.algorithms.information_gain import self_information
from tetragraph.arrays import CSR, Floats, Ints, Longs
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
    numbers: dict[str, int] = {}
    mentioned, described = _Columns(), _Columns()
    for record in stores.graph.pages("entities/find_entities_of_chunks", corpus=stores.name, limit=_PAGE):
        row = rows.get(record["id"])
        if row is None:
            continue
        for entity, count in zip(record["mentioned"], record["counts"], strict=True):
            mentioned.add(row, numbers.setdefault(entity, len(numbers)), count)
        for entity in record["described"]:
            described.add(row, numbers.setdefault(entity, len(numbers)), 1)
    entities = sorted(numbers)
    rank = np.empty(len(entities), dtype=np.int64)
    rank[[numbers[entity] for entity in entities]] = np.arange(len(entities))
    return _from_columns(len(rows), entities, mentioned.numbered(rank), described.numbered(rank))


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
    mentions, descriptions = _Columns(), _Columns()
    for row, entity, count in mentioned:
        mentions.add(row, columns[entity], count)
    for row, entity in described:
        descriptions.add(row, columns[entity], 1)
    rank = np.arange(len(entities))
    return _from_columns(size, entities, mentions.numbered(rank), descriptions.numbered(rank))


class _Columns:
    """Rows of chunks, numbers of entities, and counts, as numbers that take four bytes each."""

    def __init__(self) -> None:
        self._columns = (array("i"), array("i"), array("i"))

    def add(self, row: int, entity: int, count: int) -> None:
        for column, value in zip(self._columns, (row, entity, count), strict=True):
            column.append(value)

    def numbered(self, rank: Longs) -> tuple[Ints, Longs, Ints]:
        """The three columns, with the rank of each entity in place of its number."""
        row, entity, count = (np.array(column, dtype=np.int32) for column in self._columns)
        return row, rank[entity], count


def _from_columns(
    size: int, entities: Sequence[str], mentioned: tuple[Ints, Longs, Ints], described: tuple[Ints, Longs, Ints]
) -> EntityLinks:
    """Links from columns of chunk, entity and number of occurrences."""

    def matrix(columns: tuple[Ints, Longs, Ints]) -> CSR:
        row, entity, count = columns
        return sparse.csr_array((count.astype(np.float64), (row, entity)), shape=(size, len(entities)))

    counts, describes = matrix(mentioned), matrix(described)
    mentions = counts.copy()
    mentions.data[:] = 1.0
    holders = ((mentions + describes) > 0).sum(axis=0)
    return EntityLinks(list(entities), mentions, describes, counts, self_information(holders, size))
