"""The four levels of information gain."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.algorithms.quantise import INTERVALS, LEVELS, MIDDLES, quantise


@pytest.mark.parametrize(("level", "interval"), list(enumerate(INTERVALS)))
def test_equation_3_keeps_the_intervals_of_the_paper(level: int, interval: tuple[float, float]) -> None:
    assert quantise(np.linspace(*interval, 11)).tolist() == [level] * 11


@pytest.mark.parametrize(("gain", "level"), [(0.249, 0), (0.25, 1), (0.549, 1), (0.55, 2), (0.849, 2), (0.85, 3)])
def test_gains_between_intervals_go_to_the_nearer_one(gain: float, level: int) -> None:
    assert quantise(np.array([gain])).tolist() == [level]


def test_the_weight_of_a_level_is_the_middle_of_its_interval() -> None:
    assert MIDDLES == (0.1, 0.4, 0.7, 0.95)
    assert LEVELS == ("redundant", "minor", "significant", "novel")
