"""The greedy way through a graph of gains: always on to what seems to add most."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tetragraph.errors import InvalidInput


class GreedyPick(NamedTuple):
    """A node that the search took.

    Attributes:
        node: Id of the node.
        value: Value of the path that led to it, above 0, at most 1.
        source: Node taken earlier from which it was reached; None for a node taken as a seed.
    """

    node: str
    value: float
    source: str | None


Onwards = Callable[[Sequence[str]], Mapping[str, Sequence[tuple[str, float]]]]
"""Edges that leave nodes: for each node the nodes reached, with the weights of the edges."""


def greedy_gain(seeds: Mapping[str, float], onwards: Onwards) -> Iterator[GreedyPick]:
    """Yield nodes in the order in which a greedy search takes them.

    It begins at the best seed. Then, again and again, it takes the node that is worth most: a seed is worth its share
    of the best seed's, any other node the weight of an edge that leads to it times the value of the node, taken
    before, which the edge leaves; the best such edge counts. So values never rise. Of equals the one whose source was
    taken first is taken, then the one of the smaller id.

    Args:
        seeds: Nonnegative share of each node; nodes of share 0 are no seeds.
        onwards: Returns the edges of nodes, with weights 0 to 1; edges of weight 0 are ignored. Called once for each
            node, for many nodes in one call.

    Raises:
        InvalidInput: an edge has a weight above 1 or below 0.

    Source:
        iG²RAG (2025), section 6.1, the variant "w/ GS" of table 4. The paper says no more than that a greedy strategy
        takes the place of the walk, and that the walk's gain lies in finding combinations over many rounds; the
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
