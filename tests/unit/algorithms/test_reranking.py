"""Scores of a reranker on the scale of the method whose hits it scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tetragraph.algorithms.reranking import rerank_addends

FINITE = st.floats(-100, 100, allow_subnormal=False).map(lambda value: round(value, 3))


def test_addends_are_the_scaled_scores_above_the_mean() -> None:
    added = rerank_addends(np.array([3.0, 2.0, 1.0]), np.array([[0.0, 6.0, 3.0]]), 0.5)
    # the deviations are sqrt(2/3) and sqrt(6), so that 6 is scaled to 3 / sqrt(6)
    assert added.values.tolist() == pytest.approx([0.0, 0.5 * np.sqrt(2 / 3) * 3 / np.sqrt(6), 0.0])
    assert added.questions.tolist() == [0, 0, 0]


def test_a_hit_counts_by_the_question_that_it_answers_best() -> None:
    judged = np.array([[9.0, 0.0, 0.0], [-8.0, -5.0, -8.0]])
    added = rerank_addends(np.array([3.0, 2.0, 1.0]), judged, 1.0)
    assert added.questions[:2].tolist() == [0, 1]
    assert added.values[0] == pytest.approx(added.values[1])  # each stands out alike among the answers to its question
    assert added.values[2] == 0.0


def test_equal_scores_of_the_method_have_the_spread_one() -> None:
    assert rerank_addends(np.array([2.0, 2.0]), np.array([[1.0, 3.0]]), 1.0).values.tolist() == [0.0, 1.0]


def test_equal_scores_of_the_reranker_add_nothing() -> None:
    assert rerank_addends(np.array([2.0, 1.0]), np.array([[4.0, 4.0]]), 1.0).values.tolist() == [0.0, 0.0]


def test_no_hits_have_no_addends() -> None:
    added = rerank_addends(np.zeros(0), np.zeros((2, 0)), 1.0)
    assert (added.values.shape, added.questions.shape) == ((0,), (0,))


@given(arrays(np.float64, 6, elements=FINITE), arrays(np.float64, (3, 6), elements=FINITE), st.floats(0, 4))
def test_addends_are_finite_and_no_hit_loses(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]],
    judged: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    weight: float,
) -> None:
    added = rerank_addends(scores, judged, weight)
    assert np.isfinite(added.values).all()
    assert (added.values >= 0.0).all()
