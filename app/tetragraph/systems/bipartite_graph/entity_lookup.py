"""Finds the entity of an id, name or alias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tetragraph.arrays import Vectors
from tetragraph.errors import InvalidInput, UnknownEntity
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.construction import alias_id

NEAR = 5
"""Number of similar names suggested for an unknown one."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that was merged into an entity.

    Attributes:
        alias: The name.
        reason: Reason of the merge.
        score: Confidence of the merge, 0 to 1.
        document: Id of the document to which the merge is limited; empty if it holds everywhere.
    """

    alias: str
    reason: str
    score: float
    document: str


@dataclass(frozen=True, slots=True)
class EntityReport:
    """An entity with its aliases.

    Attributes:
        id: Id of the ``Entity`` node.
        name: Most frequent form of its name in the corpus.
        type: Its type; empty if it is unknown.
        facts: Number of facts in which it takes part.
        aliases: Names that were merged into it, in order.
        kept_apart: Names that were split from it.
    """

    id: str
    name: str
    type: str
    facts: int
    aliases: tuple[Alias, ...]
    kept_apart: tuple[str, ...]


def find_entity(stores: CorpusStores, entity: str, embed: Callable[[str], Vectors]) -> EntityReport:
    """Return the entity with an id, a name or an alias.

    A name takes precedence over an alias, unless the entity has no facts under it; an alias that holds everywhere over
    one that is limited to a document.

    Args:
        stores: Stores of the corpus.
        entity: An id, or a name in any spelling of its words.
        embed: Returns the vector of a name, to suggest similar names for an unknown one.

    Raises:
        InvalidInput: the name has no words.
        UnknownEntity: there is none, or the alias is ambiguous; the message lists similar names, or the entities.
    """
    if not isinstance(entity, str) or not (key := normalise_name(entity)):
        raise InvalidInput(f"an entity must be named by its id or by words, got {entity!r}")
    if (found := _get(stores, entity)) is not None:
        return found
    own = _get(stores, content_id(key))
    if own is not None and own.facts:
        return own
    meant = _find_by_alias(stores, entity, key)
    found = own if meant is None else _get(stores, meant)
    if found is None:
        alike = ", ".join(map(repr, _find_similar(stores, embed(entity)))) or "none"
        raise UnknownEntity(
            f"corpus {stores.name!r} has no entity of the id or the name {entity!r}; names that are alike: {alike}"
        )
    return found


def _find_by_alias(stores: CorpusStores, entity: str, key: str) -> str | None:
    """Id of the entity of an alias; None if the name is not an alias."""
    rows = stores.graph.read("facts/find_entities_of_alias", corpus=stores.name, alias=alias_id(key))
    names = {row["id"]: row["name"] for row in [row for row in rows if not row["document"]] or rows}
    if len(names) > 1:
        listed = ", ".join(f"{name} ({node})" for node, name in sorted(names.items()))
        raise UnknownEntity(f"{entity!r} means several entities, each inside documents: {listed}; give the id of one")
    return next(iter(names), None)


def _get(stores: CorpusStores, entity: str) -> EntityReport | None:
    row = stores.graph.get("facts/get_entity", corpus=stores.name, entity=entity)
    if row is None:
        return None
    aliases = tuple(Alias(*alias) for alias in row["aliases"])
    return EntityReport(**{**row, "aliases": aliases, "kept_apart": tuple(row["kept_apart"])})


def _find_similar(stores: CorpusStores, vector: Vectors) -> Sequence[str]:
    """Names of the entities whose vectors are nearest."""
    near = stores.nearest("entities", vector, NEAR)
    rows = stores.graph.read("entities/find_names", corpus=stores.name, ids=[one.id for one in near])
    names = {row["id"]: row["name"] for row in rows}
    return [names[one.id] for one in near if one.id in names]
