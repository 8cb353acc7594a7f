"""Construction of the bipartite graph: facts become relation nodes, names become entity nodes; and the inverse."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tetragraph.language.entity_resolution.model import Resolution, Stated
from tetragraph.language.facts.model import Fact
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id

Hyperedge: TypeAlias = tuple[str, frozenset[tuple[str, str]]]
"""A fact as a set: its type, and (role, entity id) of each participant."""


class Participation(NamedTuple):
    """An edge of the graph, seen from its relation: entity id, role, and confidence, 0 to 1."""

    entity: str
    role: str
    confidence: float


class Statement(NamedTuple):
    """Occurrence of a fact: chunk id, and offsets in its text, in characters."""

    chunk: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Relation:
    """An n-ary fact as a node.

    Attributes:
        description: Text of the statement with the highest confidence; ties go to the first by chunk id and offset.
        type: Type of the fact: the word that joins the participants.
        confidence: Confidence of that statement, 0 to 1.
        weight: Number of chunks that state the fact.
        participants: Two or more participations in order of entity id, one for each entity.
        statements: One statement for each chunk that states the fact, in order of chunk id.
    """

    description: str
    type: str
    confidence: float
    weight: int
    participants: tuple[Participation, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """A participant of facts.

    Attributes:
        name: Most frequent form of the name in the corpus.
        type: Most frequently assigned type; empty if it is unknown.
        confidence: Highest confidence of its participations, 0 to 1.
    """

    name: str
    type: str
    confidence: float


class AliasOf(NamedTuple):
    """A merge: ids of the alias and of its entity, and of the document to which the merge is limited, if any.

    The id of an alias is ``content_id("alias", its normalised name)``.
    """

    alias: str
    entity: str
    document: str


@dataclass(frozen=True, slots=True)
class Audit:
    """Reason of a merge.

    Attributes:
        name: Most frequent form of the alias.
        type: Most frequently assigned type.
        reason: Reason, one of ``language.resolution.model.Reason``.
        score: Confidence of the merge, 0 to 1.
    """

    name: str
    type: str
    reason: str
    score: float


@dataclass(frozen=True, slots=True)
class BipartiteGraph:
    """Entities and relations with the edges between them; no edge joins two entities, or two relations.

    Attributes:
        entities: Entities by id, which is that of the entity dictionary: ``content_id`` of the normalised name.
        relations: Relations by id, a hash of type, roles and entities.
        merges: Names that are merged into entities.

    Source:
        Definitions 1 and 2 of BiG-RAG.
    """

    entities: Mapping[str, Entity] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    merges: Mapping[AliasOf, Audit] = field(default_factory=dict)


def construct(
    passages: Mapping[str, Stated], resolution: Resolution, gazetteer: Gazetteer = NO_GAZETTEER
) -> BipartiteGraph:
    """Build the graph of the facts that chunks state; it does not depend on the order of chunks or facts.

    Repeated statements of a fact form one relation. If several participants of a fact are the same entity, it takes
    part once, in the first role; a fact with fewer than two entities is left out.

    Args:
        passages: Facts by chunk id.
        resolution: Entity of each name.
        gazetteer: Known entities, which have the names and types that it gives them.

    Source:
        Algorithm 2 of BiG-RAG. Ids are content hashes, not random: equal facts are merged and updates are small.
    """
    names = _Names(resolution, gazetteer)
    drafts: dict[str, _Draft] = {}
    for chunk, stated in passages.items():
        for fact in stated.facts:
            part = names.participations(fact, stated.document)
            if len(part) >= 2:
                drafts.setdefault(_relation_id(fact.type, part), _Draft(fact.type)).add(chunk, fact, part)
    relations = {relation: drafts[relation].to_relation() for relation in sorted(drafts)}
    sure: dict[str, float] = {}
    for relation in relations.values():
        for entity, _, confidence in relation.participants:
            sure[entity] = max(sure.get(entity, 0.0), confidence)
    return BipartiteGraph(
        entities={entity: names.entity(entity, sure[entity]) for entity in sorted(sure)},
        relations=relations,
        merges=dict(sorted(names.merges(sure))),
    )


def hyperedges(graph: BipartiteGraph) -> Iterator[Hyperedge]:
    """Yield the facts of a graph: each relation node with its neighbours is a hyperedge.

    Source:
        Proposition 1 and appendix A of BiG-RAG: the inverse of :func:`construct`.
    """
    for relation in graph.relations.values():
        yield relation.type, frozenset((part.role, part.entity) for part in relation.participants)


def alias_id(alias: str) -> str:
    """Return the id of an alias, given its normalised name."""
    return content_id("alias", alias)


def _relation_id(kind: str, participations: Iterable[Participation]) -> str:
    return content_id("relation", kind, *sorted(f"{part.role} {part.entity}" for part in participations))


class _Draft:
    """A relation whose statements are being collected."""

    def __init__(self, kind: str) -> None:
        self._type = kind
        self._participations: dict[str, Participation] = {}
        self._statements: dict[str, Statement] = {}
        self._found: list[tuple[float, Statement, str]] = []

    def add(self, chunk: str, fact: Fact, participations: Iterable[Participation]) -> None:
        statement = Statement(chunk, fact.start, fact.end)
        self._found.append((-fact.confidence, statement, fact.description))
        self._statements[chunk] = min(self._statements.get(chunk, statement), statement)
        for part in participations:
            self._participations[part.entity] = max(self._participations.get(part.entity, part), part)

    def to_relation(self) -> Relation:
        unsure, _, description = min(self._found)
        return Relation(
            description=description,
            type=self._type,
            confidence=-unsure,
            weight=len(self._statements),
            participants=tuple(self._participations[entity] for entity in sorted(self._participations)),
            statements=tuple(self._statements[chunk] for chunk in sorted(self._statements)),
        )


class _Names:
    """Entity of each name, with the frequencies of its written forms and types."""

    def __init__(self, resolution: Resolution, gazetteer: Gazetteer) -> None:
        self._resolution = resolution
        self._known = gazetteer.by_id
        self._meant: dict[tuple[str, str], tuple[str, str]] = {}
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._aliases: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._types: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def participations(self, fact: Fact, document: str) -> list[Participation]:
        """Participations of a fact, each entity once, in order."""
        found: dict[str, Participation] = {}
        for participant in fact.participants:
            entity, alias = self._mean(participant.name, document)
            found.setdefault(entity, Participation(entity, participant.role, participant.confidence))
            self._types[entity][participant.type] += 1
            if alias:
                self._types[alias][participant.type] += 1
            (self._aliases if alias else self._forms)[entity][participant.name] += 1
        return list(found.values())

    def entity(self, entity: str, confidence: float) -> Entity:
        """An entity with its own name, or the name of an alias if no text contains its own."""
        forms = self._forms[entity] or self._aliases[entity]
        known = self._known.get(entity)
        name, kind = (known.name, known.type) if known else (_most(forms), "")
        return Entity(name, kind or self._type(entity), confidence)

    def merges(self, entities: Container[str]) -> Iterator[tuple[AliasOf, Audit]]:
        """The merges into these entities; the entities of other merges take part in no fact."""
        for merge in self._resolution.merges:
            entity = content_id(self._resolution.entity(merge.entity, merge.document))
            if entity in entities:
                alias = alias_id(merge.alias)
                yield (
                    AliasOf(alias, entity, merge.document),
                    Audit(merge.name, self._type(alias), merge.reason, merge.score),
                )

    def _mean(self, name: str, document: str) -> tuple[str, str]:
        """Ids of the entity and of the alias of a name; the latter is empty if the name is not an alias."""
        if (name, document) not in self._meant:
            key, meant = normalise_name(name), self._resolution.entity(name, document)
            self._meant[name, document] = (content_id(meant), "" if key == meant else alias_id(key))
        return self._meant[name, document]

    def _type(self, node: str) -> str:
        return _most({kind: times for kind, times in self._types[node].items() if kind})


def _most(counted: Mapping[str, int]) -> str:
    """The most frequent key, ties go to the first key; empty if there is none."""
    return min(counted, key=lambda one: (-counted[one], one), default="")
