"""Names in a question, similarity of facts to it, and the two paths to the first facts of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tetragraph.systems.bipartite_graph.dual_path import (
    FactQuestion,
    by_confidence,
    by_similarity,
    compare,
    find_names,
    fuse,
)

if TYPE_CHECKING:
    from tetragraph.stores.corpus import Question

    from .conftest import Given, Graph

MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
Ask = Callable[..., "Question"]
ONE = np.array([1.0, 0.0], dtype=np.float32)
"""The direction of the question."""
COS = {degrees: np.cos(np.radians(degrees)) for degrees in (10, 30, 60, 80)}


def rows(*given: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(given, dtype=np.int64)


@pytest.fixture
def asked(ask: Ask) -> Callable[..., FactQuestion]:
    """The question compared with the facts of a graph, of whose chunks only those of ``allowed`` may be found."""

    def make(graph: Graph, *names: str, chunk: float = 0.0, weight: float = 0.0, allowed: str = "") -> FactQuestion:
        (compared,) = compare(graph.index, ask(), ["What is it?"])
        mask = graph.index.table.mask(allowed.split() or None)
        return FactQuestion(graph.index, compared, graph.entities(*names), chunk=chunk, names=weight, allowed=mask)

    return make


def test_the_longest_names_are_found_from_left_to_right(make_graph: MakeGraph, fact: Fact) -> None:
    graph = make_graph([fact("Ada Byron", "Ghent"), fact("Ada Byron School", "Bergen")])
    text = "Did Ghent pay for Ada Byron School, or did Ada Byron of Ghent?"
    found = find_names(graph.index, text)
    assert found.entities.tolist() == graph.entities("Ada Byron", "Ada Byron School", "Ghent").tolist()
    assert [text[start:end] for start, end in found.spans] == ["Ghent", "Ada Byron School", "Ada Byron", "Ghent"]


def test_a_name_that_was_merged_means_its_entity(make_graph: MakeGraph, fact: Fact) -> None:
    graph = make_graph([fact("Ada Byron", "Ghent")], aliases={"Ada": "Ada Byron"})
    assert find_names(graph.index, "Where was Ada?").entities.tolist() == [graph.entity("Ada Byron")]


def test_an_entity_of_its_own_is_no_alias(make_graph: MakeGraph, fact: Fact) -> None:
    graph = make_graph([fact("Ada Byron", "Ada")], aliases={"Ada": "Ada Byron"})
    assert find_names(graph.index, "Where was Ada?").entities.tolist() == [graph.entity("Ada")]


def test_words_for_concepts_and_numbers_name_nothing(make_graph: MakeGraph, fact: Fact) -> None:
    types = {"Great Storm": "CONCEPT", "Forty Two": "OTHER", "Ghent": "PLACE"}
    graph = make_graph([fact("Great Storm", "Forty Two", "Ghent")], types=types)
    found = find_names(graph.index, "Did the Great Storm take Forty Two of Ghent?")
    assert found.entities.tolist() == [graph.entity("Ghent")]


@pytest.mark.parametrize("text", ["", "???", "who was it", "{x} {", "谁写了这本小说?"])
def test_a_question_without_names_has_none(make_graph: MakeGraph, fact: Fact, text: str) -> None:
    found = find_names(make_graph([fact("Ada Byron", "Ghent")]).index, text)
    assert (found.entities.tolist(), found.spans) == ([], ())


def test_several_texts_are_compared_at_once(make_graph: MakeGraph, fact: Fact, ask: Ask) -> None:
    graph = make_graph([fact("Ada", "Bo", degrees=60), fact("Ada", "Cy", degrees=10)])
    question = ask(directions={"Where?": 60.0})
    first, second = compare(graph.index, question, ["What is it?", "Where?"])
    assert first.cosines == pytest.approx([COS[60], COS[10]])
    assert second.cosines == pytest.approx([1, np.cos(np.radians(50))])


@pytest.mark.parametrize("count", [7, 15, 31, 63, 600])
@pytest.mark.parametrize("texts", [1, 2, 3])
def test_facts_that_say_the_same_are_equally_like_a_text_wherever_they_stand(
    make_graph: MakeGraph, fact: Fact, count: int, texts: int
) -> None:
    index = make_graph([fact("Ada", "Bo")]).index
    drawn = np.random.default_rng(count).normal(size=(1 + texts, 384)).astype(np.float32)
    index.vectors = np.repeat(drawn[:1], count, axis=0)
    together, alone = index.compare(drawn[1:]), [index.compare(drawn[1 + n : 2 + n])[0] for n in range(texts)]
    assert (together == together[:, :1]).all()
    assert (together == np.array(alone)).all()


def test_a_fact_is_as_like_the_question_as_itself_and_its_chunk_are(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    graph = make_graph([fact("Ada", "Bo", chunks=(1,), degrees=60)], (80, 30))
    assert asked(graph, chunk=0.4).scores == pytest.approx([0.6 * COS[60] + 0.4 * COS[30]])


def test_names_of_the_question_count_by_how_telling_they_are_up_to_a_sum(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    """Of three facts Ada is in all: ``log 2 / log 4``; the others are in one each, and tell all there is to tell."""
    graph = make_graph([fact("Ada", "Bo", "Cy"), fact("Ada", "Di"), fact("Ada", "Eve")], (0,))
    assert graph.index.information == pytest.approx([0.5, 1, 1, 1, 1])
    extra = asked(graph, "Ada", "Bo", "Cy", weight=0.1).extra
    assert extra == pytest.approx([0.15, 0.05, 0.05])  # the first has 2.5, and 1.5 at the most


def test_a_fact_that_only_other_chunks_state_is_out_of_reach(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    graph = make_graph(
        [fact("Ada", "Bo", chunks=(0, 2)), fact("Ada", "Cy", chunks=(1,)), fact("Bo", "Cy", chunks=(2,))]
    )
    found = asked(graph, allowed="c2")
    assert found.is_allowed.tolist() == [True, False, True]
    assert np.isneginf(found.scores).tolist() == [False, True, False]
    assert asked(graph, allowed="unknown").is_allowed.tolist() == [False] * 3


def test_where_a_chunk_may_not_be_found_the_next_that_states_the_fact_stands_for_it(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    graph = make_graph([fact("Ada", "Bo", chunks=(0, 1)), fact("Ada", "Cy", chunks=(0,))], (60, 10))
    everywhere, elsewhere = asked(graph, chunk=1.0), asked(graph, chunk=1.0, allowed="c1")
    assert (everywhere.home.tolist(), elsewhere.home.tolist()) == ([0, 0], [1, 0])
    assert (everywhere.scores[0], elsewhere.scores[0]) == pytest.approx((COS[60], COS[10]))


def test_ranks_of_both_paths_are_fused_with_the_constant_60_and_absence_gives_nothing() -> None:
    start = fuse(rows(3, 1), rows(1, 2), 10)
    assert start.fused.tolist() == [1, 3, 2]
    assert start.shares.tolist() == [[1 / 62, 1 / 61, 0], [1 / 61, 0, 1 / 62]]


def test_equal_ranks_in_different_paths_are_in_order_of_id_and_the_rest_is_cut_off() -> None:
    assert fuse(rows(5, 2), rows(4, 0), 3).fused.tolist() == [4, 5, 0]


def test_no_facts_are_fused_to_none() -> None:
    start = fuse(rows(), rows(), 10)
    assert (start.fused.tolist(), start.shares.tolist()) == ([], [[], []])


def test_facts_of_named_entities_and_facts_like_the_question_meet(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    facts = [fact("Bo", "Cy", degrees=30), fact("Ada", "Bo", degrees=60), fact("Di", "Ada", degrees=10)]
    graph = make_graph([*facts, fact("Ada", "Eve", degrees=80)])
    start = by_similarity(asked(graph, "Ada"), 2)
    assert start.entity_path.tolist() == [2, 1, 3]
    assert start.relation_path.tolist() == [2, 0]
    assert start.fused.tolist() == [2, 0]  # the fact at 60 degrees is second, too, and has the larger id
    assert start.shares.tolist() == [[1 / 61, 0], [1 / 61, 1 / 62]]


def test_both_paths_leave_out_what_may_not_be_found(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    graph = make_graph([fact("Ada", "Bo", chunks=(row,), degrees=10 * row) for row in range(3)], of_names={"Ada": 0})
    reachable = asked(graph, "Ada", allowed="c2")
    for start in (by_similarity(reachable, 9), by_confidence(reachable, ONE, 1, 9)):
        assert (start.entity_path.tolist(), start.relation_path.tolist()) == ([2], [2])


def test_the_paper_ranks_entities_and_facts_by_cosine_times_confidence(
    make_graph: MakeGraph, fact: Fact, asked: Callable[..., FactQuestion]
) -> None:
    """``k_E`` is 2: Cy is as near as can be, but hardly sure."""
    graph = make_graph(
        [
            fact("Ada", "Dot", degrees=10, confidence=0.5),
            fact("Ada", "Eve", degrees=60),
            fact("Bo", "Dot", degrees=30),
            fact("Cy", "Dot", degrees=30, confidence=0.9),
        ],
        of_names={"Ada": 30, "Bo": 10, "Cy": 0, "Dot": 80, "Eve": 80},
        sure={"Ada": 1.0, "Bo": 0.8, "Cy": 0.3},
    )
    start = by_confidence(asked(graph), ONE, 2, 3)
    assert start.entity_path.tolist() == [1, 0, 2]  # Ada .87, Bo .79; Ada's facts .5 and .49
    assert start.relation_path.tolist() == [2, 3, 1]  # .87, .78, .5
    assert start.fused.tolist() == [1, 2, 0]  # of equal ones the smaller id first
    assert start.shares.T.tolist() == [[1 / 61, 1 / 63], [1 / 63, 1 / 61], [1 / 62, 0]]


def test_a_graph_without_facts_gives_nothing_to_start_from(
    make_graph: MakeGraph, asked: Callable[..., FactQuestion]
) -> None:
    graph = make_graph([])
    for start in (by_similarity(asked(graph), 10), by_confidence(asked(graph), ONE, 10, 10)):
        assert start.fused.tolist() == []
    assert by_similarity(asked(graph, allowed="c0"), 10).fused.tolist() == []
