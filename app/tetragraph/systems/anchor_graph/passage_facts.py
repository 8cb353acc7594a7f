"""The relations that passages state: n-ary facts where the corpus has them, else what each names beside its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import items
from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import bipartite_graph
from tetragraph.systems.anchor_graph.reasoner import Triple
from tetragraph.systems.bipartite_graph.index import BipartiteIndex
from tetragraph.systems.evidence_walk.index import EvidenceIndex

MENTIONS: Final = "mentions"
"""What joins two names where only that is known."""
_HEADS: Final = ("subject", "topic")
_ATTRIBUTE: Final = "attribute"
_PREPOSITIONS: Final = {"object": "", "place": "in", "time": "at", "agent": "by", "modifier": "of"}
"""What stands behind the verb that joins a participant with the head, by its role; other roles do so themselves."""
_NO_ANCHOR: Final = frozenset(["CONCEPT"])
"""Types of participants that are too common to anchor anything."""


@dataclass(frozen=True, slots=True)
class ChunkTriples:
    """What a passage states, in triples around one head.

    Attributes:
        head: Name of what it is said of.
        attributes: What the head is, in words.
        triples: The head with each further participant.
    """

    head: str
    attributes: tuple[str, ...]
    triples: tuple[Triple, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that would be anchors, the head first."""
        return (self.head, *(triple.tail for triple in self.triples))


class StatedFacts(Protocol):
    """Gives what passages state."""

    def of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """What some passages state, the closest to a query first; ties by id.

        Args:
            chunks: Ids; those that the corpus lacks are passed over.
            query: Its vector.
        """

    def type_of(self, key: str, /) -> str:
        """What kind of thing the entity of a key is, as questions ask for it; empty where nobody can tell."""


def find_stated(stores: CorpusStores, index: EvidenceIndex) -> StatedFacts:
    """Facts where the corpus has a bipartite graph, else mentions; a note says so."""
    if "bipartite" in stores.record.graphs:
        return Facts(bipartite_graph.load(stores))
    stores.note(
        f"corpus {stores.name!r} has no bipartite graph: anchors are joined by which passage mentions them, not by "
        f"facts; `tetragraph build bipartite -c {stores.name}` finds these"
    )
    return Mentions(index)


class Facts:
    """The n-ary facts of the bipartite graph."""

    def __init__(self, index: BipartiteIndex) -> None:
        self._index = index

    def of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """See :class:`StatedFacts`."""
        index, table = self._index, self._index.table
        rows = [table.rows[chunk] for chunk in chunks if chunk in table.rows]
        facts = sorted({int(fact) for row in rows for fact in index.states.of(row)})
        near = index.scale * dot_products(index.vectors[facts], query) if facts else np.zeros(0)
        for place in np.lexsort((np.array(facts), -near)).tolist():
            stated = self._stated(facts[place])
            if stated.attributes or stated.triples:
                yield stated

    def type_of(self, key: str, /) -> str:
        """See :class:`StatedFacts`."""
        row = self._index.named.get(content_id(key))
        return "" if row is None else self._index.entity_types[row]

    def _stated(self, fact: int) -> ChunkTriples:
        """A fact in triples; its head is its subject, or what the passage is about."""
        known = self._index.participants(fact)
        title = normalise_name(self._index.table.chunk(int(self._index.home[fact])).title)
        head = min(known, key=lambda one: (one.role not in _HEADS, normalise_name(one.name) != title, one.entity))
        others = [one for one in known if one.name != head.name and one.type not in _NO_ANCHOR]
        verb = self._index.type(fact)
        triples = tuple(
            Triple(head.name, f"{verb} {_PREPOSITIONS.get(one.role, one.role)}".strip(), one.name)
            for one in others
            if one.role != _ATTRIBUTE
        )
        attributes = tuple(one.name for one in known if one.role == _ATTRIBUTE)
        return ChunkTriples(head.name, attributes, triples)


class Mentions:
    """What the passages' titles and texts name: a title is joined with each name in the text."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index

    def of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """See :class:`StatedFacts`."""
        table, passages = self._index.table, self._index.passages
        rows = np.array(sorted({table.rows[chunk] for chunk in chunks if chunk in table.rows}), dtype=np.int64)
        near = dot_products(passages.vectors[rows], query)
        for row in rows[np.lexsort((rows, -near))].tolist():
            yield from self._of(row)

    def type_of(self, _: str, /) -> str:
        """See :class:`StatedFacts`: nobody can tell."""
        return ""

    def _of(self, row: int) -> Iterator[ChunkTriples]:
        index = self._index
        mentioned = items(index.graph.mentions, row).tolist()
        for title in items(index.graph.titles, row).tolist():
            for mention in mentioned:
                head, tail = str(index.labels[title]), str(index.labels[mention])
                yield ChunkTriples(head, (), (Triple(head, MENTIONS, tail),))
