"""Training on recorded walks: trees drawn by hand, what is learned from them, and that it is repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tetragraph.errors import InvalidInput
from tetragraph.rl.search_policy.registry import cross_validate
from tetragraph.rl.search_policy.train import PolicyTraining, fixed_walk, read_policy_training, train, walk
from tetragraph.rl.search_policy.walk_tree import END, WalkTree

QUICK = PolicyTraining(cost=0.1, members=2, units=4, steps=60, imitation=60, batch=16)


def tree(name: str, is_worth: bool) -> WalkTree:
    """A question of two states: the first has a mark that says whether a second search finds the rest.

    The fixed loop always searches twice.
    """
    mark = float(is_worth)
    features = [[1.0, 0.0, mark, 0.0], [0.0, 1.0, 0.0, mark], [1.0, 0.0, mark, 0.0]]
    return WalkTree(
        name,
        np.array(features),
        np.array([0, 0, 1]),
        np.array([END, 1, END]),
        np.array([False, True, True]),
        np.array([0.5, 1.0 if is_worth else 0.5]),
    )


def trees() -> list[WalkTree]:
    return [tree(str(number), number % 3 == 0) for number in range(30)]


def outcomes(found: Sequence[tuple[float, int]]) -> list[float]:
    """Mean recall and number of searches."""
    return [round(float(mean), 3) for mean in np.array(found).mean(axis=0)]


def test_trees_are_joined_without_mixing_their_states() -> None:
    joined = WalkTree.joined([tree("a", True), tree("b", False)])
    assert joined.begins.tolist() == [0, 2]
    assert joined.child.tolist() == [END, 1, END, END, 3, END]
    assert joined.state.tolist() == [0, 0, 1, 2, 2, 3]


@pytest.mark.parametrize("part", ["imitation", "steps"])
def test_each_part_of_a_training_learns_when_a_search_is_worth_it(part: str) -> None:
    training = replace(QUICK, **{"imitation": 0, "steps": 0, part: 150})
    network = train(trees(), training)
    assert {walk(network, one) for one in trees()} == {(1.0, 2), (0.5, 1)}
    assert outcomes([fixed_walk(one) for one in trees()]) == [0.667, 2.0]


def test_a_policy_that_may_not_leave_the_fixed_loop_stays_with_it() -> None:
    network = train(trees(), replace(QUICK, imitation=0, steps=150, kl_weight=10.0))
    assert {walk(network, one) for one in trees()} == {(1.0, 2), (0.5, 2)}


def test_a_cost_weighs_no_more_where_the_walks_of_a_question_find_the_same() -> None:
    """Without marks a second search is worth a sixth on average, which is more than its cost of a tenth."""
    unmarked = [replace(one, features=one.features * [1.0, 1.0, 0.0, 0.0]) for one in trees()]
    network = train(unmarked, replace(QUICK, imitation=0, steps=300))
    assert outcomes([walk(network, one) for one in unmarked]) == [0.667, 2.0]


def test_a_cost_above_the_gain_ends_every_walk() -> None:
    network = train(trees(), replace(QUICK, cost=0.9))
    assert {walk(network, one) for one in trees()} == {(0.5, 1)}


def test_the_same_trees_and_seed_give_the_same_weights() -> None:
    first, again, other = (train(trees(), replace(QUICK, seed=seed)).to_arrays() for seed in (0, 0, 1))
    assert all((array == again[name]).all() for name, array in first.items())
    assert any((array != other[name]).any() for name, array in first.items())


def test_cross_validation_holds_out_each_question_once() -> None:
    assert outcomes(cross_validate(trees(), QUICK)) == [0.667, 1.333]
    strange = [*trees()[:-1], tree("unlike any other", True)]
    assert len(cross_validate(strange, QUICK)) == len(strange)
    with pytest.raises(InvalidInput, match="on two questions or more, got 1"):
        cross_validate(trees()[:1], QUICK)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("units", 0),
        ("units", 300),
        ("group", 1),
        ("batch", 0),
        ("steps", -1),
        ("cost", -0.1),
        ("clip", 0),
        ("decay", "x"),
    ],
)
def test_settings_out_of_range_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"{name} must be"):
        read_policy_training({name: value})
    assert read_policy_training({"cost": 0.02}).cost == 0.02
    with pytest.raises(InvalidInput, match="has no option 'speed'"):
        read_policy_training({"speed": 1})
