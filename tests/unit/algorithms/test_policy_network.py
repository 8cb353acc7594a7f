"""The network that scores actions: its gradient, its probabilities, and what it learns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tetragraph.algorithms.policy_network import PolicyNetwork, ascend, log_policy
from tetragraph.arrays import Floats
from tetragraph.errors import InvalidInput

RNG = np.random.default_rng(7)
FEATURES = RNG.normal(size=(6, 3))
SLOPES = RNG.normal(size=6)


def network() -> PolicyNetwork:
    """A network none of whose arrays is zero."""
    found = PolicyNetwork.untrained(FEATURES, 4, seed=1).to_arrays()
    return PolicyNetwork(**{name: array + 0.1 * RNG.normal(size=array.shape) for name, array in found.items()})


@pytest.mark.parametrize("name", ["hidden", "bias", "output", "direct"])
def test_the_gradient_is_that_of_finite_differences(name: str) -> None:
    policy, step = network(), 1e-6
    gradient = policy.gradient(FEATURES, SLOPES)[name]
    for place in np.ndindex(gradient.shape):
        values = []
        for sign in (1, -1):
            arrays = {key: array.copy() for key, array in policy.to_arrays().items()}
            arrays[name][place] += sign * step
            values.append(SLOPES @ PolicyNetwork(**arrays).scores(FEATURES))
        assert gradient[place] == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-6)


def test_probabilities_of_each_decision_add_up_to_one() -> None:
    decision = np.array([0, 0, 0, 1, 2, 2])
    chance = np.exp(log_policy(np.array([1.0, 2.0, 3.0, -800.0, 900.0, 900.0]), decision))
    assert np.bincount(decision, chance) == pytest.approx([1.0, 1.0, 1.0])
    assert chance[3:] == pytest.approx([1.0, 0.5, 0.5])
    assert chance[2] / chance[1] == pytest.approx(np.e)


def test_ascent_learns_to_prefer_the_action_that_a_feature_marks() -> None:
    """An exclusive or of two features, which needs the hidden layer."""
    features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64)
    is_right = np.array([0.0, 1.0, 1.0, 0.0])
    decision = np.zeros(4, dtype=np.int64)

    def gradients(policy: PolicyNetwork, _: int) -> Mapping[str, Floats]:
        chance = np.exp(log_policy(policy.scores(features), decision))
        return policy.gradient(features, chance * (is_right - chance @ is_right))

    begin = PolicyNetwork.untrained(features, 8, seed=0)
    assert np.exp(log_policy(begin.scores(features), decision)) == pytest.approx(0.25, abs=0.02)
    trained = ascend(begin, gradients, 300, learning_rate=0.05)
    assert np.exp(log_policy(trained.scores(features), decision)) @ is_right > 0.99
    again = ascend(begin, gradients, 300, learning_rate=0.05)
    assert all((array == again.to_arrays()[name]).all() for name, array in trained.to_arrays().items())


def test_an_average_scores_the_mean() -> None:
    first = network()
    second = PolicyNetwork(**{**first.to_arrays(), "hidden": -first.hidden, "direct": first.direct + 1})
    both = PolicyNetwork.averaged([first, second])
    assert both.hidden.shape == (3, 8)
    assert both.scores(FEATURES) == pytest.approx((first.scores(FEATURES) + second.scores(FEATURES)) / 2)


def test_decay_pulls_weights_to_zero() -> None:
    begin = PolicyNetwork.untrained(FEATURES, 4, seed=1)

    def nothing(policy: PolicyNetwork, _: int) -> Mapping[str, Floats]:
        return policy.gradient(FEATURES, np.zeros(len(FEATURES)))

    assert (ascend(begin, nothing, 20, learning_rate=0.01).hidden == begin.hidden).all()
    assert abs(ascend(begin, nothing, 20, learning_rate=0.01, decay=0.1).hidden).sum() < abs(begin.hidden).sum()


def test_arrays_that_are_no_network_are_refused() -> None:
    arrays = network().to_arrays()
    assert PolicyNetwork.from_arrays(arrays).mean.shape == (3,)
    with pytest.raises(InvalidInput, match="must be mean, scale, hidden, bias, output, direct, got mean"):
        PolicyNetwork.from_arrays({"mean": arrays["mean"]})
    for name in ("direct", "output"):
        with pytest.raises(InvalidInput, match="must fit together"):
            PolicyNetwork.from_arrays({**arrays, name: np.zeros(9)})
    with pytest.raises(InvalidInput, match="must fit together"):
        PolicyNetwork.from_arrays({**arrays, "hidden": np.zeros(3)})
