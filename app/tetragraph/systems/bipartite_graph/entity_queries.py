"""Queries for analysts: facts about an entity, paths between two entities, merged names, entities by role.

They read the current state of Neo4j; the same statements can be run in Neo4j Browser.
"""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.errors import InvalidInput
from tetragraph.model import FactParticipant, FactStatement
from tetragraph.stores.corpus import CorpusStores

MOST_HOPS = 3
HUB = 200
"""Entities in more facts than this are excluded from paths: they join nearly everything."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact of the graph, with the fields of :class:`tetragraph.model.FoundFact` that do not depend on a question."""

    relation: str
    description: str
    type: str
    confidence: float
    weight: int
    participants: tuple[FactParticipant, ...]
    statements: tuple[FactStatement, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A path of facts between two entities.

    Attributes:
        hops: Number of facts.
        relations: Ids of the facts, from the first entity on.
        descriptions: Texts of the facts.
        entities: Ids of the entities between the facts, one fewer.
        names: Names of these entities.
    """

    hops: int
    relations: tuple[str, ...]
    descriptions: tuple[str, ...]
    entities: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MergedName:
    """A name that was merged into an entity.

    Attributes:
        alias: The name.
        entity: Id of the entity.
        name: Name of the entity.
        type: Type of the entity; empty if it is unknown.
        reason: Reason of the merge: ``gazetteer``, ``qualifier``, ``acronym``, ``fuller name``, ``short form``,
            ``spelling`` or ``similar``.
        score: Confidence of the merge, 0 to 1.
        document: Id of the document to which the merge is limited; empty if it holds everywhere.
    """

    alias: str
    entity: str
    name: str
    type: str
    reason: str
    score: float
    document: str


@dataclass(frozen=True, slots=True)
class RolePlayer:
    """An entity, and the number of facts in which it has the requested role."""

    entity: str
    name: str
    type: str
    facts: int


def read_facts(stores: CorpusStores, entity: str, limit: int) -> tuple[KnownFact, ...]:
    """Return the facts in which an entity takes part, those stated by most chunks first, then by confidence.

    Args:
        stores: Stores of the corpus.
        entity: Id of the entity.
        limit: Largest number of facts.
    """
    rows = stores.graph.read(
        "facts/find_facts_about_entity", corpus=stores.name, entity=entity, limit=_check_limit(limit)
    )
    return tuple(
        KnownFact(
            **{
                **row,
                "participants": tuple(
                    FactParticipant(other, name, kind or "", role) for other, name, kind, role in row["participants"]
                ),
                "statements": tuple(FactStatement(*statement) for statement in row["statements"]),
            }
        )
        for row in rows
    )


def read_ways(stores: CorpusStores, first: str, second: str, hops: int, limit: int) -> tuple[Way, ...]:
    """Return paths of facts between two entities, shortest first, then those over entities with few facts.

    They have the smallest or the second smallest number of facts that occurs. A path that contains a shorter one is
    left out, and so is one over an entity with more than ``HUB`` facts.

    Args:
        stores: Stores of the corpus.
        first: Id of the first entity.
        second: Id of the last entity.
        hops: Largest number of facts of a path, 1 to ``MOST_HOPS``.
        limit: Largest number of paths.

    Raises:
        InvalidInput: a number is out of range, or both entities are the same.
    """
    if isinstance(hops, bool) or not isinstance(hops, int) or not 1 <= hops <= MOST_HOPS:
        raise InvalidInput(f"hops must be an integer from 1 to {MOST_HOPS}, got {hops!r}")
    if first == second:
        raise InvalidInput(f"what facts join must be two entities, got {first!r} twice: other names mean the same")
    rows = stores.graph.read(
        "facts/find_ways_between_entities",
        corpus=stores.name,
        first=first,
        second=second,
        hops=hops,
        hub=HUB,
        limit=_check_limit(limit),
    )
    lists = ("relations", "descriptions", "entities", "names")
    return tuple(Way(row["hops"], *(tuple(row[name]) for name in lists)) for row in rows)


def read_merged(stores: CorpusStores, limit: int) -> tuple[MergedName, ...]:
    """Return the merged names with the reasons, the least certain first."""
    rows = stores.graph.read("facts/find_merged_names", corpus=stores.name, limit=_check_limit(limit))
    return tuple(MergedName(**{**row, "type": row["type"] or ""}) for row in rows)


def read_role(stores: CorpusStores, role: str, limit: int) -> tuple[RolePlayer, ...]:
    """Return the entities that have a role in most facts.

    Raises:
        InvalidInput: no entity has that role; the message lists the existing roles.
    """
    rows = stores.graph.read("facts/find_entities_by_role", corpus=stores.name, role=role, limit=_check_limit(limit))
    if not rows:
        roles = [row["role"] for row in stores.graph.read("facts/find_roles", corpus=stores.name)]
        raise InvalidInput(f"a role must be one of {', '.join(roles) or 'none: there are no facts'}, got {role!r}")
    return tuple(RolePlayer(**{**row, "type": row["type"] or ""}) for row in rows)


def _check_limit(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"limit must be an integer of at least 1, got {limit!r}")
    return limit
