"""Whether the bipartite graph is whole, in Neo4j and in Qdrant."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tetragraph.errors import StoreError
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph import stored
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph
from tetragraph.systems.bipartite_graph.vectors import WITHOUT


def check_stores(stores: CorpusStores, chunks: Collection[str]) -> None:
    """See that the graph is whole and that Qdrant has a vector of each fact and name, and none of anything else.

    Args:
        stores: The corpus.
        chunks: Ids of its chunks.

    Raises:
        StoreError: it is not; the message counts what is wrong, and names the command that mends it.
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
    """See that what Neo4j holds is a graph to search in.

    Args:
        stores: The corpus.
        graph: As it was read.
        chunks: Ids of the corpus' chunks.

    Raises:
        StoreError: as :func:`check_stores` does.
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
