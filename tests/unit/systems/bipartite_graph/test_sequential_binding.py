"""Sub-questions answered one after the other, as in the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from tetragraph.language.questions.answer_type import ExpectedAnswer
from tetragraph.language.questions.variables import FINAL, SubQuery
from tetragraph.systems.bipartite_graph.sequential_binding import bind_sequentially

if TYPE_CHECKING:
    from .conftest import Given, Graph

MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
DIRECTOR = "the director of Silver Harbour"
TYPES = {"Silver Harbour": "WORK", "Ghent": "PLACE", "Bergen": "PLACE", "storm": "CONCEPT"}


def two_steps(*expected: str) -> tuple[SubQuery, ...]:
    return (
        SubQuery(DIRECTOR, "var1", (), ExpectedAnswer(expected), ()),
        SubQuery("Where was {var1} born?", FINAL, ("var1",), ExpectedAnswer(), ("the director",)),
    )


class Retriever:
    """Gives fixed facts for each text, and keeps what it was asked."""

    def __init__(self, found: Mapping[str, Sequence[int]]) -> None:
        self.found = found
        self.asked: list[str] = []

    def __call__(self, text: str) -> Sequence[int]:
        self.asked.append(text)
        return self.found.get(text, ())


@pytest.fixture
def graph(make_graph: MakeGraph, fact: Fact) -> Graph:
    facts = [fact("Silver Harbour", "Ghent", "storm"), fact("Silver Harbour", "Ada Byron"), fact("Ada Byron", "Bergen")]
    return make_graph(facts, types=TYPES)


def test_the_answer_of_the_first_is_put_into_the_words_of_the_second(graph: Graph) -> None:
    retrieve = Retriever({DIRECTOR: [0, 1], "Where was Ada Byron born?": [2]})
    first, second = bind_sequentially(graph.index, two_steps("PERSON"), retrieve)
    assert retrieve.asked == [DIRECTOR, "Where was Ada Byron born?"]
    assert first.bound == {graph.entity("Ada Byron"): 1.0}
    assert (second.facts, second.bound) == ({2: 1.0}, {})


def test_facts_share_by_their_reciprocal_ranks(graph: Graph) -> None:
    first, _ = bind_sequentially(graph.index, two_steps("PERSON"), Retriever({DIRECTOR: [1, 0, 2]}))
    assert first.facts == pytest.approx({1: 6 / 11, 0: 3 / 11, 2: 2 / 11})


@pytest.mark.parametrize(
    ("expected", "bound"),
    [
        (("PERSON",), "Ada Byron"),  # of the second fact: the first offers none
        (("PLACE",), "Ghent"),
        (("CONCEPT",), "storm"),
        ((), "Ghent"),  # in order of the entities, and no concept
        (("EVENT",), None),
        (("WORK",), None),  # the question names the only one
    ],
)
def test_the_first_participant_of_the_expected_type_is_the_answer(
    graph: Graph, expected: tuple[str, ...], bound: str | None
) -> None:
    first, _ = bind_sequentially(graph.index, two_steps(*expected), Retriever({DIRECTOR: [0, 1]}))
    assert first.bound == ({} if bound is None else {graph.entity(bound): 1.0})


def test_one_of_an_unknown_type_is_the_answer_where_none_has_the_expected(make_graph: MakeGraph, fact: Fact) -> None:
    graph = make_graph([fact("Silver Harbour", "Ghent", "Zed")], types={**TYPES, "Zed": ""})
    first, _ = bind_sequentially(graph.index, two_steps("PERSON"), Retriever({DIRECTOR: [0]}))
    assert first.bound == {graph.entity("Zed"): 1.0}


def test_without_an_answer_the_second_says_what_kind_of_thing_is_meant(graph: Graph) -> None:
    retrieve = Retriever({})
    first, second = bind_sequentially(graph.index, two_steps("PERSON"), retrieve)
    assert retrieve.asked == [DIRECTOR, "Where was the director born?"]
    assert (first.facts, first.bound, second.facts) == ({}, {}, {})
