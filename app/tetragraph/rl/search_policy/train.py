"""Training of a policy on recorded walks: imitation of the best walks, then GRPO.

The trees of the recorded walks hold the reward of every walk, so that training needs no search: an episode is a path
through a tree, sampled from the policy.

Source:
    BiG-RAG (2025), section 4.4.4, for the objective; the actions and the reward are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from tetragraph.algorithms.group_relative_policy import CLIP, group_advantages, grpo_slopes
from tetragraph.algorithms.policy_network import PolicyNetwork, ascend, log_policy
from tetragraph.arrays import Floats, Longs
from tetragraph.rl.search_policy.walk_tree import END, WalkTree
from tetragraph.validation import check_integer, check_known_options, check_not_negative, check_positive

_UPDATES: Final = 4
"""Steps with the same sampled walks."""
_OFFSET: Final = 1.0
"""Addend of the deviation of a group's rewards. Without it the cost of a search weighs as much as all the gold where
the walks of a group find the same."""
_FIXED: Final = 0.9
"""Probability of the fixed loop's choice in the reference policy."""


@dataclass(frozen=True, slots=True)
class PolicyTraining:
    """Settings of a training.

    Attributes:
        cost: Reward that a search costs, from 0; 0.01 is one point of recall in a hundred.
        members: Networks that are trained apart and averaged, 1 to 20.
        units: Hidden units of each, 1 to 256.
        batch: Questions of a step, at least 1; all if there are fewer.
        imitation: Steps of imitation of the best walks, 0 or more.
        steps: Steps of GRPO, 0 or more.
        group: Episodes of each question in a step, at least 2.
        clip: See :func:`grpo_objective`.
        kl_weight: Weight of the divergence from the fixed loop, 0 or more.
        learning_rate: Length of a step, above 0.
        decay: Decay of the weights, 0 or more.
        seed: Seed of weights and episodes.
    """

    cost: float = 0.008
    members: int = 3
    units: int = 8
    batch: int = 2000
    imitation: int = 100
    steps: int = 400
    group: int = 8
    clip: float = CLIP
    kl_weight: float = 0.0003
    learning_rate: float = 0.01
    decay: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: a setting is out of its range.
        """
        check_integer("members", self.members, 1, 20)
        check_integer("units", self.units, 1, 256)
        for name, least in {"batch": 1, "imitation": 0, "steps": 0, "group": 2, "seed": 0}.items():
            check_integer(name, getattr(self, name), least)
        for name in ("clip", "learning_rate"):
            check_positive(name, getattr(self, name))
        for name in ("cost", "kl_weight", "decay"):
            check_not_negative(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class _Episodes:
    """The choices of sampled walks; all arrays are ``(choices taken,)``.

    Attributes:
        choice: Number of the choice in the tree.
        log_chance: Logarithm of its probability under the policy that was sampled.
        advantage: Advantage of its walk.
        weight: Its share in the mean over walks, and over the choices of each.
    """

    choice: Longs
    log_chance: Floats
    advantage: Floats
    weight: Floats

    @classmethod
    def none(cls) -> _Episodes:
        """No choices."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), np.zeros(0))


class _Batch:
    """The trees of some questions, with what a step needs of each choice.

    Attributes:
        tree: All trees in one.
        begins: First state of each tree.
        value: ``(choices,)`` reward of the best walk after each choice, without the searches before it.
        reference: ``(choices,)`` logarithm of the probability under the reference policy.
        first: ``(states + 1,)`` number of the first choice of each state, and of all choices.
    """

    def __init__(self, trees: Sequence[WalkTree], cost: float) -> None:
        self.tree = WalkTree.joined(trees)
        tree = self.tree
        self.begins = tree.begins
        self.first = np.searchsorted(tree.state, np.arange(len(tree.recall) + 1))
        counts = np.diff(self.first)[tree.state]
        likely = np.where(tree.is_fixed, _FIXED, (1 - _FIXED) / np.maximum(counts - 1, 1))
        self.reference = np.log(np.where(counts == 1, 1.0, likely))
        self.value = self._best_walks(cost)

    def log_policy(self, policy: PolicyNetwork) -> Floats:
        """``(choices,)`` logarithm of the probability of each choice under a policy."""
        return log_policy(policy.scores(self.tree.features), self.tree.state)

    def _best_walks(self, cost: float) -> Floats:
        tree = self.tree
        ends = tree.child == END
        value = np.where(ends, tree.recall[tree.state], 0.0)
        highest = np.maximum.reduceat(np.where(ends, value, -np.inf), self.first[:-1])
        is_known = np.isin(np.arange(len(tree.recall)), tree.state[~ends], invert=True)
        while not is_known.all():  # one round for each step of the longest walk
            value = np.where(ends, value, np.where(is_known[tree.child], highest[tree.child] - cost, -np.inf))
            best = np.maximum.reduceat(value, self.first[:-1])
            is_known = np.logical_and.reduceat(ends | is_known[tree.child], self.first[:-1])
            highest = np.where(is_known, best, highest)
        return value


def _imitation(batch: _Batch, log_chance: Floats) -> Floats:
    """Slopes, by the scores, of the mean reward of the best walk after a choice, in each state."""
    state, chance = batch.tree.state, np.exp(log_chance)
    expected = np.bincount(state, chance * batch.value)[state]
    return np.asarray(chance * (batch.value - expected) / len(batch.begins))


def _group_relative(batch: _Batch, episodes: _Episodes, log_chance: Floats, training: PolicyTraining) -> Floats:
    """Slopes, by the scores, of GRPO's objective for sampled walks."""
    state, chosen = batch.tree.state, episodes.choice
    slope = grpo_slopes(
        log_chance[chosen],
        episodes.log_chance,
        batch.reference[chosen],
        episodes.advantage,
        clip=training.clip,
        kl_weight=training.kl_weight,
    )
    slopes = np.bincount(chosen, slope * episodes.weight, len(state))
    return np.asarray(slopes - np.exp(log_chance) * np.bincount(state, slopes)[state])


def _sample(batch: _Batch, log_chance: Floats, training: PolicyTraining, rng: np.random.Generator) -> _Episodes:
    """Walks sampled by the probabilities of the choices, a group for each question."""
    tree, group = batch.tree, training.group
    state = np.repeat(batch.begins, group)
    walking = np.arange(len(state))
    reward, lengths = np.zeros(len(state)), np.zeros(len(state))
    summed = np.concatenate([[0.0], np.cumsum(np.exp(log_chance))])
    chosen: list[Longs] = []
    walks: list[Longs] = []
    while len(walking):
        first, after = batch.first[state], batch.first[state + 1]
        target = summed[first] + rng.random(len(state)) * (summed[after] - summed[first])
        choice = np.clip(np.searchsorted(summed, target, side="right") - 1, first, after - 1)
        chosen.append(choice)
        walks.append(walking)
        lengths[walking] += 1
        child = tree.child[choice]
        goes_on = child != END
        reward[walking] += np.where(goes_on, -training.cost, tree.recall[state])
        walking, state = walking[goes_on], child[goes_on]
    advantage = group_advantages(reward.reshape(-1, group), offset=_OFFSET).reshape(-1)
    choice, walk_of = np.concatenate(chosen), np.concatenate(walks)
    return _Episodes(choice, log_chance[choice], advantage[walk_of], 1 / lengths[walk_of] / len(reward))


def train(trees: Sequence[WalkTree], training: PolicyTraining) -> PolicyNetwork:
    """A network trained on the recorded walks of some questions: the mean of its members, trained apart.

    Deterministic: the same trees and settings give the same weights.

    Args:
        trees: Trees of the questions; at least one.
        training: Settings.
    """
    whole = _Batch(trees, training.cost)
    seeds = np.random.SeedSequence(training.seed).spawn(training.members)
    return PolicyNetwork.averaged(
        [_train_member(trees, whole, training, np.random.default_rng(seed)) for seed in seeds]
    )


def _train_member(
    trees: Sequence[WalkTree], whole: _Batch, training: PolicyTraining, rng: np.random.Generator
) -> PolicyNetwork:
    network = PolicyNetwork.untrained(whole.tree.features, training.units, int(rng.integers(2**32)))

    def next_batch() -> _Batch:
        if training.batch >= len(trees):
            return whole
        drawn = rng.choice(len(trees), training.batch, replace=False)
        return _Batch([trees[one] for one in drawn], training.cost)

    def imitate(policy: PolicyNetwork, _: int) -> Mapping[str, Floats]:
        one = next_batch()
        return policy.gradient(one.tree.features, _imitation(one, one.log_policy(policy)))

    batch, episodes = next_batch(), _Episodes.none()

    def improve(policy: PolicyNetwork, step: int) -> Mapping[str, Floats]:
        nonlocal batch, episodes
        is_begin = step % _UPDATES == 0
        batch = next_batch() if is_begin else batch
        log_chance = batch.log_policy(policy)
        episodes = _sample(batch, log_chance, training, rng) if is_begin else episodes
        slopes = _group_relative(batch, episodes, log_chance, training)
        return policy.gradient(batch.tree.features, slopes)

    rates = {"learning_rate": training.learning_rate, "decay": training.decay}
    return ascend(ascend(network, imitate, training.imitation, **rates), improve, training.steps, **rates)


def walk(network: PolicyNetwork, tree: WalkTree) -> tuple[float, int]:
    """Recall and number of searches of the walk that a policy chooses in a tree."""
    scores = network.scores(tree.features)
    order = np.lexsort((np.arange(len(scores)), -scores, tree.state))  # of equal scores the first counts
    return tree.outcome(order[np.unique(tree.state[order], return_index=True)[1]])


def fixed_walk(tree: WalkTree) -> tuple[float, int]:
    """Recall and number of searches of the fixed loop in a tree."""
    return tree.outcome(np.flatnonzero(tree.is_fixed))


def read_policy_training(given: Mapping[str, Any]) -> PolicyTraining:
    """Settings of a training by their names.

    Raises:
        InvalidInput: there is no such setting, or a value is out of its range.
    """
    check_known_options("a training", given, [one.name for one in fields(PolicyTraining)])
    return PolicyTraining(**given)
