"""The joint ranking of the chunks of all steps, computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.model import Bridge, ChainStep, Chunk, Hit
from tetragraph.model.anchors import AnchorGraph, AnchorStep
from tetragraph.systems.anchor_graph import ranking
from tetragraph.systems.anchor_graph.ranking import chain_of, rank


def step(number: int, chunks: Sequence[str], *passages: tuple[str, float]) -> AnchorStep:
    """A step that found chunks in this order; ``passages`` answer its one sub-question."""
    hits = (Hit(place, 9.0, _chunk(name), {"other": 9.0}) for place, name in enumerate(chunks, 1))
    chain = (ChainStep("Who?", (), (Bridge("e", "E", 1.0),), passages),) if passages else ()
    return AnchorStep(number, "q", f"q{number}", "evidence", tuple(hits), AnchorGraph(), chain=chain)


def _chunk(name: str) -> Chunk:
    return Chunk(name, f"d-{name}", name, name, "Text.", 0, 0, 5, 1)


def names(steps: Sequence[AnchorStep], k: int = 100) -> list[str]:
    return [hit.chunk.id for hit in rank(steps, k)]


def test_the_parts_of_a_score_are_first_later_and_chain_and_add_up() -> None:
    steps = [step(1, "ab"), step(2, "bc"), step(3, "cb", ("c", 0.5), ("b", 0.25), ("x", 1.0))]
    flat = ranking._FLATNESS
    worth = [(flat + 1) / (flat + place) for place in (1, 2)]
    expected = {
        "a": {"first": worth[0], "later": 0.0, "chain": 0.0},
        "b": {
            "first": worth[1],
            "later": ranking._LATER * (worth[0] + worth[1]),
            "chain": ranking._CHAIN * 0.25,
        },
        "c": {"first": 0.0, "later": ranking._LATER * (worth[1] + worth[0]), "chain": ranking._CHAIN * 0.5},
    }
    found = rank(steps, 10)
    for hit in found:
        assert hit.parts == pytest.approx(expected[hit.chunk.id])
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    assert sorted(hit.chunk.id for hit in found) == ["a", "b", "c"]


def test_one_step_without_a_chain_keeps_its_order() -> None:
    assert names([step(1, "dacb")]) == ["d", "a", "c", "b"]
    assert [hit.rank for hit in rank([step(1, "dacb")], 3)] == [1, 2, 3]


def test_equal_scores_are_in_order_of_id() -> None:
    assert names([step(1, ""), step(2, "ba"), step(3, "ab")]) == ["a", "b"]
    assert names([step(1, ""), step(2, "ab"), step(3, "ba")]) == ["a", "b"]


def test_the_last_step_that_knows_a_chain_tells_what_answers_sub_questions() -> None:
    steps = [step(1, "abc", ("a", 1.0)), step(2, "abc", ("c", 1.0)), step(3, "abc")]
    assert chain_of(steps) == steps[1].chain
    assert [hit.parts["chain"] > 0 for hit in sorted(rank(steps, 3), key=lambda hit: hit.chunk.id)] == [
        False,
        False,
        True,
    ]
    assert chain_of([step(1, "a")]) == ()


def test_a_passage_that_answers_several_sub_questions_has_all_their_probabilities() -> None:
    one = step(1, "ab", ("b", 0.25))
    twice = replace(one, chain=one.chain * 2)
    assert {hit.chunk.id: hit.parts["chain"] for hit in rank([twice], 2)} == {"a": 0.0, "b": ranking._CHAIN * 0.5}


def test_nothing_found_is_an_empty_ranking() -> None:
    assert rank([step(1, "")], 5) == ()
    assert rank([], 5) == ()


@given(
    st.lists(st.permutations("abcdef").map(lambda order: order[:4]), min_size=1, max_size=4),
    st.integers(1, 8),
)
def test_a_shorter_ranking_is_the_beginning_of_a_longer_one_and_scores_fall(found: list[list[str]], k: int) -> None:
    steps = [step(number, chunks) for number, chunks in enumerate(found, 1)]
    whole = rank(steps, 100)
    assert rank(steps, k) == whole[:k]
    assert {hit.chunk.id for hit in whole} == {name for chunks in found for name in chunks}
    order = [(-hit.score, hit.chunk.id) for hit in whole]
    assert order == sorted(order)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.integers(1, 5))
def test_a_passage_that_a_later_step_ranks_better_does_not_fall(first: list[str], later: list[str], place: int) -> None:
    name = later[place]
    better = [*later[: place - 1], name, later[place - 1], *later[place + 1 :]]
    before = names([step(1, first), step(2, later)]).index(name)
    after = names([step(1, first), step(2, better)]).index(name)
    assert after <= before


def test_the_steps_that_ask_the_first_query_count_as_one() -> None:
    first, again = step(1, "ab"), replace(step(2, "bc"), query="Q1?", retriever="evidence-read")
    assert ranking.views([first, again, step(3, "d")]) == [first, again]
    worth = [(ranking._FLATNESS + 1) / (ranking._FLATNESS + place) for place in (1, 2)]
    found = {hit.chunk.id: hit.parts["first"] for hit in rank([first, again], 9)}
    assert found == pytest.approx({"a": worth[0] / 2, "b": (worth[0] + worth[1]) / 2, "c": worth[1] / 2})
    assert {hit.parts["later"] for hit in rank([first, again], 9)} == {0.0}
