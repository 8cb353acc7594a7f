"""How the anchor graph grows.

Source:
    GraphAnchor (2026), section 3.2, equations 7 and 8.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from tetragraph.language.lexicon.names import normalise_name, surface
from tetragraph.model import Chunk
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph
from tetragraph.systems.anchor_graph.reasoner import Update

LONGEST_NAME = 200
"""Characters of a name or a phrase; a reply is what a stranger's server sends, of any length."""
MOST_ATTRIBUTES = 50
"""Of an anchor."""
MOST_OF_A_STEP = 100
"""Anchors, and relations, that one step may add: ten thousand triples of a model that runs wild are no index."""


def extend(
    graph: AnchorGraph, update: Update, step: int, passages: Sequence[Chunk], find_entity: Callable[[str], str]
) -> tuple[AnchorGraph, int]:
    """The graph with what a step adds, and how much of that was left out because it is too much for one step.

    Nothing is taken away: an anchor that the update does not name stays. Names are one anchor if the corpus would
    take them for one entity. Names without a letter or digit are passed over, and so are relations of an anchor with
    itself, with all that they name. Every anchor is looked for in the passages, those of earlier steps, too.

    Args:
        graph: ``G_{t-1}``.
        update: ``ΔG``.
        step: Number of the step.
        passages: Those that the step read.
        find_entity: Id of the corpus' entity of a key; empty where there is none.
    """
    growing = _Growing(graph, step, find_entity)
    for name, attributes in update.entities:
        growing.add(name, attributes)
    for triple in update.triples:
        growing.relate(triple.head, triple.phrase, triple.tail)
    return growing.seen_in(passages), growing.left_out


class _Growing:
    """A graph while a step is added to it."""

    def __init__(self, graph: AnchorGraph, step: int, find_entity: Callable[[str], str]) -> None:
        self.left_out = 0
        self._anchors = dict(graph.by_key)
        self._relations = {(one.source, one.phrase, one.target): one for one in graph.relations}
        self._step = step
        self._find_entity = find_entity
        self._most = len(self._anchors) + MOST_OF_A_STEP, len(self._relations) + MOST_OF_A_STEP

    def add(self, name: str, attributes: Iterable[str] = ()) -> str:
        """The key of the anchor of that name, new or known; empty where it cannot be one."""
        shown, key = surface(name[:LONGEST_NAME]), _key(name)
        if not key:
            return ""
        known = self._anchors.get(key)
        if known is None:
            if len(self._anchors) >= self._most[0]:
                self.left_out += 1
                return ""
            known = Anchor(key, shown, (), self._step, self._find_entity(key))
        new = (surface(attribute[:LONGEST_NAME]) for attribute in attributes)
        merged = tuple(dict.fromkeys((*known.attributes, *(attribute for attribute in new if attribute))))
        self.left_out += max(0, len(merged) - MOST_ATTRIBUTES)
        self._anchors[key] = replace(known, attributes=merged[:MOST_ATTRIBUTES])
        return key

    def relate(self, head: str, phrase: str, tail: str) -> None:
        """Join two anchors, which become some if they are not yet."""
        words = surface(phrase[:LONGEST_NAME])
        if not (words and _key(head) and _key(tail)) or _key(head) == _key(tail):
            return
        if len(self._relations) >= self._most[1]:
            self.left_out += 1
            return
        source, target = self.add(head), self.add(tail)
        if source and target:
            relation = Anchored(source, words, target, self._step)
            self._relations.setdefault((source, words, target), relation)

    def seen_in(self, passages: Sequence[Chunk]) -> AnchorGraph:
        """The graph, each anchor with the passages that have its name in title or text."""
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
    """How many relations, in either direction, lie between some anchors and each that can be reached from these.

    Args:
        graph: Any.
        begin: Keys; those that are no anchors are passed over.

    Returns:
        Key to number; 0 for those to begin with.
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
