"""The greedy search compared with one that examines all candidates in each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.greedy_gain import GreedyPick, greedy_gain
from tetragraph.errors import InvalidInput

Edges = dict[str, list[tuple[str, float]]]
WEIGHTS = (0.0, 0.1, 0.4, 0.7, 0.95)


def world(seed: int, size: int) -> tuple[dict[str, float], Edges]:
    """Seeds and edges among ``size`` nodes, with few different weights, so that there are ties."""
    rng = np.random.default_rng(seed)
    names = [f"n{place}" for place in range(size)]
    edges = {
        name: [(other, float(rng.choice(WEIGHTS))) for other in names if other != name and rng.random() < 0.3]
        for name in names
    }
    return {name: float(rng.choice([0.0, 0.2, 0.4])) for name in names if rng.random() < 0.4}, edges


def by_hand(seeds: Mapping[str, float], edges: Edges) -> list[GreedyPick]:
    """Everything that can be taken is looked at in each turn."""
    taken: list[GreedyPick] = []
    best = max(seeds.values(), default=0.0)
    begin: list[tuple[float, int, str, str | None]] = [
        (-share / best, -1, node, None) for node, share in seeds.items() if share
    ]
    while True:
        offers = list(begin)
        for turn, one in enumerate(taken):
            offers += [(-one.value * weight, turn, node, one.node) for node, weight in edges[one.node] if weight]
        open_offers = [offer for offer in offers if offer[2] not in {one.node for one in taken}]
        if not open_offers:
            return taken
        value, _, node, source = min(open_offers, key=lambda offer: (*offer[:3], offer[3] or ""))
        taken.append(GreedyPick(node, -value, source))


@given(st.integers(0, 10_000), st.integers(0, 14))
def test_each_turn_takes_what_is_worth_most(seed: int, size: int) -> None:
    seeds, edges = world(seed, size)
    found = list(greedy_gain(seeds, lambda nodes: {node: edges[node] for node in nodes}))
    assert found == by_hand(seeds, edges)
    values = [one.value for one in found]
    assert values == sorted(values, reverse=True)


def test_edges_of_a_node_are_asked_for_once_and_for_many_at_a_time() -> None:
    seeds, edges = {"a": 0.5, "b": 0.25}, {"a": [("c", 0.9), ("d", 0.8)], "b": [], "c": [("a", 1.0)], "d": []}
    asked: list[Sequence[str]] = []

    def onwards(nodes: Sequence[str]) -> Edges:
        asked.append(nodes)
        return {node: edges[node] for node in nodes}

    assert [one.node for one in greedy_gain(seeds, onwards)] == ["a", "c", "d", "b"]
    assert asked == [["a", "b"], ["c", "d"]]


def test_nothing_is_looked_up_before_it_is_wanted() -> None:
    def onwards(nodes: Sequence[str]) -> Edges:
        pytest.fail(f"edges of {nodes} were asked for")

    assert next(greedy_gain({"a": 0.5}, onwards)) == GreedyPick("a", 1.0, None)


def test_without_seeds_nothing_is_taken() -> None:
    assert list(greedy_gain({}, lambda _: {})) == []
    assert list(greedy_gain({"a": 0.0}, lambda _: {})) == []


def test_a_weight_above_one_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"weights of edges must be 0 to 1, got 1\.5 from 'a' to 'b'"):
        list(greedy_gain({"a": 1.0}, lambda _: {"a": [("b", 1.5)]}))
