"""The facts, entities and chunks that a search of the bipartite graph reads, of a whole corpus or of a part."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tetragraph.algorithms.information_gain import self_information
from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.model import FactParticipant, FactStatement
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.stored_chunks import StoredTable
from tetragraph.systems.bipartite_graph.links import Links

UNNAMED = frozenset(["CONCEPT", "GROUP", "DATE", "OTHER"])
"""Types of entities that many facts share by accident, and that so indicate less common meaning."""
NO_NAME = frozenset(["CONCEPT", "OTHER"])
"""Types of entities whose words in a question do not name them."""


class FactView(ABC):
    """Facts and entities by row, with the links between them; relations, entities and chunks are in order of id.

    Numbers of facts and of entities are those of the corpus, also where the rows are a part of it.

    Attributes:
        table: The ``n`` chunks.
        made: Properties of the root of the graph.
        count: Number of facts of the corpus.
        relations: Ids of the ``m`` facts.
        confidence: ``(m,)`` confidence of each, 0 to 1.
        weight: ``(m,)`` number of chunks that state each.
        sizes: ``(m,)`` number of participants of each.
        entities: Ids of the ``e`` entities.
        entity_types: Types of the entities; empty where one is unknown.
        entity_confidence: ``(e,)`` confidence of each, 0 to 1.
        degrees: ``(e,)`` number of facts of each.
        members: Links from relations to entities; see :class:`Links`.
        facts: Links from entities to relations.
        stated: Links from relations to chunks.
        states: Links from chunks to relations.
        is_about: ``(participations,)`` whether a chunk that states the fact is about the entity; in order of ``facts``.
        scale: Factor that brings the cosines of all embedders to one scale.
    """

    table: ChunkTable | StoredTable
    made: Mapping[str, Any]
    count: int
    relations: Sequence[str]
    confidence: Floats
    weight: Rows
    sizes: Rows
    entities: Sequence[str]
    entity_types: Sequence[str]
    entity_confidence: Floats
    degrees: Rows
    members: Links
    facts: Links
    stated: Links
    states: Links
    is_about: Flags
    scale: float

    @property
    def build_mode(self) -> str:
        """Mode that the graph was built in; ``tetragraph`` for one that was built before there were modes."""
        return str(json.loads(self.made.get("settings", "{}")).get("mode", "tetragraph"))

    @cached_property
    def home(self) -> Rows:
        """``(m,)`` first chunk that states each fact."""
        first: Rows = self.stated.items[self.stated.bounds[:-1]]
        return first

    @cached_property
    def is_unnamed(self) -> Flags:
        """``(e,)`` whether the type of an entity is in ``UNNAMED``."""
        return np.array([kind in UNNAMED for kind in self.entity_types], dtype=bool)

    @cached_property
    def information(self) -> Floats:
        """``(e,)`` information that the participation of an entity carries, above 0 to 1."""
        total = max(self.count, 1)
        information: Floats = self_information(self.degrees, total) / np.log1p(total)
        return information

    @abstractmethod
    def named_in(self, text: str) -> Mapping[str, int]:
        """Row of an entity by the hash of each of its names that a text could contain, and perhaps of further names.

        A name that is merged into an entity everywhere is one of its names. Concepts and numbers are left out: their
        words in a question do not name an entity.
        """

    @abstractmethod
    def compare(self, vectors: Vectors) -> Floats:
        """``(n, m)`` scaled cosines of ``n`` texts with every fact."""

    @abstractmethod
    def compare_passages(self, vector: Vectors) -> Floats:
        """``(n,)`` scaled cosines of the chunks with a text."""

    @abstractmethod
    def compare_entities(self, vector: Vectors) -> Floats:
        """``(e,)`` cosines of the names of the entities with a text; 0 for an entity without a vector."""

    @abstractmethod
    def vectors_of(self, relations: Rows) -> Vectors:
        """``(relations, dimension)`` vectors of the descriptions of some facts."""

    @abstractmethod
    def read_texts(self, relations: Collection[int]) -> None:
        """Prepare the texts, participants and statements of some facts, which are shown next."""

    @abstractmethod
    def name(self, entity: int) -> str:
        """Name of an entity."""

    @abstractmethod
    def description(self, relation: int) -> str:
        """Text of a fact."""

    @abstractmethod
    def type(self, relation: int) -> str:
        """Type of a fact: the phrase that joins its participants."""

    @abstractmethod
    def participants(self, relation: int) -> tuple[FactParticipant, ...]:
        """Participants of a fact."""

    @abstractmethod
    def statements(self, relation: int, allowed: Flags) -> tuple[FactStatement, ...]:
        """Statements of a fact in the chunks that may be found, ``allowed`` ``(n,)``."""
