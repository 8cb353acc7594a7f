"""Picture of a graph: nodes in the colour and shape of their label, and links with arrows."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tetragraph.drawing import svg
from tetragraph.drawing.layout import Places, place_nodes
from tetragraph.drawing.looks import LOOKS, OTHERWISE

MOST_NODES = 150
"""Largest number of nodes of a picture: more cannot be told apart."""
MOST_LABELLED = 30
"""Largest number of links whose words are written beside them; with more, they are shown on hover."""
WIDTH = 960
"""Largest width of a picture in pixels."""
UNIT = (100.0, 90.0)
"""Largest width and the height of a unit of the layout in pixels."""
MARGIN = (80.0, 34.0)
BESIDE = 0.66
"""Position of the words of a link along it, from 0 to 1, so that those of opposite directions do not overlap."""
NAME, PHRASE = 24, 20
"""Largest numbers of characters of a name, and of the words beside a link."""
_LEGEND = 26.0


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a picture.

    Attributes:
        key: Identifies the node within the picture.
        name: Name above the node, shortened; empty for none.
        label: Label in Neo4j, from which colour and shape follow; other words have neutral ones.
        hover: Tooltip; the name if empty.
    """

    key: str
    name: str
    label: str
    hover: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a picture.

    Attributes:
        source: Key of the node at its start.
        target: Key of the node at its end.
        hover: Tooltip.
        phrase: Words beside the line, shortened; empty for none.
    """

    source: str
    target: str
    hover: str
    phrase: str = ""


def draw(nodes: Sequence[Node], links: Sequence[Link], *, title: str, places: Places | None = None) -> str:
    """Draw a graph; the same graph gives the same picture.

    Args:
        nodes: Nodes in an order that does not change.
        links: Links between them.
        title: Title for readers who do not see the picture.
        places: Key to position; computed from the links when left out.

    Returns:
        The picture as SVG; empty for no node, and for more than :data:`MOST_NODES`.
    """
    if not 0 < len(nodes) <= MOST_NODES:
        return ""
    found = places or place_nodes([one.key for one in nodes], [(one.source, one.target) for one in links])
    points, width, height = _scaled(found)
    is_labelled = len(links) <= MOST_LABELLED
    parts = [
        *(_line(one, points, is_labelled=is_labelled) for one in links),
        *(_node(one, points[one.key]) for one in nodes),
        *_legend(nodes, height),
    ]
    return svg.picture(width, height + _LEGEND, parts, title)


def _scaled(places: Places) -> tuple[Mapping[str, svg.Point], float, float]:
    """Places in pixels from the upper left corner, and the width and height that they need."""
    left, right = (end(x for x, _ in places.values()) for end in (min, max))
    low, top = (end(y for _, y in places.values()) for end in (min, max))
    unit = min(UNIT[0], (WIDTH - 2 * MARGIN[0]) / (right - left)) if right > left else UNIT[0]
    points = {key: (MARGIN[0] + unit * (x - left), MARGIN[1] + UNIT[1] * (top - y)) for key, (x, y) in places.items()}
    return points, 2 * MARGIN[0] + unit * (right - left), 2 * MARGIN[1] + UNIT[1] * (top - low)


def _line(link: Link, points: Mapping[str, svg.Point], *, is_labelled: bool) -> str:
    start, end = points[link.source], points[link.target]
    place = (start[0] + BESIDE * (end[0] - start[0]), start[1] + BESIDE * (end[1] - start[1]) - 4)
    words = textwrap.shorten(link.phrase, PHRASE, placeholder=" …") if is_labelled else ""
    return svg.line(start, end, hover=link.hover) + svg.text(place, words, size=10, colour=svg.QUIET)


def _node(node: Node, place: svg.Point) -> str:
    colour, shape = LOOKS.get(node.label, OTHERWISE)
    name = textwrap.shorten(node.name, NAME, placeholder=" …")
    drawn = svg.shape(shape, place, colour, hover=node.hover or node.name)
    return drawn + svg.text((place[0], place[1] - svg.SIZE - 5), name)


def _legend(nodes: Sequence[Node], height: float) -> Iterator[str]:
    """The labels of the picture with the number of their nodes, in one line."""
    left = 14.0
    for label, count in Counter(one.label for one in nodes).items():
        colour, shape = LOOKS.get(label, OTHERWISE)
        words = f"{label} {count}"
        yield svg.shape(shape, (left, height + 8), colour)
        yield svg.text((left + 13, height + 12), words, size=11, anchor="start")
        left += 34 + 7 * len(words)
