"""Entities and facts as one search reads them from the graph."""

from __future__ import annotations

from typing import NamedTuple

from tetragraph.model import FactParticipant, FactStatement


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
