"""Maximal marginal relevance compared with a brute-force computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.marginal_relevance import marginal_relevance
from tetragraph.errors import InvalidInput


def world(seed: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Similarities of random unit vectors to a question and to one another, rounded so that there are ties."""
    vectors = np.random.default_rng(seed).normal(size=(size + 1, 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = (vectors @ vectors.T).round(1)
    return similarity[0, 1:], similarity[1:, 1:]


def by_hand(relevance: np.ndarray, similarity: np.ndarray, count: int, trade_off: float) -> list[int]:
    """Section 2 of Carbonell and Goldstein, candidate by candidate."""
    chosen: list[int] = []
    while len(chosen) < min(count, len(relevance)):
        values = {}
        for candidate in set(range(len(relevance))) - set(chosen):
            alike = max([0.0, *(similarity[candidate, one] for one in chosen)])
            values[candidate] = trade_off * relevance[candidate] - (1 - trade_off) * alike
        chosen.append(min(values, key=lambda one: (-values[one], one)))
    return chosen


@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(1, 12), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_each_choice_has_the_largest_marginal_relevance(seed: int, size: int, count: int, trade_off: float) -> None:
    relevance, similarity = world(seed, size)
    found = marginal_relevance(relevance, similarity, count, trade_off)
    assert found.order.tolist() == by_hand(relevance, similarity, count, trade_off)
    gained = found.relevance - found.redundancy
    assert (np.diff(gained) <= 1e-12).all()


def test_the_question_alone_counts_at_one() -> None:
    relevance, similarity = world(7, 9)
    found = marginal_relevance(relevance, similarity, 9, 1.0)
    assert found.order.tolist() == np.argsort(-relevance, kind="stable").tolist()
    assert not found.redundancy.any()


def test_a_copy_of_what_was_chosen_comes_last() -> None:
    alike = np.array([[1.0, 1.0, 0.1], [1.0, 1.0, 0.1], [0.1, 0.1, 1.0]])
    assert marginal_relevance(np.array([0.9, 0.9, 0.3]), alike, 3, 0.5).order.tolist() == [0, 2, 1]


@pytest.mark.parametrize("trade_off", [-0.1, 1.1])
def test_a_trade_off_is_a_share(trade_off: float) -> None:
    with pytest.raises(InvalidInput, match="trade_off must be between 0 and 1"):
        marginal_relevance(*world(1, 3), 2, trade_off)
