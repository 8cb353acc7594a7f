"""Which entities the chunks of a corpus mention and describe, as matrices, read from the graph."""

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
"""A row, the entity that its text names, and how often."""
_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class EntityLinks:
    """Matrices of chunks (rows of the chunk table) by entities, ones and zeros but for ``counts``.

    Attributes:
        entities: Entity ids, ascending: the columns.
        mentions: ``(n, entities)`` what the text names, own titles left out.
        describes: ``(n, entities)`` what the titles name.
        counts: ``(n, entities)`` how often the text names it, own titles left out.
        information: ``(entities,)`` nats: how telling it is that a chunk names the entity.
    """

    entities: list[str]
    mentions: CSR
    describes: CSR
    counts: CSR
    information: Floats


def read(stores: CorpusStores, rows: Mapping[str, int]) -> EntityLinks:
    """The links in the graph now.

    Args:
        stores: The corpus.
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


def from_pairs(size: int, mentioned: Sequence[Mention], described: Sequence[tuple[int, str]]) -> EntityLinks:
    """Links from rows and the ids of what they name; a pair is given once."""
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
    return EntityLinks(entities, mentions, describes, counts, self_information(holders, size))
