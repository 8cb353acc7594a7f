"""The facts of a corpus by the chunks that state them, read from the stores for other systems."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.model import FactParticipant, content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.construction import alias_id
from tetragraph.systems.bipartite_graph.fact_index import StatedFact
from tetragraph.systems.bipartite_graph.stored_records import without_vector
from tetragraph.systems.bipartite_graph.view import NO_NAME


class StoredFactIndex:
    """The facts of a corpus by the chunks that state them; for one search.

    Args:
        stores: The stores of the corpus.
    """

    def __init__(self, stores: CorpusStores) -> None:
        self._stores = stores
        self._types: dict[str, str] = {}

    def facts_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[StatedFact]:
        """Facts that these chunks state, the most similar to the query first, ties by id.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query.

        Raises:
            StoreError: a fact has no vector: the stores disagree.
        """
        name = self._stores.name
        rows = self._stores.graph.read("bipartite_graph/find_stated", corpus=name, ids=sorted(set(chunks)))
        if not rows:
            return
        ids = [row["id"] for row in rows]
        (cosines,) = self._stores.vectors.compare(name, "relations", query[None], ids)
        if missing := np.flatnonzero(np.isnan(cosines)).tolist():
            raise without_vector(self._stores, ids[missing[0]])
        for place in np.argsort(-cosines, kind="stable").tolist():
            row = rows[place]
            parts = tuple(FactParticipant(*part) for part in row["participants"])
            yield StatedFact(row["type"], row["title"], parts)

    def types_of(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Types of the entities with these normalised names, by name; names of unknown type are left out."""
        new = sorted(set(keys) - self._types.keys())
        if new:
            found = self._find_types(new)
            self._types |= {key: found.get(content_id(key), found.get(alias_id(key), "")) for key in new}
        return {key: self._types[key] for key in keys if self._types[key]}

    def _find_types(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Types by the id of an entity, or of a name that is merged into one in all documents."""
        rows = self._stores.graph.read(
            "bipartite_graph/find_types",
            corpus=self._stores.name,
            ids=[content_id(key) for key in keys],
            aliases=[alias_id(key) for key in keys],
            without=sorted(NO_NAME),
        )
        return {row["id"]: row["type"] for row in rows}


def read_facts(stores: CorpusStores) -> StoredFactIndex:
    """The facts of a corpus, which read from the stores what one search asks for."""
    return StoredFactIndex(stores)
