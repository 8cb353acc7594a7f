"""Treemaps: areas in proportion, nothing overlaps, nothing leaves the frame."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.service.page.treemap import lay_out

SLACK = 1e-6


@given(st.lists(st.integers(1, 1_000), min_size=1, max_size=25))
def test_areas_are_in_proportion_and_do_not_overlap(sizes: list[int]) -> None:
    sizes = sorted(sizes, reverse=True)
    boxes = lay_out(sizes, 1000, 500)
    for size, box in zip(sizes, boxes, strict=True):
        assert box.width * box.height == pytest.approx(size / sum(sizes) * 1000 * 500)
        assert box.x >= -SLACK and box.x + box.width <= 1000 + SLACK  # noqa: PT018  # both ends
        assert box.y >= -SLACK and box.y + box.height <= 500 + SLACK  # noqa: PT018  # both ends
    for one, other in combinations(boxes, 2):
        wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert wide <= SLACK or high <= SLACK


def test_the_example_of_the_paper_is_laid_out_as_there() -> None:
    """Figure 2: areas 6, 6, 4, 3, 2, 2, 1 in a frame of 6 by 4; the two largest share the left column."""
    first, second, third, *_ = lay_out([6, 6, 4, 3, 2, 2, 1], 6, 4)
    assert (first.x, first.width, first.height) == pytest.approx((0, 3, 2))
    assert (second.x, second.y, second.height) == pytest.approx((0, 2, 2))
    assert third.x == pytest.approx(3)


def test_no_sizes_give_no_rectangles() -> None:
    assert lay_out([], 10, 10) == []
