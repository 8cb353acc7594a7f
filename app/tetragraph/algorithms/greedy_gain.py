"""Greedy traversal of a graph of gains: always on to the node of the highest value."""

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
        source: The earlier node from which it was reached; None for a seed.
    """

    node: str
    value: float
    source: str | None


Onwards = Callable[[Sequence[str]], Mapping[str, Sequence[tuple[str, float]]]]
"""Function that returns outgoing edges: for each node the targets, with the weights of the edges."""


def greedy_gain(seeds: Mapping[str, float], onwards: Onwards) -> Iterator[GreedyPick]:
    """Nodes in the order in which a greedy search takes them.

    The first node is the best seed. Each further one is the node of the highest value: the value of a seed is its
    share divided by the best seed's, that of any other node the weight of an edge that leads to it times the value of
    the earlier node that the edge leaves, for the best such edge. So values never rise. Ties go to the node whose
    source was taken first, then to the smaller id.

    Args:
        seeds: Node to a nonnegative share; nodes of share 0 are ignored.
        onwards: Returns edges of weights 0 to 1; those of 0 are ignored. Called once for each node, for many at once.

    Raises:
        InvalidInput: an edge has a weight above 1 or below 0.

    Source:
        iG²RAG (2025), section 6.1, the variant "w/ GS" of table 4. The paper states only that a greedy strategy
        replaces the walk, and that the walk's gain lies in finding combinations over many rounds; the candidates and
        the criterion of "greedy" are an interpretation.

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
