"""The triples that chunks state: from n-ary facts if the corpus has them, otherwise from titles and mentions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.indexes import FactIndex, FactSource, NameIndex, StatedFact
from tetragraph.systems.anchor_graph.reasoner import Triple

MENTIONS: Final = "mentions"
"""Phrase of a triple that joins a title with a mention."""
_HEADS: Final = ("subject", "topic")
_ATTRIBUTE: Final = "attribute"
_PREPOSITIONS: Final = {"object": "", "place": "in", "time": "at", "agent": "by", "modifier": "of"}
"""Role of a participant to the word behind the verb that joins it with the head; other roles are that word."""
_NO_ANCHOR: Final = frozenset(["CONCEPT"])
"""Types of participants that are too common to be anchors."""


@dataclass(frozen=True, slots=True)
class ChunkTriples:
    """A statement of a chunk, in triples around one head.

    Attributes:
        head: Name of the entity that the statement is about.
        attributes: Descriptions of the head.
        triples: The head with each further participant.
    """

    head: str
    attributes: tuple[str, ...]
    triples: tuple[Triple, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all possible anchors, the head first."""
        return (self.head, *(triple.tail for triple in self.triples))


class TripleSource(Protocol):
    """Source of the triples that chunks state."""

    def triples_of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """Statements of these chunks, the most similar to a query first; ties by id.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query.
        """

    def types_of(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Types of the entities with these normalised names, in the terms of questions; unknown ones are left out."""


def find_triple_source(
    stores: CorpusStores, names: NameIndex, target: FactSource, open_facts: Callable[[], FactIndex]
) -> TripleSource:
    """Facts if the corpus has them, otherwise mentions, with a note.

    Args:
        stores: The stores of the corpus.
        names: Names of the corpus.
        target: The build target that finds the facts.
        open_facts: Returns the facts; called only if the corpus has them.
    """
    if target.is_built(stores.record.graphs):
        return FactTriples(open_facts())
    stores.note(
        f"corpus {stores.name!r} has no {target.title}: anchors are joined by which passage mentions them, not by "
        f"facts; `tetragraph build {target.name} -c {stores.name}` finds these"
    )
    return MentionTriples(names)


class FactTriples:
    """Triples from n-ary facts."""

    def __init__(self, index: FactIndex) -> None:
        self._index = index

    def triples_of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """See :class:`TripleSource`."""
        for fact in self._index.facts_of(chunks, query):
            triples = _to_triples(fact)
            if triples.attributes or triples.triples:
                yield triples

    def types_of(self, keys: Collection[str], /) -> Mapping[str, str]:
        """See :class:`TripleSource`."""
        return self._index.types_of(keys)


class MentionTriples:
    """Triples from titles and mentions: a title is joined with each name in its text."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index

    def triples_of(self, chunks: Sequence[str], query: Vectors) -> Iterator[ChunkTriples]:
        """See :class:`TripleSource`."""
        for title, mention in self._index.mentions_of(chunks, query):
            yield ChunkTriples(title, (), (Triple(title, MENTIONS, mention),))

    def types_of(self, _: Collection[str], /) -> Mapping[str, str]:
        """See :class:`TripleSource`: mentions have no type."""
        return {}


def _to_triples(fact: StatedFact) -> ChunkTriples:
    """A fact in triples; its head is its subject, or the entity in the title of its chunk."""
    parts = fact.participants
    title = normalise_name(fact.title)
    head = min(parts, key=lambda one: (one.role not in _HEADS, normalise_name(one.name) != title, one.entity))
    others = [one for one in parts if one.name != head.name and one.type not in _NO_ANCHOR]
    triples = tuple(
        Triple(head.name, f"{fact.verb} {_PREPOSITIONS.get(one.role, one.role)}".strip(), one.name)
        for one in others
        if one.role != _ATTRIBUTE
    )
    attributes = tuple(one.name for one in parts if one.role == _ATTRIBUTE)
    return ChunkTriples(head.name, attributes, triples)
