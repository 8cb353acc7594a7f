"""The encoding tree of a corpus in Neo4j: reads it and writes differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tetragraph.algorithms.structural_entropy import LevelMeasures
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.encoding_tree.communities import Tree

STAGE = "tree"
_PAGE = 100
"""Number of communities per page, each with the ids of all its chunks."""
_AT_ONCE = 20_000
"""Largest number of rows of a change written in one transaction."""
_BATCH = 5_000
_PROPERTIES = ("name", "level", "size", "volume", "cut", "entropy")
_TWO = ""
"""Placeholder for the parent of a child that has two, both of which it has to leave."""
Step = tuple[str, list[dict[str, Any]]]
"""Name of a query, and its rows."""


@dataclass(frozen=True, slots=True)
class StoredTree:
    """The tree as nodes and relationships.

    Attributes:
        root: Properties of the ``EncodingTree``; None if there is none, or if writing was interrupted.
        communities: Properties of each community by id.
        above: Id of the parent community by id of a community; those of level 1 are left out.
        places: Id of the community by id of a chunk.
        settings: Settings of the root, also of an incomplete one; empty if there is none.
    """

    root: Mapping[str, Any] | None = None
    communities: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    above: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    settings: str = ""

    def path(self, chunk: str) -> list[str] | None:
        """Return the communities of a chunk, from the root down; None for a chunk in no community."""
        community = self.places.get(chunk)
        path: list[str] = []
        while community is not None:
            path.insert(0, community)
            community = self.above.get(community)
        return path or None

    def tree(self, chunks: Sequence[str]) -> Tree | None:
        """Return the tree as arrays; None if there are no chunks, or one lacks a community on some level.

        Args:
            chunks: Ids of all chunks, ascending.
        """
        paths = [self.path(chunk) for chunk in chunks]
        height = int(self.root["height"]) - 1 if self.root else 0
        if not chunks or not height or any(path is None or len(path) != height for path in paths):
            return None
        levels = list(zip(*(path or () for path in paths), strict=True))
        ids = tuple(tuple(dict.fromkeys(level)) for level in levels)
        numbers = [{name: number for number, name in enumerate(names)} for names in ids]
        labels = [[number[name] for name in level] for number, level in zip(numbers, levels, strict=True)]
        return Tree(np.array(labels, dtype=np.int64), ids)


def describe(
    tree: Tree, measures: Sequence[LevelMeasures], names: Sequence[Sequence[str]], chunks: Sequence[str]
) -> StoredTree:
    """Convert a tree to nodes and relationships, without the root."""
    communities: dict[str, dict[str, Any]] = {}
    above: dict[str, str] = {}
    for number, (ids, found, called) in enumerate(zip(tree.ids, measures, names, strict=True)):
        columns = (found.sizes, found.volumes, found.cuts, found.entropies, found.parents)
        rows = zip(ids, called, *(column.tolist() for column in columns), strict=True)
        for community, name, size, volume, cut, entropy, parent in rows:
            values = (name, number + 1, size, volume, cut, entropy)
            communities[community] = dict(zip(_PROPERTIES, values, strict=True))
            if number:
                above[community] = tree.ids[number - 1][parent]
    lowest = zip(chunks, tree.levels[-1].tolist(), strict=True)
    return StoredTree(None, communities, above, {chunk: tree.ids[-1][place] for chunk, place in lowest})


def read_root(stores: CorpusStores) -> Mapping[str, Any] | None:
    """Properties of the ``EncodingTree``; None if there is none, or if writing was interrupted."""
    return _complete(stores.graph.get("encoding_tree/get_tree", corpus=stores.name))


def _complete(found: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if found is None or found["unfinished"] else found


def read(stores: CorpusStores) -> StoredTree:
    """Read the tree in the graph.

    A child with two parents, or a community without one, is left by an interrupted run: the tree is incomplete, and
    the result has no root.
    """
    found = stores.graph.get("encoding_tree/get_tree", corpus=stores.name)
    root = _complete(found)
    communities: dict[str, Mapping[str, Any]] = {}
    above: dict[str, str] = {}
    places: dict[str, str] = {}
    for row in stores.graph.pages("encoding_tree/find_communities", corpus=stores.name, limit=_PAGE):
        community, parents = row["id"], row["parents"]
        communities[community] = {name: row[name] for name in _PROPERTIES}
        twice = places.keys() & set(row["chunks"])
        if twice or len(parents) != int(row["level"] > 1):
            root = None
        if parents:
            above[community] = parents[0] if len(parents) == 1 else _TWO
        places |= dict.fromkeys(row["chunks"], community) | dict.fromkeys(twice, _TWO)
    return StoredTree(root, communities, above, places, found["settings"] if found else "")


def write_difference(stores: CorpusStores, now: StoredTree, wanted: StoredTree, progress: Progress) -> int:
    """Change the graph from ``now`` to ``wanted``, whose root is written last.

    A change of ordinary size is one transaction. A large one takes several: the root is first marked as unfinished,
    and written last, so that the run after an interruption rebuilds the tree.

    Returns:
        Number of rows written.
    """
    steps = list(_steps(now, wanted))
    count = sum(len(rows) for _, rows in steps)
    properties = {**(wanted.root or {}), "unfinished": None}
    root = ("encoding_tree/upsert_tree", {"corpus": stores.name, "properties": properties})
    progress.start(STAGE, count, "changes")
    if count <= _AT_ONCE:
        parts = [(query, {"corpus": stores.name, "rows": rows}) for query, rows in steps if rows]
        stores.graph.write_all([*parts, root])
        progress.advance(STAGE, count)
    else:
        stores.graph.write("encoding_tree/upsert_unfinished", corpus=stores.name, settings=properties["settings"])
        for query, rows in steps:
            for done in stores.graph.write_rows(query, rows, batch=_BATCH, corpus=stores.name):
                progress.advance(STAGE, done)
        stores.graph.write(root[0], **root[1])
    progress.finish(STAGE)
    return count


def _steps(now: StoredTree, wanted: StoredTree) -> Iterator[Step]:
    """Steps that change the tree, in a fixed order."""
    changed = [
        {"id": community, "properties": dict(properties)}
        for community, properties in sorted(wanted.communities.items())
        if now.communities.get(community) != properties
    ]
    gone = sorted(now.communities.keys() - wanted.communities.keys())
    moved, placed = _moves(now.places, wanted.places)
    lifted, hung = _moves(now.above, wanted.above)
    yield "encoding_tree/upsert_communities", changed
    yield "encoding_tree/delete_places_of_chunks", moved
    yield "encoding_tree/link_chunks", placed
    yield "encoding_tree/delete_places_of_communities", lifted
    yield "encoding_tree/link_communities", hung
    yield "encoding_tree/delete_communities", [{"id": community} for community in gone]


def _moves(now: Mapping[str, str], wanted: Mapping[str, str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Children that leave their parents, and children that move, with their new parents."""
    left = sorted(child for child, parent in now.items() if child in wanted and wanted[child] != parent)
    come = [{"id": child, "parent": parent} for child, parent in sorted(wanted.items()) if now.get(child) != parent]
    return [{"id": child} for child in left], come
