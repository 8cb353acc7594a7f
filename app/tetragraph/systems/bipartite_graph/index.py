"""In-process arrays of one generation of the bipartite graph, shared by threads."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
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
from tetragraph.systems.bipartite_graph.view import NO_NAME, FactView

KIND = "bipartite_graph"
_BLOCK = 512
"""Number of facts compared at a time: few enough for the processor's cache."""


class BipartiteIndex(FactView):
    """The facts and entities of a whole corpus.

    Attributes:
        vectors: ``(m, dimension)`` vectors of the descriptions of the facts.
        entity_vectors: ``(e, dimension)`` vectors of the names of the entities; zeros for dates and numbers.
    """

    table: ChunkTable

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.made = json.loads(arrays.strings("made")[0])
        self.relations = arrays.strings("relations")
        self.count = len(self.relations)
        self.vectors: Vectors = arrays["vectors"]
        self.confidence = arrays["confidence"]
        self.weight = arrays["weight"]
        self.entities = list(arrays.strings("entities"))
        self.entity_confidence = arrays["entity_confidence"]
        self.entity_vectors: Vectors = arrays["entity_vectors"]
        self.members = Links(arrays["members.bounds"], arrays["members.items"])
        self.facts = Links(arrays["facts.bounds"], arrays["facts.items"])
        self.stated = Links(arrays["stated.bounds"], arrays["stated.items"])
        self.states = Links(arrays["states.bounds"], arrays["states.items"])
        self.sizes = self.members.counts()
        self.degrees = self.facts.counts()
        self.is_about = arrays["is_about"]
        self.scale = float(arrays["scale"][0])
        self._descriptions: Strings = arrays.strings("descriptions")
        self._types: Strings = arrays.strings("types")
        self._names: Strings = arrays.strings("names")
        self.entity_types = list(arrays.strings("entity_types"))
        self._roles: Strings = arrays.strings("roles")
        self._places: Array = arrays["places"]
        self._aliases = dict(zip(arrays.strings("aliases"), arrays["alias_entities"].tolist(), strict=True))

    @cached_property
    def named(self) -> Mapping[str, int]:
        """Row of an entity by its id, or by the id of a name that is merged into it everywhere.

        Concepts and numbers are left out: their words in a question do not name an entity.
        """
        own = zip(self.entities, range(len(self.entities)), strict=True)
        return {node: row for node, row in chain(self._aliases.items(), own) if self.entity_types[row] not in NO_NAME}

    def named_in(self, text: str) -> Mapping[str, int]:  # noqa: ARG002  # all names are at hand
        return self.named

    def compare(self, vectors: Vectors) -> Floats:
        cosines = np.empty((len(vectors), len(self.vectors)))
        for start in range(0, len(self.vectors), _BLOCK):
            block = slice(start, start + _BLOCK)
            cosines[:, block] = dot_products(self.vectors[block], vectors[:, None])
        return self.scale * cosines

    def compare_passages(self, vector: Vectors) -> Floats:
        cosines: Floats = dot_products(self.table.vectors, vector).astype(np.float64)
        return self.scale * cosines

    def compare_entities(self, vector: Vectors) -> Floats:
        cosines: Floats = dot_products(self.entity_vectors, vector).astype(np.float64)
        return cosines

    def vectors_of(self, relations: Rows) -> Vectors:
        return self.vectors[relations]

    def read_texts(self, relations: Collection[int]) -> None:
        pass

    def name(self, entity: int) -> str:
        return str(self._names[entity])

    def description(self, relation: int) -> str:
        return str(self._descriptions[relation])

    def type(self, relation: int) -> str:
        return str(self._types[relation])

    def participants(self, relation: int) -> tuple[FactParticipant, ...]:
        places = range(*self.members.bounds[relation : relation + 2].tolist())
        return tuple(
            FactParticipant(self.entities[row], self.name(row), self.entity_types[row], self._roles[place])
            for place, row in zip(places, self.members.of(relation).tolist(), strict=True)
        )

    def statements(self, relation: int, allowed: Flags) -> tuple[FactStatement, ...]:
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
