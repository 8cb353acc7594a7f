"""Greedy search through a graph of gains: always continues with the node of the highest value."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tetragraph.errors import InvalidInput


class GreedyPick(NamedTuple):
    """A node selected by the search.

    Attributes:
        node: Id of the node.
        value: Value of the path that led to it, above 0, at most 1.
        source: Node selected earlier from which it was reached; None for a seed.
    """

    node: str
    value: float
    source: str | None


Onwards = Callable[[Sequence[str]], Mapping[str, Sequence[tuple[str, float]]]]
"""Edges that leave nodes: function from nodes to their successors with edge weights."""


def greedy_gain(seeds: Mapping[str, float], onwards: Onwards) -> Iterator[GreedyPick]:
    """Yield nodes in the order in which a greedy search selects them.

    The search starts at the best seed, and then repeatedly selects the node of the highest value. The value of a seed
    is its share divided by that of the best seed; the value of any other node is the weight of an edge to it times the
    value of the selected node that the edge leaves, for the best such edge. So values never rise. Ties go to the node
    whose source was selected first, then to the smaller id.

    Args:
        seeds: Nonnegative share of each node; nodes of share 0 are no seeds.
        onwards: Returns the edges of nodes, with weights 0 to 1; edges of weight 0 are ignored. Called once for each
            node, for many nodes in one call.

    Raises:
        InvalidInput: an edge has a weight above 1 or below 0.

    Source:
        iG²RAG (2025), section 6.1, the variant "w/ GS" of table 4. The paper says no more than that a greedy strategy
        replaces the walk, and that the walk's gain lies in finding combinations over many rounds; the
        candidates and the criterion of the greedy choice are an interpretation.

    >>> edges = {"a": [("b", 0.9), ("c", 0.4)], "b": [("c", 0.5)]}
    >>> [(found.node, found.value) for found in greedy_gain({"a": 0.8}, lambda nodes: edges)]
    [('a', 1.0), ('b', 0.9), ('c', 0.45)]
    """
    best = max(seeds.values(), default=0.0)
    queue: list[tuple[float, int, str, str | None]] = [
        (-share / best, -1, node, None) for node, share in seeds.items() if share > 0
    ]
    heapq.heapify(queue)
    edges: dict[str, Sequence[tuple[str, float]]] = {}
    taken: set[str] = set()
    while queue:
        worth, _, node, source = heapq.heappop(queue)
        if node in taken:
            continue
        yield GreedyPick(node, -worth, source)
        if node not in edges:
            waiting = {node, *(entry[2] for entry in queue)} - taken - edges.keys()
            found = onwards(sorted(waiting))
            edges |= {one: found.get(one, ()) for one in waiting}
        for target, weight in edges[node]:
            if not 0 <= weight <= 1:
                raise InvalidInput(f"weights of edges must be 0 to 1, got {weight!r} from {node!r} to {target!r}")
            if weight and target not in taken:
                heapq.heappush(queue, (worth * weight, len(taken), target, node))
        taken.add(node)
