"""Which entities the chunks of a corpus mention and describe, as matrices, read from the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.information_gain import incidence, self_information
from tetragraph.stores.corpus import CorpusStores

CSR: TypeAlias = "sparse.csr_array[np.float64]"
_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Links:
    """Matrices of ones and zeros: chunks (rows of the chunk table) by entities.

    Attributes:
        entities: Entity ids, ascending: the columns.
        mentions: ``(n, entities)`` what the text names, own titles left out.
        describes: ``(n, entities)`` what the titles name.
        information: ``(entities,)`` nats: how telling it is that a chunk names the entity.
    """

    entities: list[str]
    mentions: CSR
    describes: CSR
    information: NDArray[np.float64]


def read(stores: CorpusStores, rows: Mapping[str, int]) -> Links:
    """The links in the graph now.

    Args:
        stores: The corpus.
        rows: Chunk id to row.
    """
    mentioned: tuple[list[int], list[str]] = ([], [])
    described: tuple[list[int], list[str]] = ([], [])
    for record in _records(stores):
        row = rows.get(record["chunk"])
        if row is None:
            continue
        for (holders, names), found in ((mentioned, record["mentions"]), (described, record["describes"])):
            holders.extend([row] * len(found))
            names.extend(found)
    return from_pairs(len(rows), mentioned, described)


def from_pairs(size: int, mentioned: tuple[list[int], list[str]], described: tuple[list[int], list[str]]) -> Links:
    """Links from rows and the entity ids that belong to them."""
    entities = sorted({*mentioned[1], *described[1]})
    columns = {entity: column for column, entity in enumerate(entities)}
    mentions, describes = (
        incidence(
            np.array(rows, dtype=np.int64),
            np.array([columns[entity] for entity in names], dtype=np.int64),
            (size, len(entities)),
        )
        for rows, names in (mentioned, described)
    )
    holders = ((mentions + describes) > 0).sum(axis=0)
    return Links(entities, mentions, describes, self_information(holders, size))


def _records(stores: CorpusStores) -> Iterator[dict[str, Any]]:
    after = ""
    while page := stores.graph.read("gain_graph/find_links", corpus=stores.name, after=after, limit=_PAGE):
        yield from page
        after = page[-1]["chunk"]
