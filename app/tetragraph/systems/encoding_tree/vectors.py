"""The consolidated vectors of communities in Qdrant."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.arrays import Vectors
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Point
from tetragraph.systems.encoding_tree import affinity_edges, stored
from tetragraph.systems.encoding_tree.communities import Tree


def write_difference(stores: CorpusStores, tree: Tree, vectors: Sequence[Vectors]) -> int:
    """Update the collection ``communities`` to a tree; returns the number of points written or deleted.

    Args:
        stores: Stores of the corpus.
        tree: The communities.
        vectors: For each level ``(communities, dimension)``, rows of length 1.
    """
    points = points_of(tree, vectors)
    stores.vectors.ensure(stores.name, "communities", stores.record.dimension)
    known = stores.vectors.hashes(stores.name, "communities")
    changed = [point for point in points if known.get(point.id) != point.sha256]
    gone = sorted(known.keys() - {point.id for point in points})
    stores.vectors.upsert(stores.name, "communities", changed)
    stores.vectors.delete(stores.name, "communities", gone)
    return len(changed) + len(gone)


def points_of(tree: Tree, vectors: Sequence[Vectors]) -> list[Point]:
    """Return the points of all communities, from the root down; arguments as for :func:`write_difference`."""
    return [
        Point(community, vector, _hash(vector, level), {"level": level})
        for level, (ids, rows) in enumerate(zip(tree.ids, vectors, strict=True), start=1)
        for community, vector in zip(ids, rows, strict=True)
    ]


def expected_points(stores: CorpusStores, rows: Mapping[str, int], vectors: Vectors) -> list[Point]:
    """Return the points that the tree in Neo4j requires; none if it is incomplete. Nothing is written.

    Args:
        stores: Stores of the corpus.
        rows: Id of each chunk to its row, in order of id.
        vectors: ``(n, dimension)`` vectors of the chunks, rows of length 1.
    """
    tree = stored.read(stores).tree(list(rows))
    if tree is None:
        return []
    graph = affinity_edges.read_graph(stores, rows)
    return points_of(tree, consolidate(graph, tree.levels, vectors))


def _hash(vector: Vectors, level: int) -> str:
    return hashlib.sha256(f"{level}\n".encode() + vector.tobytes()).hexdigest()
