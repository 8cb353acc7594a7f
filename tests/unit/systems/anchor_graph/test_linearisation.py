"""The graph as text: contents, order, and limits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.llm.cost import CHARACTERS
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph
from tetragraph.systems.anchor_graph.linearisation import Linearised, linearise

QUESTION = "Who is the sister of the mayor of Halvik?"
GRAPH = AnchorGraph(
    (
        Anchor("tarn", "Tarn", (), 1),
        Anchor("halvik", "Halvik", ("a town", "by the sea"), 1),
        Anchor("orla brandt", "Orla Brandt", ("mayor",), 1),
        Anchor("anna lund", "Anna Lund", (), 2),
        Anchor("skell", "Skell", (), 2),
    ),
    (
        Anchored("orla brandt", "is the mayor of", "halvik", 1),
        Anchored("anna lund", "is the sister of", "orla brandt", 2),
        Anchored("anna lund", "lives in", "skell", 2),
    ),
)
WHOLE = """\
Entities:
- Tarn
- Halvik (Attributes: a town, by the sea)
- Orla Brandt (Attributes: mayor)
- Anna Lund
- Skell
Relations:
- Orla Brandt -> is the mayor of -> Halvik
- Anna Lund -> is the sister of -> Orla Brandt
- Anna Lund -> lives in -> Skell"""


def names(text: str) -> list[str]:
    entities = text.partition("\nRelations:")[0].splitlines()[1:]
    return [line.removeprefix("- ").partition(" (")[0] for line in entities]


def test_equation_6_verbalises_every_entity_and_every_triple_in_their_order() -> None:
    assert linearise(GRAPH, QUESTION, tokens=500, anchors=50) == Linearised(WHOLE, math.ceil(len(WHOLE) / 4))


def test_a_graph_of_nothing_is_no_text() -> None:
    assert linearise(AnchorGraph(), QUESTION, tokens=500, anchors=50) == Linearised()


def test_without_relations_there_is_no_heading_for_them() -> None:
    assert linearise(AnchorGraph(GRAPH.anchors[:1]), "", tokens=500, anchors=50).text == "Entities:\n- Tarn"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (4, ["Halvik", "Orla Brandt", "Anna Lund", "Skell"]),  # Tarn is joined to nothing
        (3, ["Halvik", "Orla Brandt", "Anna Lund"]),  # Skell is three hops away
        (2, ["Halvik", "Orla Brandt"]),
        (1, ["Halvik"]),  # the question names it
    ],
)
def test_what_is_farthest_from_the_question_goes_first(most: int, kept: list[str]) -> None:
    found = linearise(GRAPH, QUESTION, tokens=500, anchors=most)
    assert names(found.text) == kept
    assert (found.dropped_anchors, found.dropped_relations) == (5 - most, 4 - most)


def test_at_the_same_distance_fewer_relations_go_first_and_then_what_was_added_later() -> None:
    graph = AnchorGraph(
        tuple(Anchor(name, name, (), 1) for name in ("a", "b", "c", "d")), (Anchored("d", "knows", "c", 1),)
    )
    assert [names(linearise(graph, "Why?", tokens=500, anchors=most).text) for most in (3, 2, 1)] == [
        ["a", "c", "d"],
        ["c", "d"],
        ["c"],
    ]


def test_relations_count_in_either_direction() -> None:
    turned = AnchorGraph(
        GRAPH.anchors, tuple(Anchored(one.target, one.phrase, one.source, one.step) for one in GRAPH.relations)
    )
    assert names(linearise(turned, QUESTION, tokens=500, anchors=2).text) == ["Halvik", "Orla Brandt"]


def test_a_relation_that_finds_no_room_goes_though_its_ends_stay() -> None:
    pair = AnchorGraph(
        (Anchor("a", "A", (), 1), Anchor("b", "B", (), 1)),
        tuple(Anchored("a", phrase, "b", 1) for phrase in ("x" * 20, "y" * 200, "z")),
    )
    found = linearise(pair, "A?", tokens=30, anchors=50)
    assert found.text == f"Entities:\n- A\n- B\nRelations:\n- A -> {'x' * 20} -> B"
    assert (found.dropped_anchors, found.dropped_relations) == (0, 2)
    assert found.note == ("left out of the text of the graph, as they are least connected to the question: 2 relations")


def test_where_not_even_the_first_anchor_fits_there_is_no_text_and_everything_is_said_to_be_dropped() -> None:
    graph = AnchorGraph((Anchor("a", "A" * 200, (), 1),))
    assert linearise(graph, "", tokens=50, anchors=9) == Linearised("", 0, 1)


def test_an_anchor_shows_its_first_attributes_and_says_how_many_are_not() -> None:
    graph = AnchorGraph((Anchor("a", "A", tuple(f"{number:02} " + "x" * 47 for number in range(9)), 1),))
    found = linearise(graph, "", tokens=500, anchors=9)
    assert found.text.count(" xxx") == 4
    assert (found.dropped_attributes, found.dropped_anchors) == (5, 0)
    assert "5 attributes" in found.note


def test_what_nothing_was_dropped_from_needs_no_note() -> None:
    assert linearise(GRAPH, QUESTION, tokens=500, anchors=50).note == ""


@pytest.mark.parametrize("tokens", range(1, 60))
def test_the_headings_count_too(tokens: int) -> None:
    found = linearise(GRAPH, QUESTION, tokens=tokens, anchors=50)
    assert len(found.text) <= tokens * CHARACTERS


@st.composite
def graphs(draw: st.DrawFn) -> AnchorGraph:
    """Graphs of up to twelve anchors in up to three steps."""
    count = draw(st.integers(0, 12))
    steps = sorted(draw(st.lists(st.integers(1, 3), min_size=count, max_size=count)))
    anchors = tuple(
        Anchor(f"a{place}", f"A{place}", tuple(draw(st.lists(st.text("xyz ", max_size=30), max_size=3))), step)
        for place, step in enumerate(steps)
    )
    ends = st.integers(0, max(count - 1, 0))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=20)) if count else []
    relations = tuple(
        Anchored(f"a{source}", draw(st.sampled_from(["knows", "is the mayor of"])), f"a{target}", 3)
        for source, target in pairs
        if source != target
    )
    return AnchorGraph(anchors, tuple(dict.fromkeys(relations)))


@given(graphs(), st.integers(1, 200), st.integers(1, 14), st.integers(0, 100), st.integers(0, 3))
def test_no_budget_is_passed_and_a_larger_one_shows_all_that_a_smaller_one_does(
    graph: AnchorGraph, tokens: int, anchors: int, more: int, more_anchors: int
) -> None:
    small = linearise(graph, "Does A1 know A5?", tokens=tokens, anchors=anchors)
    large = linearise(graph, "Does A1 know A5?", tokens=tokens + more, anchors=anchors + more_anchors)
    whole = linearise(graph, "Does A1 know A5?", tokens=100_000, anchors=100).text.splitlines()

    assert small.tokens == math.ceil(len(small.text) / CHARACTERS) <= tokens
    assert len(names(small.text)) == len(graph.anchors) - small.dropped_anchors <= anchors
    assert set(small.text.splitlines()) <= set(large.text.splitlines())
    lines = small.text.splitlines()
    places = [whole.index(line) for line in lines]
    assert places == sorted(places)
