"""A part of a bipartite graph as a search sees it, which notes what the search needs beyond it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.model import FactParticipant, FactStatement
from tetragraph.stores.stored_chunks import StoredTable
from tetragraph.systems.bipartite_graph.links import Links
from tetragraph.systems.bipartite_graph.stored_part import StoredPart
from tetragraph.systems.bipartite_graph.view import FactView


class IncompleteView(Exception):
    """A text was compared that the part of the graph was not read for; the view notes it among its needs."""


@dataclass(slots=True)
class Needs:
    """Texts, facts and entities that a search lacks in the part that it sees.

    Attributes:
        texts: Texts whose names must be looked up.
        compared: Vectors of texts to compare facts and chunks with.
        named: Vectors of texts to compare names of entities with.
        members: Ids of facts whose participants are needed.
        facts: Ids of entities whose facts are needed.
        vectors: Ids of facts whose vectors are needed.
    """

    texts: set[str] = field(default_factory=set)
    compared: list[Vectors] = field(default_factory=list)
    named: list[Vectors] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    facts: set[str] = field(default_factory=set)
    vectors: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return any((self.texts, self.compared, self.named, self.members, self.facts, self.vectors))


class NotingLinks(Links):
    """Links of which only some rows are known; those of the others are noted, and are empty.

    Args:
        groups: Linked rows of each row, ascending.
        ids: Id of each row.
        is_known: Whether the links of a row are known.
        needed: Receives the ids of the other rows that are asked for.
    """

    def __init__(
        self, groups: Sequence[Sequence[int]], ids: Sequence[str], is_known: Sequence[bool], needed: set[str]
    ) -> None:
        links = Links.of_groups(groups)
        super().__init__(links.bounds, links.items)
        self._ids = ids
        self._is_known = is_known
        self._needed = needed

    def of(self, row: int) -> Rows:
        self._note(row)
        return super().of(row)

    def range(self, row: int) -> Rows:
        self._note(row)
        return super().range(row)

    def places(self, rows: Rows) -> tuple[Rows, Rows]:
        for row in rows.tolist():
            self._note(row)
        return super().places(rows)

    def _note(self, row: int) -> None:
        if not self._is_known[row]:
            self._needed.add(self._ids[row])


class StoredView(FactView):
    """The facts, entities and chunks of a part, numbered when it is made.

    Args:
        part: The part; it is completed first.
        scale: See :class:`FactView`.

    Attributes:
        needs: Texts, facts and entities that a search on the view lacked.
    """

    table: StoredTable

    def __init__(self, part: StoredPart, scale: float) -> None:
        part.settle()
        self._part = part
        self.needs = Needs()
        self.scale = scale
        self.made = part.made
        self.count = part.made["relations"] or 0
        self.table = StoredTable(sorted(part.chunks), part.stores)
        self.relations = sorted(part.facts)
        self.entities = sorted(part.entities)
        facts = [part.facts[one] for one in self.relations]
        self.confidence = np.array([fact.confidence for fact in facts], dtype=np.float64)
        self.weight = np.array([fact.weight for fact in facts], dtype=np.int64)
        self.sizes = np.array([fact.size for fact in facts], dtype=np.int64)
        entities = [part.entities[one] for one in self.entities]
        self.entity_types = [entity.type for entity in entities]
        self.entity_confidence = np.array([entity.confidence for entity in entities], dtype=np.float64)
        self.degrees = np.array([entity.facts for entity in entities], dtype=np.int64)
        self._names = [entity.name for entity in entities]
        self._rows = {one: row for row, one in enumerate(self.entities)}
        chunks = {one: row for row, one in enumerate(self.table.ids)}
        relations = {one: row for row, one in enumerate(self.relations)}
        opened = [part.details.get(one) for one in self.relations]
        self.members = NotingLinks(
            [[self._rows[one.entity] for one in details.participants] if details else [] for details in opened],
            self.relations,
            [details is not None for details in opened],
            self.needs.members,
        )
        expanded = [part.facts_of.get(one) for one in self.entities]
        linked = [sorted(relations[one] for one in found or () if one in relations) for found in expanded]
        self.facts = NotingLinks(linked, self.entities, [found is not None for found in expanded], self.needs.facts)
        self.stated = Links.of_groups([[chunks[one] for one in fact.chunks] for fact in facts])
        self.states = self.stated.transpose(len(chunks))[0]
        nothing = frozenset[str]()
        about = [
            any(one in part.about.get(chunk, nothing) for chunk in facts[fact].chunks)
            for one, some in zip(self.entities, linked, strict=True)
            for fact in some
        ]
        self.is_about = np.array(about, dtype=bool)

    def named_in(self, text: str) -> Mapping[str, int]:
        if text not in self._part.texts:
            self.needs.texts.add(text)
        return {name: self._rows[one] for name, one in self._part.named().items()}

    def compare(self, vectors: Vectors) -> Floats:
        new = [vector for vector in vectors if vector.tobytes() not in self._part.compared]
        if new:
            self.needs.compared += new
            raise IncompleteView
        found = [self._part.cosines("relations", vector, self.relations) for vector in vectors]
        return self.scale * np.array(found, dtype=np.float64)

    def compare_passages(self, vector: Vectors) -> Floats:
        return self.scale * self._part.cosines("chunks", vector, self.table.ids)

    def compare_entities(self, vector: Vectors) -> Floats:
        near = self._part.near_entities.get(vector.tobytes())
        if near is None:
            self.needs.named.append(vector)
            raise IncompleteView
        return np.array([near.get(one, 0.0) for one in self.entities], dtype=np.float64)

    def vectors_of(self, relations: Rows) -> Vectors:
        ids = [self.relations[row] for row in relations.tolist()]
        known = self._part.vectors
        self.needs.vectors.update(one for one in ids if one not in known)
        nothing = np.zeros(self._part.stores.record.dimension, dtype=np.float32)
        return np.array([known.get(one, nothing) for one in ids], dtype=np.float32).reshape(len(ids), -1)

    def read_texts(self, relations: Collection[int]) -> None:
        self._part.open(self.relations[row] for row in relations)

    def name(self, entity: int) -> str:
        return self._names[entity]

    def description(self, relation: int) -> str:
        return self._part.details[self.relations[relation]].description

    def type(self, relation: int) -> str:
        return self._part.details[self.relations[relation]].type

    def participants(self, relation: int) -> tuple[FactParticipant, ...]:
        return self._part.details[self.relations[relation]].participants

    def statements(self, relation: int, allowed: Flags) -> tuple[FactStatement, ...]:
        may_be_found = {self.table.ids[row] for row in self.stated.of(relation).tolist() if allowed[row]}
        stated = self._part.details[self.relations[relation]].statements
        return tuple(statement for statement in stated if statement.chunk in may_be_found)
