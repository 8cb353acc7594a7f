"""The walk in a neighbourhood against the walk in the whole graph."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tetragraph.algorithms.evidence_walk import EntityGraph, Transition, WalkOptions, similarity_seeds, walk
from tetragraph.algorithms.neighbourhood import Neighbourhood, Reach, explore
from tetragraph.arrays import Floats, Rows

Ties = Sequence[set[int]]
"""For each passage its entities."""

UNBOUNDED = Reach(passages=1_000, frontier=1_000)
ENTITIES = 6
TIED = st.sets(st.integers(0, ENTITIES - 1), max_size=3)
CASES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(TIED, TIED), min_size=n, max_size=n),
        st.lists(st.floats(-0.5, 1), min_size=n, max_size=n),
        st.sets(st.integers(0, ENTITIES - 1), max_size=2),
        st.integers(1, 3),
    )
)


def graph(mentions: Ties, titles: Ties, entities: int) -> EntityGraph:
    def matrix(ties: Ties) -> sparse.csr_array[np.float64, tuple[int, int]]:
        pairs = [(row, entity) for row, tied in enumerate(ties) for entity in sorted(tied)]
        rows, columns = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
        return sparse.csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(ties), entities))

    mentioned, titled = matrix(mentions), matrix(titles)
    return EntityGraph(mentioned, mentioned.T.tocsr(), titled, titled.T.tocsr())


def longs(*values: int) -> Rows:
    return np.array(values, dtype=np.int64)


def watcher(relevance: Floats, base: Floats, options: WalkOptions) -> Callable[[Neighbourhood, int], Floats]:
    """Mass in a neighbourhood, from the same seeds whatever the neighbourhood."""

    def mass(here: Neighbourhood, steps: int) -> Floats:
        transition = Transition.build(here, relevance[here.rows], [], replace(options, steps=steps))
        return walk(transition, base[here.rows])[-1].after if steps else base[here.rows]

    return mass


@given(CASES)
def test_with_an_unbounded_reach_the_walk_is_that_of_the_whole_graph(
    case: tuple[list[tuple[set[int], set[int]]], list[float], set[int], int],
) -> None:
    ties, values, asked, steps = case
    options = WalkOptions(seeds=2, steps=steps)
    whole = graph([named - own for named, own in ties], [own for _, own in ties], ENTITIES)
    relevance, entities = np.array(values), longs(*sorted(asked))
    transition = Transition.build(whole, relevance, sorted(asked), options)
    leading = [entity for entity in asked if np.isfinite(transition.entity_pull[entity])]
    base = similarity_seeds(relevance, options) + transition.spread(leading, np.ones(len(leading)))
    expected = walk(transition, base)[-1].after

    mass = watcher(relevance, base, options)
    here = explore(whole, np.flatnonzero(base), entities, mass, UNBOUNDED, steps=steps)
    places = np.searchsorted(here.entities, sorted(asked)).tolist()
    local = Transition.build(here, relevance[here.rows], places, options)
    found = np.zeros(len(relevance))
    found[here.rows] = walk(local, base[here.rows])[-1].after
    assert found == pytest.approx(expected, abs=1e-12, rel=1e-12)


def test_an_average_passage_left_out_takes_the_share_that_it_has_in_the_whole_graph() -> None:
    titles: list[set[int]] = [{1}, set(), set(), set(), {0}]
    whole = graph([{0, 1}, {0}, {0}, {0, 1}, set()], titles, 2)
    relevance, options = np.full(5, 0.3), WalkOptions(steps=1)
    base = np.array([1.0, 0, 0, 0, 0])
    expected = walk(Transition.build(whole, relevance, [], options), base)[-1].after
    here = Neighbourhood.between(whole, longs(0, 1), longs(0, 1), longs(1))
    local = Transition.build(here, relevance[:2], [], options)
    assert walk(local, base[:2])[-1].after == pytest.approx(expected[:2])


def test_what_a_passage_hands_to_entities_outside_is_lost() -> None:
    whole = graph([{0, 1}, {0}, {1}], [set(), set(), set()], 2)
    here = Neighbourhood.between(whole, longs(0, 1), longs(0), longs())
    transition = Transition.build(here, np.zeros(2), [], WalkOptions())
    assert transition.given(np.array([1.0, 0.0])).tolist() == pytest.approx([0.45])


def test_an_entity_with_many_passages_brings_none_but_keeps_those_that_are_there() -> None:
    whole = graph([{0}, {0}, {0}, {0, 1}, {1}], [set()] * 5, 2)
    relevance = np.zeros(5)
    mass = watcher(relevance, np.array([0, 0, 0, 1.0, 0]), WalkOptions())
    here = explore(whole, longs(1, 3), longs(), mass, Reach(passages=2, sample=0), steps=1)
    assert here.rows.tolist() == [1, 3, 4]
    assert here.mentions.toarray().tolist() == [[1, 0], [1, 1], [0, 1]]
    assert here.outside(np.ones(3))[1].tolist() == [0, 0]


def test_a_step_goes_on_from_the_passages_with_the_most_mass() -> None:
    whole = graph([{0}, {1}, {0}, {1}], [set()] * 4, 2)
    mass = watcher(np.zeros(4), np.array([0.4, 0.6, 0, 0]), WalkOptions())
    here = explore(whole, longs(0, 1), longs(), mass, Reach(frontier=1, sample=0), steps=1)
    assert here.rows.tolist() == [0, 1, 3]
    assert here.entities.tolist() == [1]


def test_a_passage_without_mass_leads_nowhere() -> None:
    whole = graph([{0}, {1}], [set()] * 2, 2)
    mass = watcher(np.zeros(2), np.array([0, 1.0]), WalkOptions())
    assert explore(whole, longs(0, 1), longs(), mass, Reach(sample=0), steps=1).entities.tolist() == [1]


def test_a_passage_titled_by_an_entity_leads_to_those_that_mention_it() -> None:
    whole = graph([set(), {0}, set()], [{0}, set(), set()], 1)
    mass = watcher(np.zeros(3), np.array([1.0, 0, 0]), WalkOptions())
    assert explore(whole, longs(0), longs(), mass, Reach(sample=0), steps=1).rows.tolist() == [0, 1]


@pytest.mark.parametrize("passages", [300, 3_000])
def test_the_size_does_not_depend_on_that_of_the_corpus(passages: int) -> None:
    """A ring in which each passage shares an entity with the next, and all share one."""
    whole = graph([{0, 1 + row, 1 + (row + 1) % passages} for row in range(passages)], [set()] * passages, passages + 1)
    mass = watcher(np.zeros(passages), np.eye(passages)[7], WalkOptions())
    here = explore(whole, longs(7), longs(), mass, Reach(sample=0), steps=2)
    assert here.rows.tolist() == [5, 6, 7, 8, 9]
    assert here.mentioned.nnz == 13


def test_a_sample_of_the_corpus_is_there_whatever_the_walk_reaches() -> None:
    whole = graph([set()] * 9, [set()] * 9, 1)
    here = explore(whole, longs(5), longs(), watcher(np.zeros(9), np.zeros(9), WalkOptions()), Reach(sample=3), steps=1)
    assert here.rows.tolist() == [0, 4, 5, 8]
    assert here.rows[here.sample].tolist() == [0, 4, 8]


def test_mentions_are_found_in_the_whole_graph() -> None:
    whole = graph([{0, 2}, {1}, {0, 1, 2}], [set()] * 3, 3)
    here = Neighbourhood.between(whole, longs(0, 2), longs(1, 2), longs())
    assert here.mentions.indices.tolist() == [1, 0, 1]
    assert here.mentions_in_whole.tolist() == [1, 4, 5]


def test_idf_and_title_counts_are_those_of_the_corpus() -> None:
    whole = graph([{0}, {0}, set()], [set(), {1}, {0, 1}], 2)
    here = Neighbourhood.between(whole, longs(1, 2), longs(0), longs())
    assert here.information.tolist() == [whole.information[0]]
    assert here.title_count.tolist() == [1, 2]
