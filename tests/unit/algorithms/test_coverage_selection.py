"""The selection by information gain compared with a step-by-step selection."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.coverage_selection import Selection, SelectionOptions, SelectionPool, select

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


def choose(case: Case) -> Selection:
    scores, holds, links = (np.array(part) for part in case)
    pool = SelectionPool(
        scores,
        holds,
        np.full(TERMS, 1 / TERMS),
        np.zeros((0, len(scores))),
        lambda place: np.array(links[place]),
        np.arange(len(scores)),
        np.ones(len(scores)),
    )
    return select(pool, 3, EXACT)


@given(CASES)
def test_section_2_5_order_is_that_of_choosing_one_by_one(case: Case) -> None:
    chosen = choose(case)
    assert chosen.order.tolist() == by_hand(case)


@given(CASES)
def test_after_the_first_picks_values_fall(case: Case) -> None:
    chosen = choose(case)
    values = np.array(case[0])[chosen.order] + chosen.coverage + chosen.link
    assert np.all(np.diff(values[EXACT.picks :]) <= 0)


def pool(
    scores: list[float],
    holds: list[list[bool]] | None = None,
    answers: list[list[float]] | None = None,
    documents: list[int] | None = None,
) -> SelectionPool:
    size = len(scores)
    return SelectionPool(
        np.array(scores, dtype=np.float64),
        np.array(holds or [], dtype=bool).reshape(len(holds or []), size),
        np.full(len(holds or []), 1 / len(holds or [0])),
        np.array(answers or [], dtype=np.float64).reshape(len(answers or []), size),
        lambda _: np.zeros(size, dtype=bool),
        np.array(documents or range(size), dtype=np.int64),
        np.ones(size),
    )


def test_what_an_earlier_pick_holds_is_no_gain() -> None:
    chosen = select(pool([1.0, 0.9, 0.5], [[True, True, False], [False, False, True]]), 3, OPTIONS)
    assert chosen.order.tolist() == [0, 2, 1]
    assert chosen.coverage == pytest.approx([0.0, 0.75, 0.0])


def test_a_link_lifts_whose_title_a_pick_mentions() -> None:
    links = {0: [False, False, True]}
    linked = replace(pool([1.0, 0.6, 0.5]), linked=lambda place: np.array(links.get(place, [False] * 3)))
    chosen = select(linked, 3, OPTIONS)
    assert chosen.order.tolist() == [0, 2, 1]
    assert chosen.link == pytest.approx([0.0, 0.2, 0.0])


def test_a_passage_that_answers_another_hop_comes_before_one_that_answers_the_same() -> None:
    answers = [[0.9, 0.8, 0.0], [0.0, 0.0, 0.5]]
    chosen = select(pool([0.0, 0.0, 0.0], answers=answers), 3, OPTIONS)
    assert chosen.order.tolist() == [0, 2, 1]
    assert chosen.hop == pytest.approx([0.9, 0.5, 0.8 * (1 - 0.9)])


def test_hops_are_weighed_beyond_the_first_picks() -> None:
    answers = [[0.9, 0.8, 0.7, 0.6, 0.0], [0.0, 0.0, 0.0, 0.0, 0.1]]
    chosen = select(pool([0.4, 0.3, 0.2, 0.1, 0.0], answers=answers), 5, SelectionOptions(picks=1))
    assert chosen.hop[1:] == pytest.approx([0.8 * 0.1, 0.7 * 0.02, 0.6 * 0.006, 0.1])
    assert chosen.order.tolist() == [0, 1, 2, 3, 4]


def test_each_earlier_pick_from_its_document_lowers_a_passage() -> None:
    given = pool([1.0, 0.9, 0.8, 0.75, 0.5], documents=[0, 0, 0, 0, 1])
    chosen = select(given, 5, SelectionOptions(picks=1, repeat=0.25))
    assert chosen.order.tolist() == [0, 1, 4, 2, 3]
    assert chosen.repeat == pytest.approx([0.0, -0.25, 0.0, -0.5, -0.75])


def test_a_repeat_counts_as_much_as_its_document_says() -> None:
    given = replace(pool([1.0, 0.9, 0.85, 0.8], documents=[0, 1, 0, 1]), repeats=np.array([0.5, 1.0, 0.5, 1.0]))
    chosen = select(given, 4, SelectionOptions(picks=1, repeat=0.25))
    assert chosen.order.tolist() == [0, 1, 2, 3]
    assert chosen.repeat == pytest.approx([0.0, 0.0, -0.125, -0.25])


def test_passages_of_as_many_documents_are_chosen_as_without_repeats() -> None:
    given = pool([1.0, 0.9, 0.8], [[True, True, False], [False, False, True]])
    plain, spread = (select(given, 3, SelectionOptions(repeat=weight)) for weight in (0.0, 0.5))
    assert plain.order.tolist() == spread.order.tolist()
    assert not spread.repeat.any()


def test_equal_passages_keep_their_order() -> None:
    assert select(pool([0.0] * 4), 4, OPTIONS).order.tolist() == [0, 1, 2, 3]


def test_nothing_to_choose_from_gives_nothing() -> None:
    assert len(select(pool([]), 3, OPTIONS).order) == 0
