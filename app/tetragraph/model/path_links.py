"""Nodes and relationships of the graph on the paths to a hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tetragraph.model.subgraphs import LinkKey, NodeKey

if TYPE_CHECKING:
    from tetragraph.model.evidence import Hit, PathStep

ENDS: Mapping[str, tuple[str, str]] = {
    "CONTAINS": ("Community", "Chunk"),
    "DESCRIBES": ("Chunk", "Entity"),
    "INFO_GAIN": ("Chunk", "Chunk"),
    "MENTIONS": ("Chunk", "Entity"),
    "PARTICIPATES_IN": ("Entity", "Relation"),
    "STATED_IN": ("Relation", "Chunk"),
}
"""Relationship types that a path can take, with the labels of their starts and ends."""
SEED = "SEED"
"""Value of ``via`` in the first step of a path."""


def paths_of(hit: Hit) -> tuple[tuple[PathStep, ...], ...]:
    """Return the distinct paths to a hit, the strongest first; each ends at its chunk."""
    found = (hit.path, *(one.path for one in hit.contributions))
    return tuple(dict.fromkeys(path for path in found if path))


def links_of(path: Iterable[PathStep]) -> Iterator[LinkKey]:
    """Yield the relationships of a path to a chunk, with their direction in the graph, the last one first."""
    label = "Chunk"
    for step in reversed(tuple(path)):
        if step.via == SEED:
            return
        start, end = ENDS[step.via]
        if label == end:
            yield LinkKey(step.via, NodeKey(start, step.source), NodeKey(end, step.target))
            label = start
        else:
            yield LinkKey(step.via, NodeKey(start, step.target), NodeKey(end, step.source))
            label = end


def path_graph(hits: Iterable[Hit]) -> tuple[set[NodeKey], set[LinkKey]]:
    """Return the chunks of hits, and the relationships of all paths to them."""
    nodes: set[NodeKey] = set()
    links: set[LinkKey] = set()
    for hit in hits:
        nodes.add(NodeKey("Chunk", hit.chunk.id))
        links.update(link for path in paths_of(hit) for link in links_of(path))
    return nodes, links
