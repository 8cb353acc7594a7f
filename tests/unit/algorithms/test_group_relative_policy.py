"""GRPO: hand-computed advantages and objectives, and their properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.group_relative_policy import group_advantages, grpo_objective, grpo_slopes
from tetragraph.errors import InvalidInput

REWARDS = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.4, 1.0]), min_size=2, max_size=8)


def test_advantages_by_hand() -> None:
    found = group_advantages(np.array([[1.0, -1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]]))
    np.testing.assert_allclose(found, np.array([[math.sqrt(2), -math.sqrt(2), 0, 0], [0, 0, 0, 0]]))


def test_advantages_as_a_trainer_computes_them() -> None:
    found = group_advantages(np.array([[1.0, 0.0]]), ddof=1, offset=1e-4)
    expected = 0.5 / (math.sqrt(0.5) + 1e-4)
    np.testing.assert_allclose(found, np.array([[expected, -expected]]))


@given(REWARDS)
def test_advantages_have_mean_0_and_the_order_of_the_rewards(rewards: list[float]) -> None:
    found = group_advantages(np.array([rewards]))[0]
    assert abs(found.mean()) < 1e-9
    assert np.isfinite(found).all()
    for here, there in zip(range(len(rewards)), range(1, len(rewards)), strict=False):
        if rewards[here] > rewards[there]:
            assert found[here] > found[there]


def objective(new: list[list[float]], advantages: list[float], mask: list[list[int]], **more: float) -> float:
    """Objective against an old and a reference policy that give each token the probability 1/2."""
    half = np.full(np.shape(new), math.log(0.5))
    return grpo_objective(np.log(new), half, half, np.array(advantages), np.array(mask, bool), **more)


def test_the_objective_of_an_unchanged_policy_is_the_mean_advantage() -> None:
    assert objective([[0.5, 0.5], [0.5, 0.5]], [2.0, -1.0], [[1, 1], [1, 1]]) == pytest.approx(0.5)


def test_a_ratio_is_clipped_where_that_lowers_the_objective() -> None:
    assert objective([[0.9]], [1.0], [[1]], kl_weight=0) == pytest.approx(1.2)
    assert objective([[0.9]], [-1.0], [[1]], kl_weight=0) == pytest.approx(-1.8)
    assert objective([[0.1]], [1.0], [[1]], kl_weight=0) == pytest.approx(0.2)
    assert objective([[0.1]], [-1.0], [[1]], kl_weight=0) == pytest.approx(-0.8)


def test_the_divergence_lowers_the_objective() -> None:
    gap = math.log(0.5) - math.log(0.25)
    assert objective([[0.25]], [0.0], [[1]], kl_weight=0.5) == pytest.approx(-0.5 * (2 - gap - 1))


def test_tokens_of_the_environment_count_neither_in_the_sum_nor_in_the_length() -> None:
    alone = objective([[0.6, 0.5]], [1.0], [[1, 1]])
    assert objective([[0.6, 0.001, 0.5]], [1.0], [[1, 0, 1]]) == pytest.approx(alone)


def test_each_trajectory_has_the_same_weight_whatever_its_length() -> None:
    assert objective([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]], [1.0, -1.0], [[1, 1, 1], [1, 0, 0]]) == pytest.approx(0)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"N above 1, got shape \(2, 1\)"):
        group_advantages(np.zeros((2, 1)), ddof=1)
    with pytest.raises(InvalidInput, match="must be"):
        group_advantages(np.zeros(3))
    with pytest.raises(InvalidInput, match="number 1 has none"):
        objective([[0.5], [0.5]], [0, 0], [[1], [0]])
    with pytest.raises(InvalidInput, match="advantages"):
        objective([[0.5]], [0, 0], [[1]])


@given(st.integers(0, 10_000))
def test_slopes_are_the_derivatives_of_the_objective(seed: int) -> None:
    rng = np.random.default_rng(seed)
    new, old, reference = (rng.normal(-1.0, 0.3, (5, 1)) for _ in range(3))
    advantages, is_policy, step = rng.normal(size=5), np.ones((5, 1), dtype=bool), 1e-6
    slopes = grpo_slopes(new[:, 0], old[:, 0], reference[:, 0], advantages, kl_weight=0.3)
    for row in range(5):
        moved = [new.copy(), new.copy()]
        moved[0][row] += step
        moved[1][row] -= step
        up, down = (grpo_objective(one, old, reference, advantages, is_policy, kl_weight=0.3) for one in moved)
        assert slopes[row] == pytest.approx(5 * (up - down) / (2 * step), abs=1e-4)
