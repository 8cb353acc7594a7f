"""From facts to further facts over shared entities: as in the paper, and by similarity."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.systems.bipartite_graph.dual_path import FactQuestion, compare
from tetragraph.systems.bipartite_graph.options import WEIGHTS, Bounds
from tetragraph.systems.bipartite_graph.traversal import Traversal, by_similarity, by_structure

if TYPE_CHECKING:
    from tetragraph.stores.corpus import Question

    from .conftest import Given, Graph

MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
Ask = Callable[..., "Question"]
Walk = Callable[..., Traversal]
FAR = Bounds(10, 1000)


def cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def never() -> bool:
    return False


def asked(
    graph: Graph, question: Question, *names: str, allowed: str = "", weights: tuple[float, float] = (0, 0)
) -> FactQuestion:
    (compared,) = compare(graph.index, question, [question.text])
    mask = graph.index.table.mask(allowed.split() or None)
    return FactQuestion(graph.index, compared, graph.entities(*names), chunk=weights[0], names=weights[1], allowed=mask)


@pytest.fixture
def walk(ask: Ask) -> Walk:
    """The paper's traversal of a graph."""

    def make(graph: Graph, starts: Sequence[int], bounds: Bounds = FAR, hub: int = 200, **given: Any) -> Traversal:
        is_late = given.pop("is_late", never)
        return by_structure(asked(graph, ask(), **given), np.array(starts, dtype=np.int64), bounds, hub, is_late)

    return make


@pytest.fixture
def chain(make_graph: MakeGraph, fact: Fact) -> Graph:
    """A chain of facts: 0 -Bo- 1 -Cy- 2 -Di- 3, and 4 beside it."""
    links = [("Ada", "Bo"), ("Bo", "Cy"), ("Cy", "Di"), ("Di", "Eve"), ("Fay", "Gus")]
    return make_graph([fact(*pair) for pair in links])


def test_each_hop_crosses_the_entities_that_the_one_before_found(chain: Graph, walk: Walk) -> None:
    found = walk(chain, [0])
    assert found.reached.keys() == {0, 1, 2, 3}
    last = found.reached[3]
    assert (last.facts, last.entities) == ((0, 1, 2, 3), tuple(chain.entities("Bo", "Cy", "Di")))
    assert found.hops == [(1, 1), (2, 1), (3, 1), (4, 0)]
    assert found.stopped == "nothing further"


@pytest.mark.parametrize(
    ("bounds", "reached", "stopped"),
    [
        (Bounds(0, 10), {0}, "hops"),
        (Bounds(2, 10), {0, 1, 2}, "hops"),
        (Bounds(9, 1), {0}, "facts"),
        (Bounds(9, 3), {0, 1, 2}, "facts"),
    ],
)
def test_it_stops_at_its_bounds(chain: Graph, walk: Walk, bounds: Bounds, reached: set[int], stopped: str) -> None:
    found = walk(chain, [0], bounds)
    assert (set(found.reached), found.stopped) == (reached, stopped)


def test_it_stops_when_there_is_no_more_time(chain: Graph, walk: Walk) -> None:
    late = iter([False, False, True])
    found = walk(chain, [0], is_late=lambda: next(late))
    assert (set(found.reached), found.stopped) == ({0, 1, 2}, "time")


def test_a_hop_is_made_whole_and_the_best_of_all_are_kept(make_graph: MakeGraph, fact: Fact, walk: Walk) -> None:
    """Line 41: a target of two is passed by four."""
    graph = make_graph([fact("Ada", "Bo"), *(fact("Ada", name) for name in ("Cy", "Di", "Eve"))])
    found = walk(graph, [0], Bounds(3, 2))
    assert len(found.reached) == 4
    assert found.best(2) == [1, 2]


def test_facts_are_ranked_by_degree_then_weight_then_id(make_graph: MakeGraph, fact: Fact, walk: Walk) -> None:
    graph = make_graph(
        [
            fact("Ada", "Bo"),  # a start: its own degree, 2
            fact("Ada", "Cy", chunks=(0, 1)),  # Ada takes part in five: 5 + 2, stated twice
            fact("Ada", "Di"),
            fact("Ada", "Cy", "Di", "Eve"),  # 5 + 4
            fact("Ada", "Eve"),
        ]
    )
    found = walk(graph, [0])
    assert found.best(9) == [3, 1, 2, 4, 0]
    assert [math.floor(found.reached[row].score) for row in found.best(9)] == [9, 7, 7, 7, 2]


def test_no_weight_is_worth_a_degree(make_graph: MakeGraph, fact: Fact, walk: Walk) -> None:
    graph = make_graph([fact("Ada", "Bo", chunks=range(50)), fact("Cy", "Di", "Eve")], (0,) * 50)
    assert walk(graph, [0, 1]).best(2) == [1, 0]


def test_of_a_hub_only_the_facts_most_like_the_question_are_followed(
    make_graph: MakeGraph, fact: Fact, walk: Walk
) -> None:
    graph = make_graph([fact("Ada", f"Bo{n}", degrees=degrees) for n, degrees in enumerate((0, 40, 20, 60, 30))])
    assert walk(graph, [0], hub=3).reached.keys() == {0, 2, 4}
    assert walk(graph, [0], hub=5).reached.keys() == {0, 1, 2, 3, 4}


def test_of_equal_facts_of_a_hub_the_smaller_ids_are_followed(make_graph: MakeGraph, fact: Fact, walk: Walk) -> None:
    graph = make_graph([fact("Ada", f"Bo{n}") for n in range(5)])
    assert walk(graph, [4], hub=2).reached.keys() == {0, 1, 4}


def test_facts_that_may_not_be_found_are_not_gone_through(make_graph: MakeGraph, fact: Fact, walk: Walk) -> None:
    graph = make_graph(
        [fact("Ada", "Bo"), fact("Bo", "Cy", chunks=(1,)), fact("Cy", "Di"), fact("Bo", "Eve", chunks=(1, 2))]
    )
    found = walk(graph, [0], allowed="c0 c2")
    assert found.reached.keys() == {0, 3}


def test_nothing_to_start_from_leads_nowhere(make_graph: MakeGraph, chain: Graph, walk: Walk, ask: Ask) -> None:
    for graph in (chain, make_graph([])):
        found = walk(graph, [])
        assert (found.reached, found.hops, found.stopped) == ({}, [], "nothing further")
    empty = by_similarity(asked(make_graph([]), ask()), np.array([], dtype=np.int64), FAR, 9, never)
    assert (empty.best(9), empty.stopped) == ([], "nothing further")


Facts = list[tuple[list[str], int]]
"""Who takes part, and how many chunks state it."""
FACTS = st.lists(
    st.tuples(st.lists(st.sampled_from("ABCDEFGH"), min_size=2, max_size=4, unique=True), st.integers(1, 3)),
    min_size=1,
    max_size=12,
)


def algorithm_4(facts: Facts, starts: list[int], hops: int, count: int) -> list[tuple[int, int, int]]:
    """The pseudo-code, line by line: rows with degree and weight; entities of a frontier in order of being found."""
    degree = {name: sum(name in members for members, _ in facts) for name in "ABCDEFGH"}
    collected = [(row, len(facts[row][0]), facts[row][1]) for row in starts]  # line 1
    frontier = sorted({name for row in starts for name in facts[row][0]})
    visited_entities, visited_relations, hop = set(frontier), set(starts), 1  # lines 2 to 5
    while hop <= hops and len(collected) < count:  # line 7
        following: list[str] = []
        new = []
        for name in frontier:  # line 12
            for row, (members, weight) in enumerate(facts):
                if name in members and row not in visited_relations:
                    visited_relations.add(row)
                    new.append((row, degree[name] + len(members), weight))  # lines 18 to 20
                    fresh = [other for other in sorted(members) if other not in visited_entities]
                    visited_entities.update(fresh)
                    following += fresh  # lines 23 to 27
        new.sort(key=lambda one: (one[1], one[2]), reverse=True)
        collected.extend(new)  # lines 30 and 31
        frontier, hop = following, hop + 1
        if not frontier:
            break
    return sorted(collected, key=lambda one: (-one[1], -one[2], one[0]))[:count]  # lines 40 and 41


@given(FACTS, st.data())
@settings(max_examples=150, deadline=None)
def test_the_traversal_is_algorithm_4(
    make_graph: MakeGraph, fact: Fact, ask: Ask, facts: Facts, data: st.DataObject
) -> None:
    starts = data.draw(st.lists(st.integers(0, len(facts) - 1), min_size=1, max_size=3, unique=True))
    bounds = Bounds(data.draw(st.integers(0, 4)), data.draw(st.integers(1, 14)))
    graph = make_graph([fact(*members, chunks=range(count)) for members, count in facts], (0, 0, 0))
    found = by_structure(asked(graph, ask()), np.array(starts), bounds, 200, never)
    expected = algorithm_4(facts, starts, bounds.hops, bounds.facts)
    assert found.best(bounds.facts) == [row for row, _, _ in expected]
    for row, degree, weight in expected:
        assert found.reached[row].score == pytest.approx(degree + weight / (1 + weight))


@pytest.fixture
def ways(ask: Ask) -> Walk:
    """The traversal by similarity; without bonuses for chunks and names where no weights are given."""

    def make(graph: Graph, starts: Sequence[int], hops: int = 1, hub: int = 200, **given: Any) -> Traversal:
        names = given.pop("names", ())
        bounds = Bounds(hops, given.pop("facts", 1000))
        question = asked(graph, ask(), *names, **given)
        return by_similarity(question, np.array(starts, dtype=np.int64), bounds, hub, never)

    return make


CROSSED = WEIGHTS.telling
"""Of the logarithm of what crossing an entity tells."""


def test_two_facts_that_say_the_question_together_outrank_one_that_says_half(
    make_graph: MakeGraph, fact: Fact, ways: Walk
) -> None:
    """At 60 and -60 degrees each says half of it; together all. Chunks point to where facts do: no bonus is left."""
    graph = make_graph(
        [fact("Ada", "Bo", degrees=60), fact("Bo", "Cy", chunks=(1,), degrees=-60), fact("Di", "Eve", degrees=50)],
        (60, -60),
    )
    found = ways(graph, [0])
    telling = math.log(math.log(1 + 3 / 2) / math.log(1 + 3))  # Bo takes part in two of three facts
    together = 1 + CROSSED * telling + WEIGHTS.chunk * (cos(60) - cos(60))
    assert found.best(9) == [0, 1, 2]
    assert found.reached[1].score == pytest.approx(together)
    assert (found.reached[1].facts, found.reached[1].entities) == ((0, 1), (graph.entity("Bo"),))
    assert found.reached[0].score == pytest.approx(together), "a start is worth what it is worth with its best sequel"
    assert found.reached[2].score == pytest.approx(cos(50))


def test_a_fact_of_the_same_chunk_continues_no_way(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    graph = make_graph([fact("Ada", "Bo", degrees=60), fact("Bo", "Cy", degrees=-60)])
    found = ways(graph, [0])
    assert [one.entities for one in found.reached.values()] == [(), ()]
    assert found.hops == [(1, 0)]


@pytest.mark.parametrize(("kind", "less"), [("PERSON", 0.0), ("CONCEPT", WEIGHTS.unnamed), ("DATE", WEIGHTS.unnamed)])
@pytest.mark.parametrize(("about", "more"), [((), 0.0), (("Bo",), WEIGHTS.about), (("Cy",), 0.0)])
def test_crossing_a_name_that_the_next_chunk_is_about_counts_and_one_that_is_no_name_costs(
    make_graph: MakeGraph, fact: Fact, ways: Walk, kind: str, less: float, about: tuple[str, ...], more: float
) -> None:
    facts = [fact("Ada", "Bo"), fact("Bo", "Cy", chunks=(1,), about=about)]
    found = ways(make_graph(facts, types={"Bo": kind}), [0])
    telling = math.log(math.log(2) / math.log(3))
    assert found.reached[1].score == pytest.approx(max(1, 1 + CROSSED * telling + more - less))


def test_a_start_hands_on_half_of_what_its_names_and_chunk_add(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    facts = [fact("Ada", "Bo", degrees=60), fact("Bo", "Cy", chunks=(1,), degrees=-60)]
    graph = make_graph(facts, (0, 60))
    found = ways(graph, [0], names=("Ada",), weights=(0.4, 0.1))
    extra = 0.4 * (1 - cos(60)) + 0.1  # all that a name of one of two facts tells
    telling = math.log(math.log(2) / math.log(3))
    assert found.reached[1].score == pytest.approx(1 + CROSSED * telling + WEIGHTS.carried * extra)
    assert found.reached[1].score == found.reached[0].score


def test_the_better_of_two_ways_to_a_fact_is_kept(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    facts = [fact("Ada", "Bo", degrees=30), fact("Cy", "Bo", chunks=(1,), degrees=50)]
    graph = make_graph([*facts, fact("Bo", "Di", chunks=(2,), degrees=-50)])
    assert ways(graph, [0, 1]).reached[2].facts == (1, 2)
    assert ways(graph, [0]).reached[2].facts == (0, 2)


def test_further_hops_lengthen_the_ways(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    links = [("Ada", "Bo", 0, 60), ("Bo", "Cy", 1, 60), ("Cy", "Di", 2, -90)]
    graph = make_graph([fact(*pair, chunks=(chunk,), degrees=degrees) for *pair, chunk, degrees in links])
    assert ways(graph, [0], hops=1).reached[2].facts == (2,)
    assert ways(graph, [0], hops=2).reached[2].facts == (0, 1, 2)
    assert ways(graph, [0], hops=0).hops == []


def test_no_further_hop_is_made_when_there_are_facts_enough(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    graph = make_graph([fact("Ada", "Bo"), fact("Bo", "Cy", chunks=(1,))])
    found = ways(graph, [0], facts=1)
    assert (found.hops, found.stopped, found.best(1)) == ([], "facts", [0])


def test_facts_that_cancel_each_other_out_say_nothing_together(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    graph = make_graph([fact("Ada", "Bo", degrees=37), fact("Bo", "Cy", chunks=(1,), degrees=217)], (37, 217))
    found = ways(graph, [0])
    assert found.reached[1].score == pytest.approx(CROSSED * math.log(math.log(2) / math.log(3)), abs=1e-3)
    assert found.reached[0].score == pytest.approx(cos(37))


def test_ways_and_hubs_keep_to_what_may_be_found(make_graph: MakeGraph, fact: Fact, ways: Walk) -> None:
    facts = [fact("Ada", "Bo"), fact("Bo", "Cy", chunks=(1,)), fact("Bo", "Di", chunks=(2,), degrees=60)]
    graph = make_graph([*facts, fact("Bo", "Eve", chunks=(2,), degrees=40)])
    found = ways(graph, [0], allowed="c0 c2", hub=2)
    assert found.reached.keys() == {0, 2, 3}
    assert [found.reached[row].facts for row in (2, 3)] == [(2,), (0, 3)]
