"""Queries for analysts: facts about an entity, paths between two, merged names, entities by role.

Answered by Neo4j as it is now; the same statements can be run in Neo4j Browser.
"""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.errors import InvalidInput
from tetragraph.model import FactParticipant, FactStatement
from tetragraph.stores.corpus import CorpusStores

MOST_HOPS = 3
HUB = 200
"""Entities in more facts than this are on no way from one to another: they join nearly everything."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact of the graph, in the terms of :class:`tetragraph.model.FoundFact`, and without a question."""

    relation: str
    description: str
    type: str
    confidence: float
    weight: int
    participants: tuple[FactParticipant, ...]
    statements: tuple[FactStatement, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """Facts that join two entities.

    Attributes:
        hops: Number of facts.
        relations: Their ids, from the first entity on.
        descriptions: What they say.
        entities: Ids of the entities between them, one fewer.
        names: What these are called.
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
        entity: Id of the entity that it means.
        name: What that is called.
        type: What kind of thing that is; empty where nobody can tell.
        reason: Why: ``qualifier``, ``acronym``, ``fuller name``, ``short form``, ``spelling`` or ``similar``.
        score: How sure that is, 0 to 1.
        document: Id of the document inside which it holds; empty where it holds everywhere.
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
    """An entity, and in how many facts it has the role that was asked for."""

    entity: str
    name: str
    type: str
    facts: int


def read_facts(stores: CorpusStores, entity: str, limit: int) -> tuple[KnownFact, ...]:
    """The facts in which an entity takes part, those first that most chunks state, then the surest.

    Args:
        stores: The corpus.
        entity: Its id.
        limit: How many at the most.
    """
    rows = stores.graph.read("facts/find_facts_about_entity", corpus=stores.name, entity=entity, limit=_checked(limit))
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
    """Ways of facts from one entity to another, shortest first, then those over entities with few facts.

    They are of the two smallest numbers of facts that there are. A way that goes round a shorter one is left out, and
    so is one over an entity with more than ``HUB`` facts.

    Args:
        stores: The corpus.
        first: Id of the entity that a way begins with.
        second: Id of the one that it ends with.
        hops: Facts of a way at the most, 1 to ``MOST_HOPS``.
        limit: How many ways at the most.

    Raises:
        InvalidInput: a number is out of range, or both entities are one.
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
        limit=_checked(limit),
    )
    lists = ("relations", "descriptions", "entities", "names")
    return tuple(Way(row["hops"], *(tuple(row[name]) for name in lists)) for row in rows)


def read_merged(stores: CorpusStores, limit: int) -> tuple[MergedName, ...]:
    """Names that were merged and why, the least sure first."""
    rows = stores.graph.read("facts/find_merged_names", corpus=stores.name, limit=_checked(limit))
    return tuple(MergedName(**{**row, "type": row["type"] or ""}) for row in rows)


def read_role(stores: CorpusStores, role: str, limit: int) -> tuple[RolePlayer, ...]:
    """The entities that have a role in most facts.

    Raises:
        InvalidInput: nothing has that role; the message lists those that there are.
    """
    rows = stores.graph.read("facts/find_entities_by_role", corpus=stores.name, role=role, limit=_checked(limit))
    if not rows:
        roles = [row["role"] for row in stores.graph.read("facts/find_roles", corpus=stores.name)]
        raise InvalidInput(f"a role must be one of {', '.join(roles) or 'none: there are no facts'}, got {role!r}")
    return tuple(RolePlayer(**{**row, "type": row["type"] or ""}) for row in rows)


def _checked(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"limit must be an integer of at least 1, got {limit!r}")
    return limit
