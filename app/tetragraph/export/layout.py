"""Where the anchors of a graph stand in a picture: the same in every step, and on every day."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from tetragraph.model.anchors import AnchorGraph

if TYPE_CHECKING:
    from networkx import Graph

MOST_EXACT = 150
"""Anchors of a part whose distances are all kept; in a larger one only neighbours attract each other."""
SEED = 8
STRETCH = 1.7
"""How much wider than high a part is: names are written from left to right."""
SHAPE = 2.2
"""How much wider than high the picture is."""
GAPS = (1.7, 1.0)
"""Between parts, from left to right and from top to bottom, in lengths of a relation."""
_DIGITS = 3
Place = tuple[float, float]
Places = dict[str, Place]


def places(graph: AnchorGraph) -> Places:
    """Key to place, in lengths of a relation; parts that no relation joins stand side by side, the largest first.

    Args:
        graph: The last one of a session, so that anchors keep their places from step to step.
    """
    return placed(graph.by_key, ((relation.source, relation.target) for relation in graph.relations))


def placed(keys: Collection[str], pairs: Iterable[tuple[str, str]]) -> Places:
    """The same for any graph, of which these are the nodes and those that are joined."""
    from networkx import Graph, connected_components

    whole: Graph[str] = Graph()
    whole.add_nodes_from(keys)
    whole.add_edges_from(pairs)
    parts = [[key for key in keys if key in part] for part in connected_components(whole)]
    parts.sort(key=len, reverse=True)
    return _packed([_part(whole, part) for part in parts])


def _part(whole: Graph[str], keys: Sequence[str]) -> Places:
    """The places within a part, the lower left corner at 0, relations of length 1 in the mean."""
    from networkx import Graph, kamada_kawai_layout, spring_layout

    if len(keys) == 1:
        return {keys[0]: (0.0, 0.0)}
    part: Graph[str] = Graph()  # a subgraph keeps a set of its nodes, whose order is another one in every process
    part.add_nodes_from(keys)
    part.add_edges_from((key, other) for key in keys for other in whole[key])
    exact = len(keys) <= MOST_EXACT
    found = kamada_kawai_layout(part) if exact else spring_layout(part, seed=SEED, iterations=100)
    length = sum(math.dist(found[one], found[other]) for one, other in part.edges) / part.number_of_edges()
    left, low = (min(float(place[axis]) for place in found.values()) for axis in (0, 1))
    scale = 1 / length if length else 1.0
    return {key: ((float(x) - left) * scale * STRETCH, (float(y) - low) * scale) for key, (x, y) in found.items()}


def _packed(parts: Sequence[Places]) -> Places:
    """The parts in rows from the top, none wider than the whole is to be."""
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
