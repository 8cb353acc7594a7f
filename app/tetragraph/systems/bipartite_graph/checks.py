"""Consistency checks of the bipartite graph in Neo4j and in Qdrant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from tetragraph.errors import StoreError
from tetragraph.host.batches import in_batches
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, Point, check_vectors
from tetragraph.systems.base import CheckContext
from tetragraph.systems.bipartite_graph import extraction, stored
from tetragraph.systems.bipartite_graph.build import expected_graph
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph
from tetragraph.systems.bipartite_graph.vectors import WITHOUT, text_hash

_PAGE = 5_000
_BATCH = 1_024


def check_stores(stores: CorpusStores, chunks: Collection[str]) -> None:
    """Check that the graph is complete, and that Qdrant has the vectors of its facts and names and no others.

    Args:
        stores: Stores of the corpus.
        chunks: Ids of all chunks of the corpus.

    Raises:
        StoreError: the check fails; the message counts the faults and names the command that repairs them.
    """
    graph = stored.read(stores).graph
    facts, names = (set(stores.vectors.hashes(stores.name, kind)) for kind in ("relations", "entities"))
    entities = {entity for entity, one in graph.entities.items() if one.type not in WITHOUT}
    _raise_if_faulty(
        stores,
        _faults(graph, chunks)
        | {
            "facts have no vector": len(graph.relations.keys() - facts),
            "entities have no vector": len(entities - names),
            "vectors belong to nothing": len(facts - graph.relations.keys()) + len(names - entities),
        },
    )


def check_graph(stores: CorpusStores, graph: BipartiteGraph, chunks: Collection[str]) -> None:
    """Check that a graph read from Neo4j is complete.

    Args:
        stores: Stores of the corpus.
        graph: The graph as read.
        chunks: Ids of all chunks of the corpus.

    Raises:
        StoreError: the check fails, as in :func:`check_stores`.
    """
    _raise_if_faulty(stores, _faults(graph, chunks))


def _faults(graph: BipartiteGraph, chunks: Collection[str]) -> dict[str, int]:
    known = set(chunks)
    facts = graph.relations.values()
    return {
        "facts have fewer than two participants": sum(len(one.participants) < 2 for one in facts),
        "facts are stated by no chunk": sum(known.isdisjoint(place.chunk for place in one.statements) for one in facts),
    }


def _raise_if_faulty(stores: CorpusStores, faults: Mapping[str, int]) -> None:
    root = stores.graph.get("bipartite_graph/get_graph", corpus=stores.name)
    found = [f"{count} {what}" for what, count in faults.items() if count]
    if root is None:
        found.append("its root is missing")
    elif root["unfinished"]:
        found.append("its last build was interrupted")
    if found:
        raise StoreError(
            f"each fact of corpus {stores.name!r} must have two participants or more, a chunk that states it and a "
            f"vector, but {', '.join(found)}: `tetragraph build bipartite -c {stores.name}` mends it"
        )


class FactTexts:
    """Texts of facts and names of entities in Neo4j, read on first use and shared by both vector sources.

    Args:
        context: Dependencies of the checks.
    """

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    @cached_property
    def facts(self) -> dict[str, str]:
        """Text by id of the relation."""
        return self._read("doctor/find_facts")

    @cached_property
    def names(self) -> dict[str, str]:
        """Name by id of the entity; a vector may be that of another form of the name."""
        return self._read("doctor/find_names", without=sorted(WITHOUT))

    @cached_property
    def written_names(self) -> frozenset[str]:
        """Hashes of all forms in which facts write names; the vector of an entity is that of its most frequent form."""
        return frozenset(map(text_hash, extraction.written_names(self.context.stores)))

    @cached_property
    def expected_graph(self) -> BipartiteGraph:
        """The graph that a build would write from the stored extractions."""
        context = self.context
        return expected_graph(context.stores, list(context.chunks.values()), context.embedder(), context.progress)

    def embed(self, ids: Sequence[str], texts: Mapping[str, str]) -> Iterator[list[Point]]:
        """Points of texts by id, in batches."""
        embedder = self.context.embedder()
        for some in in_batches(ids, _BATCH):
            batch = [texts[node] for node in some]
            vectors = check_vectors(embedder.embed(batch), embedder.dimension, batch)
            yield [Point(node, vectors[row], text_hash(batch[row])) for row, node in enumerate(some)]

    def _read(self, query: str, **parameters: Any) -> dict[str, str]:
        """Texts by id; each page is a single row of columns, as many rows are slow to transfer."""
        stores = self.context.stores
        pages = stores.graph.pages(query, by="last", corpus=stores.name, limit=_PAGE, **parameters)
        return {node: text for page in pages for node, text in zip(page["ids"], page["texts"], strict=True)}


class RelationVectors:
    """The collection ``relations``: one vector for the text of each fact."""

    kind: Kind = "relations"
    follows_chunks = False

    def __init__(self, texts: FactTexts) -> None:
        self._texts = texts

    def ids(self) -> Collection[str]:
        return self._texts.facts

    def stale(self, stored_hashes: Mapping[str, str]) -> list[str]:
        return [node for node, found in stored_hashes.items() if found != text_hash(self._texts.facts[node])]

    def points(self, ids: Sequence[str]) -> Iterator[list[Point]]:
        return self._texts.embed(ids, self._texts.facts)


class EntityVectors:
    """The collection ``entities``: one vector for the name of each entity that is no date and no number."""

    kind: Kind = "entities"
    follows_chunks = False

    def __init__(self, texts: FactTexts) -> None:
        self._texts = texts

    def ids(self) -> Collection[str]:
        return self._texts.names

    def stale(self, stored_hashes: Mapping[str, str]) -> list[str]:
        names = self._texts.names
        suspects = [node for node, found in stored_hashes.items() if found != text_hash(names[node])]
        known = self._texts.written_names if suspects else frozenset()
        return [node for node in suspects if stored_hashes[node] not in known]

    def points(self, ids: Sequence[str]) -> Iterator[list[Point]]:
        derived = self._texts.expected_graph.entities if ids else {}
        names = self._texts.names
        return self._texts.embed(ids, {node: derived[node].name if node in derived else names[node] for node in ids})
