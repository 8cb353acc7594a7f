"""One scale for the cosines of all embedders."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.algorithms.similarity_scale import similarity_scale


def unit_rows(size: int) -> NDArray[np.float32]:
    draws = np.random.default_rng(3).normal(size=(size, 8)).astype(np.float32)
    rows: NDArray[np.float32] = draws / np.linalg.norm(draws, axis=1, keepdims=True)
    return rows


def test_the_similarity_scale_comes_from_the_spread_of_the_cosines() -> None:
    wide = unit_rows(40)
    cosines = [np.std(np.delete(wide @ wide[row], row)) for row in range(40)]
    assert similarity_scale(wide) == pytest.approx(0.058 / min(float(np.mean(cosines)), 0.15), rel=1e-5)


def test_passages_all_alike_leave_the_scale_within_reason() -> None:
    assert similarity_scale(np.full((20, 4), 0.5, dtype=np.float32)) == pytest.approx(0.058 / 0.03)
    assert similarity_scale(unit_rows(2)) == 1.0
