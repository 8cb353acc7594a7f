"""In-process arrays of one generation of the bipartite graph, shared by threads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.information_gain import self_information
from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import Array, Flags, Floats, Rows, Vectors
from tetragraph.errors import StoreError
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import FactParticipant, FactStatement, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.bipartite_graph import stored
from tetragraph.systems.bipartite_graph.checks import check_graph
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph, Relation
from tetragraph.systems.bipartite_graph.links import Links

KIND = "bipartite_graph"
UNNAMED = frozenset(["CONCEPT", "GROUP", "DATE", "OTHER"])
"""Types of entities that many facts share by accident, and that so indicate less common meaning."""
_NO_NAME = frozenset(["CONCEPT", "OTHER"])
_BLOCK = 512
"""Number of facts compared at a time: few enough for the processor's cache."""


class BipartiteIndex:
    """Facts and entities by row, with the links between them; relations and entities are in order of id.

    Attributes:
        table: The chunks.
        made: Properties of the root of the graph.
        relations: Ids of the ``m`` facts.
        vectors: ``(m, dimension)`` vectors of their descriptions.
        confidence: ``(m,)`` confidence of each, 0 to 1.
        weight: ``(m,)`` number of chunks that state each.
        entities: Ids of the ``e`` entities.
        entity_confidence: ``(e,)`` confidence of each, 0 to 1.
        entity_vectors: ``(e, dimension)`` vectors of their names; zeros for dates and numbers.
        is_unnamed: ``(e,)`` whether the type of an entity is in ``UNNAMED``.
        members: Links from relations to entities; see :class:`Links`.
        facts: Links from entities to relations.
        stated: Links from relations to chunks.
        states: Links from chunks to relations.
        home: ``(m,)`` first chunk that states each fact.
        is_about: ``(participations,)`` whether a chunk that states the fact is about the entity; in order of ``facts``.
        information: ``(e,)`` information that the participation of an entity carries, above 0 to 1.
        scale: Factor that brings the cosines of all embedders to one scale.
    """

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.made: Mapping[str, Any] = json.loads(arrays.strings("made")[0])
        self.relations: Strings = arrays.strings("relations")
        self.vectors: Vectors = arrays["vectors"]
        self.confidence: Floats = arrays["confidence"]
        self.weight: Rows = arrays["weight"]
        self.entities = list(arrays.strings("entities"))
        self.entity_confidence: Floats = arrays["entity_confidence"]
        self.entity_vectors: Vectors = arrays["entity_vectors"]
        self.members = Links(arrays["members.bounds"], arrays["members.items"])
        self.facts = Links(arrays["facts.bounds"], arrays["facts.items"])
        self.stated = Links(arrays["stated.bounds"], arrays["stated.items"])
        self.states = Links(arrays["states.bounds"], arrays["states.items"])
        self.home: Rows = self.stated.items[self.stated.bounds[:-1]]
        self.is_about: Flags = arrays["is_about"]
        self.scale = float(arrays["scale"][0])
        self._descriptions: Strings = arrays.strings("descriptions")
        self._types: Strings = arrays.strings("types")
        self._names: Strings = arrays.strings("names")
        self.entity_types = list(arrays.strings("entity_types"))
        self._roles: Strings = arrays.strings("roles")
        self._places: Array = arrays["places"]
        self._aliases = dict(zip(arrays.strings("aliases"), arrays["alias_entities"].tolist(), strict=True))
        self.is_unnamed = np.array([kind in UNNAMED for kind in self.entity_types], dtype=bool)
        total = max(len(self.relations), 1)
        self.information: Floats = self_information(np.diff(self.facts.bounds), total) / np.log1p(total)

    @property
    def build_mode(self) -> str:
        """Mode that the graph was built in; ``tetragraph`` for one that was built before there were modes."""
        return str(json.loads(self.made.get("settings", "{}")).get("mode", "tetragraph"))

    @cached_property
    def named(self) -> Mapping[str, int]:
        """Row of an entity by its id, or by the id of a name that is merged into it everywhere.

        Concepts and numbers are left out: their words in a question do not name an entity.
        """
        own = zip(self.entities, range(len(self.entities)), strict=True)
        return {node: row for node, row in chain(self._aliases.items(), own) if self.entity_types[row] not in _NO_NAME}

    def compare(self, vectors: Vectors) -> Floats:
        """Compute ``(n, m)`` scaled cosines of ``n`` texts with every fact, reading the facts once."""
        cosines = np.empty((len(vectors), len(self.vectors)))
        for start in range(0, len(self.vectors), _BLOCK):
            block = slice(start, start + _BLOCK)
            cosines[:, block] = dot_products(self.vectors[block], vectors[:, None])
        return self.scale * cosines

    def compare_passages(self, vector: Vectors) -> Floats:
        """Compute ``(n,)`` scaled cosines of the chunks with a text."""
        cosines: Floats = dot_products(self.table.vectors, vector).astype(np.float64)
        return self.scale * cosines

    def name(self, entity: int) -> str:
        """Name of an entity."""
        return str(self._names[entity])

    def description(self, relation: int) -> str:
        """Text of a fact."""
        return str(self._descriptions[relation])

    def type(self, relation: int) -> str:
        """Type of a fact: the phrase that joins its participants."""
        return str(self._types[relation])

    def participants(self, relation: int) -> tuple[FactParticipant, ...]:
        """Participants of a fact."""
        places = range(*self.members.bounds[relation : relation + 2].tolist())
        return tuple(
            FactParticipant(self.entities[row], self.name(row), self.entity_types[row], self._roles[place])
            for place, row in zip(places, self.members.of(relation).tolist(), strict=True)
        )

    def statements(self, relation: int, allowed: Flags) -> tuple[FactStatement, ...]:
        """Statements of a fact in the chunks that may be found, ``allowed`` ``(n,)``."""
        places = self._places[slice(*self.stated.bounds[relation : relation + 2].tolist())].tolist()
        stated = zip(self.stated.of(relation).tolist(), places, strict=True)
        return tuple(FactStatement(self.table.ids[row], *place) for row, place in stated if allowed[row])


def load(stores: CorpusStores, graph: BipartiteGraph | None = None) -> BipartiteIndex:
    """Return the index of the newest complete generation (see :meth:`CorpusStores.index`).

    Args:
        stores: Stores of the corpus.
        graph: The graph in Neo4j, if it has been read already.
    """
    table = chunk_table.load(stores)
    return stores.index(KIND, lambda: read(stores, table, graph), lambda arrays: BipartiteIndex(table, arrays))


def read(stores: CorpusStores, table: ChunkTable, graph: BipartiteGraph | None = None) -> dict[str, Array]:
    """Build the arrays from the current state of Neo4j and Qdrant.

    Args:
        stores: Stores of the corpus.
        table: All chunks of the corpus.
        graph: The graph in Neo4j; it is read when left out.

    Raises:
        StoreError: the graph is incomplete, or a fact has no vector: the stores disagree.
    """
    graph = graph or stored.read(stores).graph
    check_graph(stores, graph, table.rows)
    entities = sorted(graph.entities)
    rows = {entity: row for row, entity in enumerate(entities)}
    found = stores.graph.read("entities/find_names", corpus=stores.name, ids=entities) if entities else []
    called = {row["id"]: row["name"] for row in found}
    relations = list(graph.relations.values())
    aliases = {merge.alias: rows[merge.entity] for merge in graph.merges if not merge.document}
    keys = {alias: content_id(normalise_name(audit.name)) for (alias, _, _), audit in graph.merges.items()}
    members = Links.of_groups([rows[part.entity] for part in relation.participants] for relation in relations)
    stated = Links.of_groups([table.rows[one.chunk] for one in relation.statements] for relation in relations)
    facts, order = members.transpose(len(entities))
    return {
        **Strings.pack("made", [json.dumps(_root(stores), sort_keys=True)]),
        **Strings.pack("relations", list(graph.relations)),
        **Strings.pack("descriptions", [relation.description for relation in relations]),
        **Strings.pack("types", [relation.type for relation in relations]),
        **Strings.pack("entities", entities),
        **Strings.pack("names", [called[entity] for entity in entities]),
        **Strings.pack("entity_types", [graph.entities[entity].type for entity in entities]),
        **Strings.pack("roles", [part.role for relation in relations for part in relation.participants]),
        **Strings.pack("aliases", [keys[alias] for alias in aliases]),
        "alias_entities": np.array(list(aliases.values()), dtype=np.int64),
        "confidence": np.array([relation.confidence for relation in relations], dtype=np.float64),
        "weight": np.array([relation.weight for relation in relations], dtype=np.int64),
        "entity_confidence": np.array([graph.entities[entity].confidence for entity in entities], dtype=np.float64),
        **members.arrays("members"),
        **facts.arrays("facts"),
        **stated.arrays("stated"),
        **stated.transpose(len(table))[0].arrays("states"),
        "places": _places(relations),
        "is_about": _is_about(stores, table, graph)[order],
        "vectors": _vectors_of_facts(stores, graph),
        "entity_vectors": stores.vectors_by_row("entities", rows)[0],
        "scale": np.array([similarity_scale(table.vectors)]),
    }


def _root(stores: CorpusStores) -> Mapping[str, Any]:
    return stores.graph.get("bipartite_graph/get_graph", corpus=stores.name) or {}


def _places(relations: Sequence[Relation]) -> Array:
    places = [(one.start, one.end) for relation in relations for one in relation.statements]
    return np.array(places, dtype=np.int32).reshape(-1, 2)


def _is_about(stores: CorpusStores, table: ChunkTable, graph: BipartiteGraph) -> Array:
    """Whether a chunk that states the fact is about the participant: its title names the entity."""
    links = entity_links.read(stores, table.rows)
    about: list[set[str]] = []
    for row, titles in enumerate(chunk.own_titles for chunk in table.chunks()):
        described = links.describes.indices[slice(*links.describes.indptr[row : row + 2])]
        about.append({content_id(normalise_name(form)) for form in titles} | {links.entities[i] for i in described})
    found = [
        any(part.entity in about[table.rows[one.chunk]] for one in relation.statements)
        for relation in graph.relations.values()
        for part in relation.participants
    ]
    return np.array(found, dtype=bool)


def _vectors_of_facts(stores: CorpusStores, graph: BipartiteGraph) -> Vectors:
    """``(m, dimension)`` vectors of the facts by row."""
    rows = {relation: row for row, relation in enumerate(graph.relations)}
    vectors, missing = stores.vectors_by_row("relations", rows)
    if missing:
        raise StoreError(
            f"each fact must have its vector in Qdrant, {len(missing)} of corpus {stores.name!r} lack theirs, the "
            f"first is {min(missing)}: `tetragraph build bipartite -c {stores.name}` mends it"
        )
    return vectors
