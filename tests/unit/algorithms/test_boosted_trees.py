"""Sums of small decision trees."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.algorithms.boosted_trees import BoostedTrees


def trees(base: float = 0.0) -> BoostedTrees:
    """One tree of three leaves on two features, and one that is a leaf."""
    return BoostedTrees(
        base,
        roots=np.array([0, 5]),
        features=np.array([1, 0, 0, 0, 0, 0]),
        thresholds=np.array([2.0, -1.0, 0.0, 0.0, 0.0, 0.0]),
        left=np.array([1, 3, 0, 0, 0, 0]),
        right=np.array([2, 4, 0, 0, 0, 0]),
        values=np.array([0.0, 0.0, 3.0, -2.0, 1.0, 0.5]),
    )


@pytest.mark.parametrize(
    ("row", "odds"), [((0, 2.1), 3.5), ((0, 2.0), 1.5), ((-1, 2.0), -1.5), ((-1, 9), 3.5)], ids=str
)
def test_a_row_goes_left_up_to_the_threshold_and_collects_the_leaves(row: tuple[float, float], odds: float) -> None:
    (found,) = trees().probabilities(np.array([row], dtype=np.float64))
    assert found == pytest.approx(1 / (1 + np.exp(-odds)))


def test_the_base_counts_for_every_row_and_no_rows_have_no_probability() -> None:
    found = trees(base=-3.5).probabilities(np.array([[0.0, 3.0], [0.0, 4.0]]))
    assert found.tolist() == pytest.approx([0.5, 0.5])
    assert trees().probabilities(np.zeros((0, 2))).tolist() == []
