"""Seeds and walk compared with loops over chunks and entities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tetragraph.algorithms.evidence_walk import EntityGraph, Transition, WalkOptions, similarity_seeds, top, walk

OPTIONS = WalkOptions()
Ties = list[set[int]]
"""For each passage its entities."""


def matrix(ties: Ties, entities: int) -> sparse.csr_array[np.float64, tuple[int, int]]:
    pairs = [(row, entity) for row, tied in enumerate(ties) for entity in sorted(tied)]
    rows, columns = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
    return sparse.csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(ties), entities))


def graph(mentions: Ties, titles: Ties, entities: int) -> EntityGraph:
    mentioned, titled = matrix(mentions, entities), matrix(titles, entities)
    return EntityGraph(mentioned, mentioned.T.tocsr(), titled, titled.T.tocsr())


def information(mentions: Ties, titles: Ties, entity: int) -> float:
    df, named = (sum(entity in tied for tied in ties) for ties in (mentions, titles))
    return math.log(1 + len(mentions) / max(df, named, 1)) ** 2


def step_by_hand(
    mentions: Ties,
    titles: Ties,
    entities: int,
    relevance: list[float],
    asked: set[int],
    base: list[float],
    x: list[float],
) -> list[float]:
    """Section 2.4, one step, passage by passage."""
    rows = range(len(mentions))
    ez = [math.exp(8 * z) for z in relevance]
    news = [information(mentions, titles, e) * (0.1 if e in asked else 1.0) for e in range(entities)]
    after = [0.2 * mass for mass in base]
    for p in rows:
        for e in mentions[p]:
            given_mass = 0.8 * 0.9 * x[p] * news[e] / sum(news[other] for other in mentions[p])
            total = sum(20 * ez[r] * (e in titles[r]) + ez[r] * (e in mentions[r]) for r in rows)
            for r in rows:
                after[r] += given_mass * (20 * ez[r] * (e in titles[r]) + ez[r] * (e in mentions[r])) / total
        for e in titles[p]:
            back = 0.8 * 0.1 * x[p] / len(titles[p])
            total = sum(ez[r] for r in rows if e in mentions[r])
            for r in rows:
                after[r] += back * ez[r] / total if e in mentions[r] else 0.0
    return after


ENTITIES = 4
TIED = st.sets(st.integers(0, ENTITIES - 1))
CASES = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(TIED, TIED), min_size=n, max_size=n),
        st.lists(st.floats(-0.5, 1), min_size=n, max_size=n),
        st.sets(st.integers(0, ENTITIES - 1)),
    )
)


@given(CASES)
def test_section_2_4_steps_are_those_of_the_formula(
    case: tuple[list[tuple[set[int], set[int]]], list[float], set[int]],
) -> None:
    ties, relevance, asked = case
    titles = [named for named, _ in ties]
    mentions = [named - own for (_, named), own in zip(ties, titles, strict=True)]
    base = similarity_seeds(np.array(relevance), OPTIONS)
    transition = Transition.build(graph(mentions, titles, ENTITIES), np.array(relevance), sorted(asked), OPTIONS)
    expected = base.tolist()
    for step in walk(transition, base):
        expected = step_by_hand(mentions, titles, ENTITIES, relevance, asked, base.tolist(), expected)
        assert step.after == pytest.approx(expected)


def test_a_mention_with_a_stronger_bond_is_given_more() -> None:
    plain = graph([{0, 1}, {0}, {1}], [set(), set(), set()], 2)
    transition = Transition.build(plain, np.zeros(3), [], OPTIONS, np.array([3.0, 1.0, 1.0, 1.0]))
    given_mass = transition.given(np.array([1.0, 0.0, 0.0]))
    assert given_mass == pytest.approx([0.9 * 3 / 4, 0.9 * 1 / 4])


def test_bonds_all_alike_change_nothing() -> None:
    plain = graph([{0, 1}, {0}, {1}], [{1}, set(), {0}], 2)
    base = np.array([0.5, 0.25, 0.25])
    with_bonds = Transition.build(plain, np.zeros(3), [0], OPTIONS, np.full(plain.mentions.nnz, 2.0))
    without = Transition.build(plain, np.zeros(3), [0], OPTIONS)
    assert walk(with_bonds, base)[-1].after == pytest.approx(walk(without, base)[-1].after)


@given(CASES)
def test_mass_never_grows(case: tuple[list[tuple[set[int], set[int]]], list[float], set[int]]) -> None:
    ties, relevance, asked = case
    titles = [named for named, _ in ties]
    mentions = [named - own for (_, named), own in zip(ties, titles, strict=True)]
    transition = Transition.build(graph(mentions, titles, ENTITIES), np.array(relevance), sorted(asked), OPTIONS)
    for step in walk(transition, similarity_seeds(np.array(relevance), OPTIONS)):
        assert step.after.sum() <= 1 + 1e-9
        assert (step.after >= 0).all()


def test_mass_reaches_a_passage_over_the_entity_that_titles_it() -> None:
    relevance = np.array([0.9, 0.1, 0.1])
    transition = Transition.build(graph([{0}, set(), set()], [set(), {0}, set()], 1), relevance, [], OPTIONS)
    mass = walk(transition, np.array([1.0, 0.0, 0.0]))[-1].after
    assert mass[1] > 0
    assert mass[2] == 0


def test_a_forbidden_passage_neither_receives_nor_seeds() -> None:
    relevance = np.array([0.5, -np.inf, 0.1])
    shared = graph([{0}, {0}, {0}], [set(), {0}, set()], 1)
    base = similarity_seeds(relevance, OPTIONS)
    assert base[1] == 0
    assert walk(Transition.build(shared, relevance, [0], OPTIONS), base)[-1].after[1] == 0


def test_p_of_e_is_spread_over_titles_and_mentions() -> None:
    relevance = np.zeros(2)
    transition = Transition.build(graph([set(), {0}], [{0}, set()], 1), relevance, [0], OPTIONS)
    assert transition.spread([0], np.array([2.1])) == pytest.approx([2.0, 0.1])


def test_an_entity_without_a_passage_that_may_be_reached_spreads_nothing() -> None:
    transition = Transition.build(graph([set()], [set()], 1), np.zeros(1), [0], OPTIONS)
    assert transition.spread([0], np.ones(1)).tolist() == [0.0]


def test_section_2_3_seeds_are_a_softmax_over_the_most_relevant() -> None:
    seeds = similarity_seeds(np.array([0.3, 0.5, 0.1]), WalkOptions(seeds=2))
    weights = [math.exp(30 * 0.3), math.exp(30 * 0.5)]
    assert seeds == pytest.approx([weights[0] / sum(weights), weights[1] / sum(weights), 0.0])


def test_nothing_allowed_gives_no_seed() -> None:
    assert similarity_seeds(np.array([-np.inf]), OPTIONS).tolist() == [0.0]


@given(st.lists(st.integers(0, 3).map(float), max_size=8), st.integers(0, 9))
def test_top_sorts_by_score_then_row(scores: list[float], count: int) -> None:
    expected = sorted(range(len(scores)), key=lambda row: (-scores[row], row))[:count]
    assert top(np.array(scores), count).tolist() == expected
