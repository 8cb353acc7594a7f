"""Reciprocal rank fusion, recomputed by hand."""

from __future__ import annotations

import pytest

from tetragraph.algorithms.reciprocal_rank_fusion import reciprocal_rank_fusion
from tetragraph.errors import InvalidInput


def test_the_score_is_the_sum_of_reciprocal_ranks_of_section_2() -> None:
    shares = reciprocal_rank_fusion([[2, 0], [0, 1, 2]], 4)
    assert shares.sum(axis=0).tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 62, 1 / 61 + 1 / 63, 0.0])


def test_no_ranking_gives_nothing() -> None:
    assert reciprocal_rank_fusion([], 3).sum() == 0.0
    assert reciprocal_rank_fusion([[], [0]], 1).tolist() == [[0.0], [1 / 61]]


def test_an_item_ranked_twice_or_a_negative_constant_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"name an item once, got \[0, 0\]"):
        reciprocal_rank_fusion([[0, 0]], 1)
    with pytest.raises(InvalidInput, match="got -1"):
        reciprocal_rank_fusion([[0]], 1, constant=-1)
