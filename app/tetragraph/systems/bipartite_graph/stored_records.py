"""Entities and facts as one search reads them from the graph."""

from __future__ import annotations

from typing import NamedTuple

from tetragraph.errors import StoreError
from tetragraph.model import FactParticipant, FactStatement
from tetragraph.stores.corpus import CorpusStores


def without_vector(stores: CorpusStores, fact: str) -> StoreError:
    """The error of a fact that the graph has, and Qdrant has no vector of."""
    return StoreError(
        f"each fact must have its vector in Qdrant, fact {fact} of corpus {stores.name!r} lacks its own: "
        f"`tetragraph build bipartite -c {stores.name}` mends it"
    )


class StoredEntity(NamedTuple):
    """An entity as the graph has it: its name, its type, its confidence and the number of its facts."""

    name: str
    type: str
    confidence: float
    facts: int


class StoredFact(NamedTuple):
    """A fact as the graph has it: confidence, weight, number of participants, and the first chunks that state it."""

    confidence: float
    weight: int
    size: int
    chunks: tuple[str, ...]


class FactDetails(NamedTuple):
    """The texts of a fact, its participants, and the first places that state it."""

    description: str
    type: str
    participants: tuple[FactParticipant, ...]
    statements: tuple[FactStatement, ...]
