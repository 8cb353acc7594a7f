"""A paired comparison is correct for the data, and the same each time."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.comparison import compare
from tetragraph.evaluate.model import Comparison, Scores


def scores(values: list[float]) -> Scores:
    return Scores({}, {}, {}, {"recall@5": {f"q{place:03d}": value for place, value in enumerate(values)}})


def compared(first: list[float], second: list[float], seed: int = 0) -> Comparison:
    return compare("recall@5", "new", "old", {"new": scores(first), "old": scores(second)}, seed=seed)


def test_a_clear_difference_is_better_one_way_and_worse_the_other() -> None:
    first, second = [1.0] * 30 + [0.0] * 10, [0.0] * 20 + [1.0] * 10 + [0.0] * 10
    better, worse = compared(first, second), compared(second, first)
    assert (better.first, better.second, better.metric) == ("new", "old", "recall@5")
    assert (better.verdict, worse.verdict) == ("better", "worse")
    assert better.difference == -worse.difference == 0.5
    assert 0 < better.low < 0.5 < better.high < 1
    assert better.p_value == worse.p_value < 0.001


def test_no_difference_is_undecided_and_certain() -> None:
    same = compared([0.5, 1.0, 0.0, 1.0], [0.5, 1.0, 0.0, 1.0])
    assert same == Comparison("new", "old", "recall@5", 0.0, 0.0, 0.0, 1.0, "undecided")


def test_a_few_questions_never_decide_though_all_agree() -> None:
    few = compared([1.0] * 5, [0.0] * 5)
    assert (few.low, few.high) == (1.0, 1.0)
    assert few.p_value == 2 / 2**5
    assert few.verdict == "undecided"
    assert compared([1.0] * 6, [0.0] * 6).verdict == "better"
    one = compared([1.0], [0.0])
    assert (one.difference, one.low, one.high, one.p_value, one.verdict) == (1, 1, 1, 1, "undecided")


def test_the_p_value_of_few_questions_is_that_of_all_swaps() -> None:
    differences = np.array([0.5, 0.25, -0.25, 1.0, 0.5, 0.0, -0.5])
    means = [np.mean(differences * signs) for signs in product((1, -1), repeat=len(differences))]
    at_least = np.mean(np.array(means) >= differences.mean() - 1e-12)
    expected = min(1.0, 2 * at_least)
    assert compared(differences.tolist(), [0.0] * 7).p_value == pytest.approx(expected)


def test_the_interval_is_that_of_the_normal_distribution_where_that_holds() -> None:
    values = np.random.default_rng(7).normal(0.1, 1.0, 400)
    interval = compared(values.tolist(), [0.0] * 400)
    half = 1.96 * values.std() / 20
    assert interval.low == pytest.approx(values.mean() - half, abs=0.01)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.01)


def test_the_same_scores_give_the_same_comparison_and_the_seed_decides() -> None:
    chance = np.random.default_rng(1)
    first, second = chance.random(50).tolist(), chance.random(50).tolist()
    assert compared(first, second) == compared(first, second)
    assert compared(first, second).low != compared(first, second, seed=1).low


def test_runs_must_have_the_metric_for_the_same_questions() -> None:
    with pytest.raises(InvalidInput, match="same questions in both runs, at least one, got 2 and 3"):
        compared([1.0, 1.0], [1.0, 1.0, 0.0])
    with pytest.raises(InvalidInput, match="got 0 and 0"):
        compare("f1", "new", "old", {"new": scores([1.0]), "old": scores([1.0])})
