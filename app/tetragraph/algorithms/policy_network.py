"""A small network that scores the possible actions of a decision, and its training by gradient ascent.

The same network scores every action by its features, so that decisions may have any number of actions. The policy is
the softmax of the scores of one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np

from tetragraph.arrays import Floats, Longs
from tetragraph.errors import InvalidInput

_FIRST_SCALE: Final = 0.01
"""Standard deviation of the first weights that lead to a score: an untrained network scores nearly all alike."""
_DECAYS: Final = (0.9, 0.999)
_TINY: Final = 1e-8


@dataclass(frozen=True, slots=True)
class PolicyNetwork:
    """``score(x) = tanh(x W + b) · v + x · u`` of normalised features, and a layer of hidden units.

    Attributes:
        mean: ``(features,)`` subtracted from the features.
        scale: ``(features,)`` the differences are divided by; above 0.
        hidden: ``(features, units)`` weights ``W``.
        bias: ``(units,)`` bias ``b``.
        output: ``(units,)`` weights ``v``.
        direct: ``(features,)`` weights ``u``.
    """

    mean: Floats
    scale: Floats
    hidden: Floats
    bias: Floats
    output: Floats
    direct: Floats

    @classmethod
    def untrained(cls, features: Floats, units: int, seed: int) -> Self:
        """A network with random weights, normalised for the features of some actions.

        Args:
            features: ``(actions, features)``, at least one row.
            units: Number of hidden units, at least 1.
            seed: Seed of the weights.
        """
        rng, width = np.random.default_rng(seed), features.shape[1]
        spread = features.std(axis=0)
        return cls(
            features.mean(axis=0),
            np.where(spread > 0, spread, 1.0),
            rng.normal(0.0, width**-0.5, (width, units)),
            np.zeros(units),
            rng.normal(0.0, _FIRST_SCALE, units),
            np.zeros(width),
        )

    @classmethod
    def averaged(cls, networks: Sequence[Self]) -> Self:
        """The network whose scores are the means of those of some networks.

        Args:
            networks: Networks of the same normalisation; at least one.
        """
        first, count = networks[0], len(networks)
        return cls(
            first.mean,
            first.scale,
            np.concatenate([one.hidden for one in networks], axis=1),
            np.concatenate([one.bias for one in networks]),
            np.concatenate([one.output for one in networks]) / count,
            np.mean([one.direct for one in networks], axis=0),
        )

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Floats]) -> Self:
        """A network of stored arrays; see :meth:`to_arrays`.

        Raises:
            InvalidInput: an array is missing, or the shapes do not fit.
        """
        names = cls.__dataclass_fields__.keys()
        if arrays.keys() != names:
            raise InvalidInput(f"the weights of a policy must be {', '.join(names)}, got {', '.join(arrays) or 'none'}")
        found = cls(**{name: np.asarray(arrays[name], dtype=np.float64) for name in names})
        width, units = found.hidden.shape if found.hidden.ndim == 2 else (0, 0)
        wanted = {"mean": width, "scale": width, "direct": width, "bias": units, "output": units}
        if not width or any(getattr(found, name).shape != (size,) for name, size in wanted.items()):
            raise InvalidInput(f"the weights of a policy must fit together, got hidden of shape {found.hidden.shape}")
        return found

    def to_arrays(self) -> dict[str, Floats]:
        """All arrays by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def scores(self, features: Floats) -> Floats:
        """``(actions,)`` scores of ``(actions, features)``."""
        normal = (features - self.mean) / self.scale
        return np.asarray(np.tanh(normal @ self.hidden + self.bias) @ self.output + normal @ self.direct)

    def gradient(self, features: Floats, slopes: Floats) -> dict[str, Floats]:
        """Gradient of ``Σ slopes · scores`` by the arrays that are trained, by name.

        Args:
            features: ``(actions, features)``.
            slopes: ``(actions,)`` derivative of the objective by each score.
        """
        normal = (features - self.mean) / self.scale
        active = np.tanh(normal @ self.hidden + self.bias)
        inner = np.outer(slopes, self.output) * (1 - active**2)
        return {
            "hidden": normal.T @ inner,
            "bias": inner.sum(axis=0),
            "output": active.T @ slopes,
            "direct": normal.T @ slopes,
        }


def log_policy(scores: Floats, decision: Longs) -> Floats:
    """``(actions,)`` logarithm of the probability of each action among those of its decision.

    Args:
        scores: ``(actions,)`` scores.
        decision: ``(actions,)`` number of the decision of each action, from 0; each number occurs.
    """
    count = int(decision.max()) + 1
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, decision, scores)
    shifted = scores - highest[decision]
    total = np.bincount(decision, np.exp(shifted), count)
    return np.asarray(shifted - np.log(total)[decision])


Gradients: TypeAlias = Callable[[PolicyNetwork, int], Mapping[str, Floats]]
"""Returns the gradient of an objective by the arrays of a network, given the network and the number of the step."""


def ascend(
    network: PolicyNetwork,
    gradients: Gradients,
    steps: int,
    *,
    learning_rate: float,
    decay: float = 0.0,
) -> PolicyNetwork:
    """The network after some steps of Adam towards a higher objective.

    Args:
        network: The network to begin with.
        gradients: Returns the gradient; steps are counted from 0.
        steps: Number of steps.
        learning_rate: Length of a step, above 0.
        decay: Weights shrink towards 0 by this share of their size, as a part of the gradient.

    Source:
        Kingma & Ba (2015), Adam, algorithm 1.
    """
    arrays = network.to_arrays()
    moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in arrays.items()}
    for step in range(steps):
        for name, slope in gradients(PolicyNetwork(**arrays), step).items():
            pull = slope - decay * arrays[name]
            first, second = (
                rate * moment + (1 - rate) * value
                for rate, moment, value in zip(_DECAYS, moments[name], (pull, pull**2), strict=True)
            )
            moments[name] = (first, second)
            ahead, size = (
                moment / (1 - rate ** (step + 1)) for rate, moment in zip(_DECAYS, (first, second), strict=True)
            )
            arrays[name] = arrays[name] + learning_rate * ahead / (np.sqrt(size) + _TINY)
    return PolicyNetwork(**arrays)
