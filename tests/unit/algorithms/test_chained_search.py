"""The beam over a chain of sub-questions, compared with an exhaustive search."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.chained_search import BeamOptions, Bridge, Link, search_chain

WIDE = BeamOptions(width=10_000, passages=10, sharpness=2.0)
PASSAGES, ENTITIES = 3, 2
Table = Mapping[Bridge, Sequence[float]]
"""Score of each passage for the bridge put in."""


def link(refers: tuple[int, ...], scores: Table, offers: Mapping[int, Sequence[tuple[Bridge, float]]] | None) -> Link:
    """A step with at most one reference, from tables."""

    def find(put_in: tuple[Bridge, ...]) -> tuple[Sequence[int], Sequence[float]]:
        row = scores[put_in[0] if put_in else None]
        order = sorted(range(len(row)), key=lambda place: (-row[place], place))
        return order, [row[place] for place in order]

    return Link(refers, find, (lambda row, _: offers[row]) if offers is not None else None)


def every_way(
    first: Sequence[float], offers: Mapping[int, Sequence[tuple[Bridge, float]]], second: Table
) -> Iterator[tuple[float, int, Bridge, int]]:
    """Weight, passage of the first step, bridge, passage of the second."""
    for one, score in enumerate(first):
        for bridge, logarithm in offers[one]:
            for two, other in enumerate(second[bridge]):
                if two != one:
                    yield math.exp(WIDE.sharpness * (score + other) + logarithm), one, bridge, two


SCORES = st.lists(st.floats(-1, 1), min_size=PASSAGES, max_size=PASSAGES)
CASES = st.tuples(SCORES, SCORES, SCORES, SCORES, st.lists(st.floats(0.1, 0.9), min_size=PASSAGES, max_size=PASSAGES))


@given(CASES)
def test_probabilities_are_those_of_all_ways_through_the_chain(
    case: tuple[list[float], list[float], list[float], list[float], list[float]],
) -> None:
    first, plain, with_0, with_1, shares = case
    second: Table = {None: plain, 0: with_0, 1: with_1}
    offers: dict[int, list[tuple[Bridge, float]]] = {
        row: [(0, math.log(share)), (1, math.log(1 - share))] for row, share in enumerate(shares)
    }
    found = search_chain([link((), {None: first}, offers), link((0,), second, None)], WIDE)
    answers: list[defaultdict[int, float]] = [defaultdict(float), defaultdict(float)]
    bridges: defaultdict[int, float] = defaultdict(float)
    for weight, one, bridge, two in every_way(first, offers, second):
        answers[0][one] += weight
        answers[1][two] += weight
        bridges[bridge or 0] += weight
    total = sum(answers[0].values())
    for chained, weights in zip(found, answers, strict=True):
        assert dict(chained.passages) == pytest.approx({row: weight / total for row, weight in weights.items()})
    assert dict(found[0].bridges) == pytest.approx({row: weight / total for row, weight in bridges.items()})
    assert not found[1].bridges


def test_no_passage_answers_two_steps_of_one_hypothesis() -> None:
    found = search_chain([link((), {None: [1.0, 0.0]}, None), link((), {None: [1.0, 0.0]}, None)], WIDE)
    assert dict(found[0].passages) == pytest.approx({0: 0.5, 1: 0.5})


def test_the_beam_keeps_the_likeliest() -> None:
    narrow = BeamOptions(width=1, passages=2, sharpness=1.0)
    second: Table = {None: [0.0, 0.0, 0.0], 0: [0.0, 0.0, 9.0], 1: [0.0, 0.0, 0.0]}
    offers: dict[int, list[tuple[Bridge, float]]] = {row: [(1, -0.1), (0, -2.4)] for row in range(3)}
    links = [link((), {None: [1.0, 0.9, 0.0]}, offers), link((0,), second, None)]
    assert dict(search_chain(links, narrow)[0].bridges) == {1: 1.0}
    assert search_chain(links, WIDE)[0].bridges[0] > 0.9


def test_a_passage_that_offers_no_bridge_leaves_the_next_step_as_it_is_worded() -> None:
    offers: dict[int, list[tuple[Bridge, float]]] = {0: [(None, 0.0)], 1: [(None, 0.0)]}
    found = search_chain([link((), {None: [1.0, 0.0]}, offers), link((0,), {None: [0.0, 1.0]}, None)], WIDE)
    assert max(found[1].passages, key=lambda row: found[1].passages[row]) == 1
    assert not found[0].bridges


def test_a_step_that_nothing_answers_ends_the_chain() -> None:
    assert search_chain([link((), {None: [1.0]}, None), link((), {None: []}, None)], WIDE) == ()


def test_a_step_is_prepared_for_all_that_it_is_asked_for() -> None:
    begun: list[Sequence[tuple[Bridge, ...]]] = []
    asked: list[tuple[Bridge, ...]] = []
    offers: dict[int, list[tuple[Bridge, float]]] = {
        0: [(1, math.log(0.6)), (0, math.log(0.4))],
        1: [(1, 0.0)],
        2: [(None, 0.0)],
    }
    second = link((0,), {None: [1.0, 1.0, 1.0], 0: [0.0, 0.0, 1.0], 1: [0.0, 1.0, 0.0]}, None)

    def find(put_in: tuple[Bridge, ...]) -> tuple[Sequence[int], Sequence[float]]:
        asked.append(put_in)
        return second.find(put_in)

    search_chain([link((), {None: [0.9, 0.5, 0.1]}, offers), replace(second, find=find, begin=begun.append)], WIDE)
    assert begun == [asked]
    assert asked == [(1,), (0,), (None,)]
