"""The selection by information gain, against choosing one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.coverage_selection import SelectionOptions, select

OPTIONS = SelectionOptions()
EXACT = SelectionOptions(coverage=1.5, link=0.25)
TERMS = 4
FLAGS = st.booleans()
CASES = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(-4, 4).map(lambda value: value / 4), min_size=n, max_size=n),
        st.lists(st.lists(FLAGS, min_size=n, max_size=n), min_size=TERMS, max_size=TERMS),
        st.lists(st.lists(FLAGS, min_size=n, max_size=n), min_size=n, max_size=n),
    )
)
Case = tuple[list[float], list[list[bool]], list[list[bool]]]


def by_hand(case: Case) -> list[int]:
    """The order of section 2.5 for terms of equal weight; every number here is a sum of powers of two, so exact."""
    scores, holds, links = case
    order: list[int] = []
    while len(order) < len(scores):
        judges = order[:3]
        values = {}
        for place in set(range(len(scores))) - set(order):
            news = [t for t in range(TERMS) if holds[t][place] and not any(holds[t][judge] for judge in judges)]
            gain = len(news) / TERMS if order else 0.0
            values[place] = scores[place] + 1.5 * gain + 0.25 * any(links[judge][place] for judge in judges)
        order.append(min(values, key=lambda place: (-values[place], place)))
    return order


@given(CASES)
def test_section_2_5_order_is_that_of_choosing_one_by_one(case: Case) -> None:
    scores, holds, links = case
    chosen = select(np.array(scores), np.array(holds), np.ones(TERMS), lambda place: np.array(links[place]), EXACT)
    assert chosen.order.tolist() == by_hand(case)


@given(CASES)
def test_after_the_first_picks_values_fall(case: Case) -> None:
    scores, holds, links = case
    chosen = select(np.array(scores), np.array(holds), np.ones(TERMS), lambda place: np.array(links[place]), EXACT)
    values = np.array(scores)[chosen.order] + chosen.coverage + chosen.link
    assert np.all(np.diff(values[EXACT.picks :]) <= 0)


def test_what_an_earlier_pick_holds_is_no_gain() -> None:
    holds = np.array([[True, True, False], [False, False, True]])
    chosen = select(np.array([1.0, 0.9, 0.5]), holds, np.ones(2), lambda _: np.zeros(3, dtype=bool), OPTIONS)
    assert chosen.order.tolist() == [0, 2, 1]
    assert chosen.coverage == pytest.approx([0.0, 0.75, 0.0])


def test_a_link_lifts_whose_title_a_pick_mentions() -> None:
    links = {0: [False, False, True]}
    chosen = select(
        np.array([1.0, 0.6, 0.5]),
        np.zeros((0, 3), dtype=bool),
        np.zeros(0),
        lambda place: np.array(links.get(place, [False] * 3)),
        OPTIONS,
    )
    assert chosen.order.tolist() == [0, 2, 1]
    assert chosen.link == pytest.approx([0.0, 0.2, 0.0])


def test_equal_passages_keep_their_order() -> None:
    chosen = select(np.zeros(4), np.zeros((0, 4), dtype=bool), np.zeros(0), lambda _: np.zeros(4, dtype=bool), OPTIONS)
    assert chosen.order.tolist() == [0, 1, 2, 3]


def test_nothing_to_choose_from_gives_nothing() -> None:
    chosen = select(np.zeros(0), np.zeros((0, 0), dtype=bool), np.zeros(0), lambda _: np.zeros(0, dtype=bool), OPTIONS)
    assert len(chosen.order) == 0
