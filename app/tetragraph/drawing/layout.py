"""Positions of the nodes of a graph in a picture; deterministic."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from networkx import Graph

MOST_EXACT = 150
"""Largest number of nodes of a component laid out by all distances; in a larger one only neighbours attract."""
MOST_FORCED = 600
"""Largest number of nodes of a component whose neighbours attract; a larger one is placed on rings, as the time of
the other layouts grows with the square."""
SEED = 8
STRETCH = 1.7
"""Ratio of width to height of a component: names are written from left to right."""
SHAPE = 2.2
"""Ratio of width to height of the picture."""
GAPS = (1.7, 1.0)
"""Horizontal and vertical gaps between components, in lengths of a link."""
ROOM = (1.2, 0.55)
"""Horizontal and vertical room for a node with its name, in lengths of a link: names do not cover one another."""
_ROUNDS = 200
"""Largest number of rounds that push the nodes of a component apart."""
_TOLERANCE = 0.01
_DIGITS = 3
Place = tuple[float, float]
Places = dict[str, Place]


def place_nodes(keys: Collection[str], pairs: Iterable[tuple[str, str]]) -> Places:
    """Compute the position of each key, in lengths of a link; components are placed side by side, largest first.

    Args:
        keys: Keys of the nodes, in an order that does not change.
        pairs: Keys of the two ends of each link.
    """
    from networkx import Graph, connected_components

    whole: Graph[str] = Graph()
    whole.add_nodes_from(keys)
    whole.add_edges_from(pairs)
    parts = [[key for key in keys if key in part] for part in connected_components(whole)]
    parts.sort(key=len, reverse=True)
    return _pack([_part(whole, part) for part in parts])


def _part(whole: Graph[str], keys: Sequence[str]) -> Places:
    """Positions within a component, the lower left corner at 0, with a mean length of links of 1."""
    from networkx import Graph, kamada_kawai_layout, spring_layout

    if len(keys) == 1:
        return {keys[0]: (0.0, 0.0)}
    part: Graph[str] = Graph()  # a subgraph view has its nodes in a set, whose order differs between processes
    part.add_nodes_from(keys)
    part.add_edges_from((key, other) for key in keys for other in whole[key])
    exact = len(keys) <= MOST_EXACT
    if len(keys) > MOST_FORCED:
        return _rings(part, keys)
    found = kamada_kawai_layout(part) if exact else spring_layout(part, seed=SEED, iterations=100)
    length = sum(math.dist(found[one], found[other]) for one, other in part.edges) / part.number_of_edges()
    scale = 1 / length if length else 1.0
    drawn = {key: (float(x) * scale * STRETCH, float(y) * scale) for key, (x, y) in found.items()}
    apart = _push_apart(drawn) if exact else drawn
    left, low = (min(place[axis] for place in apart.values()) for axis in (0, 1))
    return {key: (x - left, y - low) for key, (x, y) in apart.items()}


def _rings(part: Graph[str], keys: Sequence[str]) -> Places:
    """Positions on rings around the node with most neighbours: a ring for each distance from it, by breadth first.

    Nodes below one node stay side by side; a ring is as large as its nodes need, and at least one length of a link
    larger than the one inside it.
    """
    rings = [[max(keys, key=part.degree)]]
    reached = set(rings[0])
    while rings[-1]:
        ring: list[str] = []
        for key in rings[-1]:
            new = [other for other in part[key] if other not in reached]
            reached.update(new)
            ring += new
        rings.append(ring)
    drawn: Places = {}
    radius = -1.0
    for ring in rings[:-1]:
        radius = max(radius + 1, len(ring) * ROOM[1] / math.tau if len(ring) > 1 else 0.0)
        for number, key in enumerate(ring):
            angle = math.tau * number / len(ring)
            drawn[key] = (radius * math.cos(angle), radius * math.sin(angle))
    left, low = (min(place[axis] for place in drawn.values()) for axis in (0, 1))
    return {key: (drawn[key][0] - left, drawn[key][1] - low) for key in keys}


def _push_apart(part: Places) -> Places:
    """Move nodes as little as it takes to give each the room for its name; crowded ones may end with less."""
    points = [list(place) for place in part.values()]
    for _ in range(_ROUNDS):
        is_crowded = False
        for one, other in combinations(points, 2):
            lacking = [ROOM[axis] - abs(other[axis] - one[axis]) for axis in (0, 1)]
            if min(lacking) <= _TOLERANCE:
                continue
            is_crowded = True
            axis = 0 if lacking[0] < lacking[1] else 1
            push = math.copysign(lacking[axis] / 2, other[axis] - one[axis])
            one[axis] -= push
            other[axis] += push
        if not is_crowded:
            break
    return {key: (x, y) for key, (x, y) in zip(part, points, strict=True)}


def _pack(parts: Sequence[Places]) -> Places:
    """Arrange components in rows from the top, none wider than the picture."""
    sizes = [tuple(max(place[axis] for place in part.values()) + GAPS[axis] for axis in (0, 1)) for part in parts]
    widest = max([math.sqrt(SHAPE * sum(width * height for width, height in sizes)), *(size[0] for size in sizes)])
    packed: Places = {}
    left = top = row = 0.0
    for part, (width, height) in zip(parts, sizes, strict=True):
        if left and left + width > widest + 1e-9:
            left, top, row = 0.0, top - row, 0.0
        for key, (x, y) in part.items():
            packed[key] = (round(left + x, _DIGITS), round(top - height + y, _DIGITS))
        left, row = left + width, max(row, height)
    return packed
