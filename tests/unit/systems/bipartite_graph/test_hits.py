"""Facts as results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tetragraph.model import NAMED, SIMILAR, FactStatement
from tetragraph.systems.bipartite_graph.hits import (
    SHOWN,
    Ranked,
    ScoreContributions,
    chunk_scores,
    found_facts,
    hits,
)
from tetragraph.systems.bipartite_graph.traversal import Reached

if TYPE_CHECKING:
    from .conftest import Given, Graph

MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
ALL = np.ones(4, dtype=bool)
NOTHING = ScoreContributions({}, {}, np.zeros(0, dtype=np.int64))


@pytest.fixture
def graph(make_graph: MakeGraph, fact: Fact) -> Graph:
    facts = [fact("Ada", "Bo", chunks=(0, 2)), fact("Bo", "Cy", chunks=(1,), confidence=0.7), fact("Di", "Eve")]
    return make_graph(facts, types={"Cy": "PLACE"})


@pytest.fixture
def ranked(graph: Graph) -> Ranked:
    """The first fact is Ada's, whom the question names; the second was reached over Bo."""
    ways = {0: Reached(0.5, (0,)), 1: Reached(0.8, (0, 1), (graph.entity("Bo"),))}
    return Ranked({0: 0.5, 1: 0.8}, ways, frozenset([0]))


def test_a_fact_tells_who_takes_part_where_it_is_stated_and_how_it_was_reached(graph: Graph, ranked: Ranked) -> None:
    first, second = found_facts(graph.index, ranked, ALL, 10)
    assert (first.rank, first.relation, first.score, first.confidence, first.weight, first.hop) == (
        (1, "r01", 0.8, 0.7, 1, 1)
    )
    assert [(one.name, one.type, one.role) for one in first.participants] == [
        ("Bo", "PERSON", "role 0"),
        ("Cy", "PLACE", "role 1"),
    ]
    assert [(step.source, step.target, step.via, step.label) for step in first.path] == [
        ("question", "r00", "SEED", NAMED),
        ("r00", first.participants[0].entity, "PARTICIPATES_IN", "Bo"),
        (first.participants[0].entity, "r01", "PARTICIPATES_IN", "Fact 1."),
    ]
    assert (second.rank, second.hop, second.weight) == (2, 0, 2)
    assert second.statements == (FactStatement("c0", 0, 5), FactStatement("c2", 1, 6))


def test_only_statements_that_may_be_found_are_shown(graph: Graph, ranked: Ranked) -> None:
    (_, second) = found_facts(graph.index, ranked, graph.index.table.mask(["c1", "c2"]), 10)
    assert second.statements == (FactStatement("c2", 1, 6),)


def test_equal_facts_are_in_order_of_id_and_the_best_are_kept(graph: Graph) -> None:
    ways = {row: Reached(0.5, (row,)) for row in (2, 1, 0)}
    ranked = Ranked({2: 0.5, 1: 0.5, 0: 0.4}, ways, frozenset())
    assert [one.relation for one in found_facts(graph.index, ranked, ALL, 2)] == ["r01", "r02"]
    assert found_facts(graph.index, ranked, ALL, 1)[0].path[0].label == SIMILAR


def test_a_chunk_is_worth_its_best_fact(graph: Graph) -> None:
    ways = {row: Reached(0.0, (row,)) for row in range(3)}
    assert chunk_scores(graph.index, Ranked({0: 0.2, 1: 0.7, 2: 0.6}, ways, frozenset())).tolist() == [0.6, 0.7, 0.2, 0]
    assert chunk_scores(graph.index, Ranked({}, {}, frozenset())).tolist() == [0] * 4


def test_hits_carry_the_facts_that_they_state_and_the_way_to_the_best(graph: Graph, ranked: Ranked) -> None:
    parts = {"facts": np.array([0.5, 0.8, 0.5, 0.0]), "similarity": np.array([0.1, 0.0, 0.3, 0.2])}
    found = hits(graph.index, ranked, parts, NOTHING, ALL, 10)
    assert [(hit.rank, hit.chunk.id, hit.score) for hit in found] == [
        (1, "c1", 0.8),
        (2, "c2", 0.8),
        (3, "c0", 0.6),
        (4, "c3", 0.2),
    ]
    assert [[one.relation for one in hit.facts] for hit in found] == [["r01"], ["r00"], ["r00"], []]
    assert found[1].facts[0].rank == 2, "ranks are those among all facts"
    assert [dict(hit.parts) for hit in found[:2]] == [{"facts": 0.8}, {"facts": 0.5, "similarity": 0.3}]
    steps = found[0].path
    assert steps[:-1] == found[0].facts[0].path
    assert (steps[-1].source, steps[-1].target, steps[-1].via, steps[-1].label) == ("r01", "c1", "STATED_IN", "Fact 1.")
    assert [(step.target, step.label) for step in found[3].path] == [("c3", SIMILAR)]


def test_a_hit_tells_which_facts_its_parts_came_from(graph: Graph, ranked: Ranked) -> None:
    parts = {"facts": np.array([0.5, 0.8, 0.5, 0.0]), "sub_queries": np.array([1.0, 0.0, 0.0, 0.0])}
    brought = ScoreContributions({0: 0.5, 1: 0.8}, {0: 0.9, 1: 0.3}, np.array([0, 0, 3]))
    best, other, third = hits(graph.index, ranked, parts, brought, ALL, 3)
    told = [(one.part, one.label, one.value, one.path[-1].target) for one in best.contributions]
    assert told == [("facts", "Fact 0.", 0.5, "c0"), ("sub_queries", "Fact 0.", 1.0, "c0")], "the part is bounded by 1"
    assert [(one.part, one.value) for one in other.contributions] == [("facts", 0.8)], "its home is another chunk"
    assert [step.via for step in other.contributions[0].path] == [
        "SEED",
        "PARTICIPATES_IN",
        "PARTICIPATES_IN",
        "STATED_IN",
    ]
    assert [one.value for one in third.contributions] == [0.5]


def test_a_hit_carries_the_best_of_many_facts(make_graph: MakeGraph, fact: Fact) -> None:
    count = SHOWN + 3
    graph = make_graph([fact("Ada", f"Bo{n}") for n in range(count)])
    ranked = Ranked({n: n / 10 for n in range(count)}, {n: Reached(0, (n,)) for n in range(count)}, frozenset())
    (hit,) = hits(graph.index, ranked, {"facts": chunk_scores(graph.index, ranked)}, NOTHING, ALL, 1)
    assert [one.rank for one in hit.facts] == list(range(1, SHOWN + 1))
    assert hit.facts[0].relation == f"r{count - 1:02d}"


def test_there_are_never_fewer_hits_than_asked_for_nor_any_that_may_not_be_found(graph: Graph, ranked: Ranked) -> None:
    parts = {"facts": np.full(4, -1.0)}
    assert [hit.chunk.id for hit in hits(graph.index, ranked, parts, NOTHING, ALL, 3)] == ["c0", "c1", "c2"]
    some = graph.index.table.mask(["c3", "c1"])
    assert [hit.chunk.id for hit in hits(graph.index, ranked, parts, NOTHING, some, 100)] == ["c1", "c3"]
    assert hits(graph.index, ranked, parts, NOTHING, np.zeros(4, dtype=bool), 5) == ()
