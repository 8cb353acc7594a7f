"""Extends the anchor graph.

Source:
    GraphAnchor (2026), section 3.2, equations 7 and 8.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from tetragraph.language.lexicon.names import normalise_name, surface
from tetragraph.model import Chunk
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph
from tetragraph.systems.anchor_graph.reasoner import Update

FindEntities: TypeAlias = Callable[[Collection[str]], Mapping[str, str]]
"""Returns the ids of the entities of some keys, by key; keys without an entity are left out."""
LONGEST_NAME = 200
"""Limit of characters of a name or a phrase; the reply of a foreign server may have any length."""
MOST_ATTRIBUTES = 50
"""Limit of attributes of an anchor."""
MOST_OF_A_STEP = 100
"""Limit of anchors, and of relations, that one step may add, against replies that do not end."""


def extend(
    graph: AnchorGraph, update: Update, step: int, passages: Sequence[Chunk], find_entities: FindEntities
) -> tuple[AnchorGraph, int]:
    """Add the update of a step to the graph.

    Nothing is removed: an anchor that the update does not name stays. Names are one anchor if they are one entity in a
    corpus. Names without a letter or digit are ignored, and so are relations of an anchor with itself, together with
    the names in them. Every anchor, also one of earlier steps, is searched for in the chunks.

    Args:
        graph: The graph before the step, ``G_{t-1}``.
        update: The update, ``ΔG``.
        step: Number of the step.
        passages: Chunks that the step read.
        find_entities: Returns the ids of entities by key; called once, with the keys of the new anchors.

    Returns:
        The extended graph, and the number of items left out because they exceed the limits of one step.
    """
    builder = _GraphBuilder(graph, step)
    for name, attributes in update.entities:
        builder.add(name, attributes)
    for triple in update.triples:
        builder.relate(triple.head, triple.phrase, triple.tail)
    builder.link_entities(find_entities)
    return builder.link_chunks(passages), builder.left_out


class _GraphBuilder:
    """A graph to which a step is being added.

    Attributes:
        left_out: Number of items that exceed a limit.
    """

    def __init__(self, graph: AnchorGraph, step: int) -> None:
        self.left_out = 0
        self._anchors = dict(graph.by_key)
        self._relations = {(one.source, one.phrase, one.target): one for one in graph.relations}
        self._step = step
        self._known = graph.by_key.keys()
        self._most = len(self._anchors) + MOST_OF_A_STEP, len(self._relations) + MOST_OF_A_STEP

    def add(self, name: str, attributes: Iterable[str] = ()) -> str:
        """Add an anchor, or attributes to it; returns its key, empty if the name cannot be an anchor."""
        shown, key = surface(name[:LONGEST_NAME]), _key(name)
        if not key:
            return ""
        known = self._anchors.get(key)
        if known is None:
            if len(self._anchors) >= self._most[0]:
                self.left_out += 1
                return ""
            known = Anchor(key, shown, (), self._step)
        new = (surface(attribute[:LONGEST_NAME]) for attribute in attributes)
        merged = tuple(dict.fromkeys((*known.attributes, *(attribute for attribute in new if attribute))))
        self.left_out += max(0, len(merged) - MOST_ATTRIBUTES)
        self._anchors[key] = replace(known, attributes=merged[:MOST_ATTRIBUTES])
        return key

    def relate(self, head: str, phrase: str, tail: str) -> None:
        """Add a relation between two names, which become anchors if they are not yet."""
        words = surface(phrase[:LONGEST_NAME])
        if not (words and _key(head) and _key(tail)) or _key(head) == _key(tail):
            return
        is_known = (_key(head), words, _key(tail)) in self._relations
        if not is_known and len(self._relations) >= self._most[1]:
            self.left_out += 1
            return
        source, target = self.add(head), self.add(tail)
        if source and target:
            relation = Anchored(source, words, target, self._step)
            self._relations.setdefault((source, words, target), relation)

    def link_entities(self, find_entities: FindEntities) -> None:
        """Give the new anchors their entities."""
        new = [key for key in self._anchors if key not in self._known]
        for key, entity in (find_entities(new) if new else {}).items():
            self._anchors[key] = replace(self._anchors[key], entity=entity)

    def link_chunks(self, passages: Sequence[Chunk]) -> AnchorGraph:
        """The graph, each anchor with the chunks that contain its name in title or text."""
        padded = [(chunk.id, f" {normalise_name(f'{chunk.title} {chunk.text}')} ") for chunk in passages]
        for key, anchor in self._anchors.items():
            found = (chunk for chunk, words in padded if f" {key} " in words)
            chunks = tuple(dict.fromkeys((*anchor.chunks, *found)))
            if chunks != anchor.chunks:
                self._anchors[key] = replace(anchor, chunks=chunks)
        return AnchorGraph(tuple(self._anchors.values()), tuple(self._relations.values()))


def _key(name: str) -> str:
    return normalise_name(surface(name[:LONGEST_NAME]))


def hops(graph: AnchorGraph, begin: Collection[str]) -> dict[str, int]:
    """Number of relations, in either direction, between the first anchors and each anchor that they reach.

    Args:
        graph: The graph.
        begin: Keys of the first anchors; those that are no anchors are ignored.

    Returns:
        Key of an anchor to the number of relations; 0 for the first anchors.
    """
    neighbours: dict[str, list[str]] = defaultdict(list)
    for relation in graph.relations:
        neighbours[relation.source].append(relation.target)
        neighbours[relation.target].append(relation.source)
    frontier = [anchor.key for anchor in graph.anchors if anchor.key in begin]
    found = dict.fromkeys(frontier, 0)
    while frontier:
        reached = {key: found[near] + 1 for near in frontier for key in neighbours[near] if key not in found}
        found |= reached
        frontier = list(reached)
    return found
