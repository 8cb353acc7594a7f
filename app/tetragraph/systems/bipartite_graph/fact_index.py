"""The facts of an index by the chunks that state them, for other systems."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Vectors
from tetragraph.model import FactParticipant, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.index import KIND, BipartiteIndex, load

KINDS: Final = (chunk_table.KIND, KIND)
"""Kinds of the sets of arrays that :func:`load_facts` reads."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that a chunk states.

    Attributes:
        verb: Type of the fact: the word that connects its participants.
        title: Title of the first chunk that states the fact.
        participants: Participants, in ascending order of entity id.
    """

    verb: str
    title: str
    participants: tuple[FactParticipant, ...]


class FactIndex:
    """The facts of a corpus by the chunks that state them."""

    def __init__(self, index: BipartiteIndex) -> None:
        self._index = index

    def facts_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[StatedFact]:
        """Facts that these chunks state, the most similar to the query first, ties by id.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query.
        """
        index, table = self._index, self._index.table
        rows = [table.rows[chunk] for chunk in chunks if chunk in table.rows]
        facts = sorted({int(fact) for row in rows for fact in index.states.of(row)})
        similarities = index.scale * dot_products(index.vectors[facts], query) if facts else np.zeros(0)
        for place in np.lexsort((np.array(facts), -similarities)).tolist():
            fact = facts[place]
            title = table.chunk(int(index.home[fact])).title
            yield StatedFact(index.type(fact), title, index.participants(fact))

    def types_of(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Types of the entities with these normalised names, by name; names of unknown type are left out."""
        named, types = self._index.named, self._index.entity_types
        rows = {key: named.get(content_id(key)) for key in keys}
        return {key: types[row] for key, row in rows.items() if row is not None and types[row]}


def load_facts(stores: CorpusStores) -> FactIndex:
    """Return the facts of the newest complete generation (see :meth:`CorpusStores.index`)."""
    return FactIndex(load(stores))
