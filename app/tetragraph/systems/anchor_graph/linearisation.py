"""Text form of the anchor graph, for a language model and for people.

Source:
    GraphAnchor (2026), section 3.2, equation 6.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.llm.cost import CHARACTERS
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph
from tetragraph.systems.anchor_graph.graph import hops

_ENTITIES: Final = "Entities:"
_RELATIONS: Final = "Relations:"
_OF_ATTRIBUTES: Final = 200
"""Limit of characters of the attributes of an anchor, so that one anchor does not take the space of twenty."""
_Part: TypeAlias = Anchor | Anchored


@dataclass(frozen=True, slots=True)
class Linearised:
    """A graph as text.

    Attributes:
        text: Text of the graph; empty if the graph is empty, or not even the first anchor fits.
        tokens: Estimated number of tokens of the text.
        dropped_anchors: Number of anchors that are not in the text.
        dropped_relations: Number of relations that are not in the text, including those of dropped anchors.
        dropped_attributes: Number of attributes that are not in the text, of anchors that are in it.
    """

    text: str = ""
    tokens: int = 0
    dropped_anchors: int = 0
    dropped_relations: int = 0
    dropped_attributes: int = 0

    @property
    def note(self) -> str:
        """Result note on the dropped items; empty if there are none."""
        counts = {
            "anchors": self.dropped_anchors,
            "relations": self.dropped_relations,
            "attributes": self.dropped_attributes,
        }
        listing = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return f"left out of the text of the graph, as they are least connected to the question: {listing}" * bool(
            listing
        )


def linearise(graph: AnchorGraph, question: str, *, tokens: int, anchors: int) -> Linearised:
    """The graph as text: a line for each anchor with its attributes, then one for each relation.

    The lines are in the order of the steps, and within a step in the order in which they were added, so that the text
    of an extended graph begins like that of the graph before. Items that do not fit are dropped, the least connected to
    the question first: anchors with the most hops to those that the question names (over relations, in either
    direction), then those with fewer relations, then those that were added later. A relation is dropped with either of
    its ends, and with the first item before it in that order that does not fit. So the larger of two budgets shows
    everything that the smaller one does.

    Args:
        graph: The graph.
        question: The question, whose names are the connected anchors; if it names none, relations and age decide.
        tokens: Limit of tokens of the text, estimated at ``CHARACTERS`` each; it is never exceeded.
        anchors: Limit of anchors.

    Source:
        GraphAnchor (2026), section 3.2, equation 6. Deviation: the paper shows the whole graph, of any length.

    >>> anchors = Anchor("low tide", "Low Tide", ("a novel",), 1), Anchor("orla brandt", "Orla Brandt", (), 1)
    >>> known = AnchorGraph(anchors, (Anchored("orla brandt", "wrote", "low tide", 1),))
    >>> print(linearise(known, "Who wrote Low Tide?", tokens=100, anchors=10).text)
    Entities:
    - Low Tide (Attributes: a novel)
    - Orla Brandt
    Relations:
    - Orla Brandt -> wrote -> Low Tide
    """
    parts: tuple[_Part, ...] = (*graph.anchors, *graph.relations)
    lines = {part: _line(graph, part) for part in parts}
    chosen = _select_fitting(
        list(_rank_by_connection(graph, question)), lines, math.floor(tokens * CHARACTERS), anchors
    )
    shown = [anchor for anchor in graph.anchors if anchor in chosen]
    related = [relation for relation in graph.relations if relation in chosen]
    text = _text(
        [lines[anchor] for anchor in _sort_by_step(shown)], [lines[relation] for relation in _sort_by_step(related)]
    )
    return Linearised(
        text,
        math.ceil(len(text) / CHARACTERS),
        len(graph.anchors) - len(shown),
        len(graph.relations) - len(related),
        sum(len(anchor.attributes) - len(_attributes(anchor)) for anchor in shown),
    )


def _sort_by_step(parts: Sequence[_Part]) -> list[_Part]:
    return sorted(parts, key=lambda part: part.step)


def _text(anchors: Sequence[str], relations: Sequence[str]) -> str:
    lines = [_ENTITIES, *anchors] if anchors else []
    return "\n".join([*lines, _RELATIONS, *relations] if relations else lines)


def _line(graph: AnchorGraph, part: _Part) -> str:
    """Line of an anchor, ``X(v)``, or of a relation, ``X(t)``."""
    if isinstance(part, Anchored):
        return f"- {graph.by_key[part.source].name} -> {part.phrase} -> {graph.by_key[part.target].name}"
    attributes = _attributes(part)
    return f"- {part.name} (Attributes: {', '.join(attributes)})" if attributes else f"- {part.name}"


def _attributes(anchor: Anchor) -> tuple[str, ...]:
    """The first attributes of an anchor, within the limit."""
    length = 0
    for count, attribute in enumerate(anchor.attributes):
        length += len(attribute)
        if length > _OF_ATTRIBUTES:
            return anchor.attributes[:count]
    return anchor.attributes


def _select_fitting(ranked: Sequence[_Part], lines: dict[_Part, str], characters: int, anchors: int) -> set[_Part]:
    """The longest prefix of the ranking within both limits."""
    chosen: set[_Part] = set()
    length, count, has_relations = len(_ENTITIES), 0, False
    for part in ranked:
        length += 1 + len(lines[part])
        if isinstance(part, Anchor):
            count += 1
        elif not has_relations:
            length, has_relations = length + 1 + len(_RELATIONS), True
        if length > characters or count > anchors:
            break
        chosen.add(part)
    return chosen


def _rank_by_connection(graph: AnchorGraph, question: str) -> Iterator[_Part]:
    """Anchors, the best connected first, each followed by its relations with the anchors before it."""
    words = f" {normalise_name(question)} "
    near = hops(graph, {anchor.key for anchor in graph.anchors if f" {anchor.key} " in words})
    degrees = Counter(key for relation in graph.relations for key in (relation.source, relation.target))
    relations = defaultdict(list)
    for relation in graph.relations:
        relations[relation.source].append(relation)
        relations[relation.target].append(relation)
    ranked = sorted(graph.anchors, key=lambda anchor: (near.get(anchor.key, math.inf), -degrees[anchor.key]))
    before: set[str] = set()
    for anchor in ranked:
        before.add(anchor.key)
        yield anchor
        yield from (one for one in relations[anchor.key] if one.source in before and one.target in before)
