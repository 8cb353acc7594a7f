"""The anchor graph as text, for a language model and for people.

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
"""Characters of an anchor's attributes that are shown at the most: one anchor shall not take the room of twenty."""
_Part: TypeAlias = Anchor | Anchored


@dataclass(frozen=True, slots=True)
class Linearised:
    """A graph as text.

    Attributes:
        text: Empty where there is nothing to show, or not even the first anchor fits.
        tokens: Its length, by estimate.
        dropped_anchors: How many are not in it; so are the following.
        dropped_relations: Those of dropped anchors among them.
        dropped_attributes: Of anchors that are in it.
    """

    text: str = ""
    tokens: int = 0
    dropped_anchors: int = 0
    dropped_relations: int = 0
    dropped_attributes: int = 0

    @property
    def note(self) -> str:
        """What was dropped, in words; empty for nothing."""
        counts = {
            "anchors": self.dropped_anchors,
            "relations": self.dropped_relations,
            "attributes": self.dropped_attributes,
        }
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return f"left out of the graph as it was shown, as they are least connected to the question: {told}" * bool(
            told
        )


def linearise(graph: AnchorGraph, question: str, *, tokens: int, anchors: int) -> Linearised:
    """The graph as text: a line for each anchor with its attributes, then one for each relation.

    The lines stand in the order of the steps, and within a step in the order in which they were added, so that a graph
    that has grown begins as it did before. What does not fit is dropped, beginning with what is least connected to the
    question: anchors with most hops to those that the question names (over relations, in either direction), among
    these such with fewer relations, among these such that were added later. A relation goes with either of its ends,
    and with the first thing before it in that order that finds no room. So of two budgets the larger one shows all
    that the smaller one does.

    Args:
        graph: Any.
        question: Names the anchors that count as connected; where it names none, relations and age alone decide.
        tokens: The longest text, estimated as ``CHARACTERS`` a token. It is never passed.
        anchors: The most anchors.

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
    kept = _fitting(list(_by_connection(graph, question)), lines, math.floor(tokens * CHARACTERS), anchors)
    shown = [anchor for anchor in graph.anchors if anchor in kept]
    related = [relation for relation in graph.relations if relation in kept]
    text = _text([lines[anchor] for anchor in _in_order(shown)], [lines[relation] for relation in _in_order(related)])
    return Linearised(
        text,
        math.ceil(len(text) / CHARACTERS),
        len(graph.anchors) - len(shown),
        len(graph.relations) - len(related),
        sum(len(anchor.attributes) - len(_attributes(anchor)) for anchor in shown),
    )


def _in_order(parts: Sequence[_Part]) -> list[_Part]:
    return sorted(parts, key=lambda part: part.step)


def _text(anchors: Sequence[str], relations: Sequence[str]) -> str:
    lines = [_ENTITIES, *anchors] if anchors else []
    return "\n".join([*lines, _RELATIONS, *relations] if relations else lines)


def _line(graph: AnchorGraph, part: _Part) -> str:
    """``X(v)`` of an anchor, ``X(t)`` of a relation."""
    if isinstance(part, Anchored):
        return f"- {graph.by_key[part.source].name} -> {part.phrase} -> {graph.by_key[part.target].name}"
    attributes = _attributes(part)
    return f"- {part.name} (Attributes: {', '.join(attributes)})" if attributes else f"- {part.name}"


def _attributes(anchor: Anchor) -> tuple[str, ...]:
    """Those that are shown: the first ones."""
    length = 0
    for count, attribute in enumerate(anchor.attributes):
        length += len(attribute)
        if length > _OF_ATTRIBUTES:
            return anchor.attributes[:count]
    return anchor.attributes


def _fitting(ranked: Sequence[_Part], lines: dict[_Part, str], characters: int, anchors: int) -> set[_Part]:
    """The longest beginning of the ranking that keeps to both limits."""
    kept: set[_Part] = set()
    length, count, has_relations = len(_ENTITIES), 0, False
    for part in ranked:
        length += 1 + len(lines[part])
        if isinstance(part, Anchor):
            count += 1
        elif not has_relations:
            length, has_relations = length + 1 + len(_RELATIONS), True
        if length > characters or count > anchors:
            break
        kept.add(part)
    return kept


def _by_connection(graph: AnchorGraph, question: str) -> Iterator[_Part]:
    """The best connected anchors first, each followed by its relations with those before it."""
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
