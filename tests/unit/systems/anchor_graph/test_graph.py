"""The anchor graph only grows, within limits."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from tetragraph.model import Chunk
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph
from tetragraph.systems.anchor_graph.graph import MOST_ATTRIBUTES, MOST_OF_A_STEP, extend
from tetragraph.systems.anchor_graph.reasoner import Triple, Update


def chunk(name: str, text: str, title: str = "") -> Chunk:
    return Chunk(name, f"d-{name}", title, title, text, 0, 0, len(text), 9)


def find_entities(keys: Collection[str]) -> dict[str, str]:
    return {key: f"e-{key}" for key in keys if key == "halvik"}


def grown(graph: AnchorGraph, update: Update, step: int = 1, *passages: Chunk) -> AnchorGraph:
    return extend(graph, update, step, passages, find_entities)[0]


FIRST = grown(
    AnchorGraph(),
    Update((("Halvik", ("a town",)),), (Triple("Orla Brandt", "is the mayor of", "Halvik"),)),
    1,
    chunk("c1", "Orla Brandt is Halvik's mayor."),
)


def test_an_update_becomes_anchors_and_relations_with_their_entities_and_passages() -> None:
    wanted = AnchorGraph(
        (
            Anchor("halvik", "Halvik", ("a town",), 1, "e-halvik", ("c1",)),
            Anchor("orla brandt", "Orla Brandt", (), 1, "", ("c1",)),
        ),
        (Anchored("orla brandt", "is the mayor of", "halvik", 1),),
    )
    assert wanted == FIRST


def test_a_later_step_adds_attributes_relations_and_passages_and_takes_nothing_away() -> None:
    update = Update((("HALVIK", ("a town", "a port")),), (Triple("orla brandt", "lives in", "Tarn"),))
    second = grown(FIRST, update, 2, chunk("c2", "Brandt, Orla.", "Tarn"), chunk("c3", "The town Halvik."))
    assert second == AnchorGraph(
        (
            Anchor("halvik", "Halvik", ("a town", "a port"), 1, "e-halvik", ("c1", "c3")),
            Anchor("orla brandt", "Orla Brandt", (), 1, "", ("c1",)),
            Anchor("tarn", "Tarn", (), 2, "", ("c2",)),
        ),
        (*FIRST.relations, Anchored("orla brandt", "lives in", "tarn", 2)),
    )


def test_the_same_update_again_changes_nothing() -> None:
    update = Update((("Halvik", ("a town",)),), (Triple("Orla  Brandt’s", "is the mayor of", "Halvik"),))
    assert grown(FIRST, update, 2) == FIRST


def test_an_empty_update_still_looks_for_known_anchors_in_new_passages() -> None:
    assert grown(FIRST, Update(), 2, chunk("c9", "HALVIK!")).by_key["halvik"].chunks == ("c1", "c9")


def test_a_part_of_a_word_is_not_the_name() -> None:
    assert grown(FIRST, Update(), 2, chunk("c9", "Halviken and New-Halvikia")).by_key["halvik"].chunks == ("c1",)


def test_names_of_marks_alone_and_relations_of_an_anchor_with_itself_add_nothing() -> None:
    update = Update(
        (("…", ()), ("", ("x",))),
        (Triple("A", "is", "a"), Triple("B", "is", "?"), Triple("C", " ", "D"), Triple("", "is", "E")),
    )
    assert grown(AnchorGraph(), update) == AnchorGraph()


def test_one_step_adds_a_hundred_anchors_and_relations_and_says_how_much_was_left_out() -> None:
    triples = tuple(Triple(f"A{number}", "knows", f"B{number}") for number in range(10_000))
    graph, left_out = extend(FIRST, Update((), triples), 2, [], find_entities)
    assert len(graph.anchors) == len(FIRST.anchors) + MOST_OF_A_STEP
    assert left_out >= 9_900
    graph, left_out = extend(
        FIRST, Update((), tuple(Triple("A", f"p{n}", "B") for n in range(150))), 2, [], find_entities
    )
    assert (len(graph.relations), left_out) == (1 + MOST_OF_A_STEP, 50)
    known = tuple(Triple(one.source, one.phrase, one.target) for one in graph.relations)
    assert extend(FIRST, Update((), known[1:] + known), 2, [], find_entities)[1] == 0


def test_an_anchor_has_fifty_attributes_at_the_most_and_long_names_are_cut() -> None:
    said = tuple(f"attribute {number}" for number in range(70))
    graph, left_out = extend(AnchorGraph(), Update((("A" * 5_000, (*said, "x" * 5_000)),)), 1, [], find_entities)
    (anchor,) = graph.anchors
    assert (len(anchor.name), len(anchor.attributes), left_out) == (200, MOST_ATTRIBUTES, 21)


NAMES = st.text("ab 1.", max_size=4)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), max_size=8), st.lists(st.tuples(NAMES, NAMES, NAMES), max_size=8))
def test_the_graph_of_an_earlier_step_is_a_part_of_the_later_one(
    first: list[tuple[str, str, str]], second: list[tuple[str, str, str]]
) -> None:
    before = grown(AnchorGraph(), Update((), tuple(Triple(*one) for one in first)))
    after = grown(before, Update((), tuple(Triple(*one) for one in second)), 2)
    assert after.anchors[: len(before.anchors)] == before.anchors
    assert after.relations[: len(before.relations)] == before.relations
    assert all(one.source in after.by_key and one.target in after.by_key for one in after.relations)
