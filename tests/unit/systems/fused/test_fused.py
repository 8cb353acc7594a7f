"""Fusion of hit lists: shares as parts, ties by id, the path of the stronger method."""

from __future__ import annotations

import pytest

from tetragraph.model import Chunk, Hit, PathStep
from tetragraph.systems import fused

STEP = PathStep("question", "b", "SEED", "named", 1.0)


def hit(chunk_id: str, rank: int, path: tuple[PathStep, ...] = ()) -> Hit:
    return Hit(rank, 1.0 / rank, Chunk(chunk_id, chunk_id, "T", "T", "text", 0, 0, 4, 1), {}, path)


def test_shares_of_the_methods_are_the_parts_and_add_up_to_the_score() -> None:
    rankings = {"dense": [hit("a", 1), hit("b", 2)], "gain": [hit("b", 1, (STEP,)), hit("c", 2)]}
    hits = fused.search(rankings, 3)
    assert [found.chunk.id for found in hits] == ["b", "a", "c"]
    assert hits[0].parts == pytest.approx({"dense": 1 / 62, "gain": 1 / 61})
    assert hits[1].parts == pytest.approx({"dense": 1 / 61})
    assert all(found.score == pytest.approx(sum(found.parts.values())) for found in hits)
    assert hits[0].path == (STEP,)
    assert [found.rank for found in hits] == [1, 2, 3]


def test_equal_scores_are_ordered_by_id_also_at_the_cut() -> None:
    hits = fused.search({"x": [hit("z", 1)], "y": [hit("m", 1)]}, 1)
    assert [found.chunk.id for found in hits] == ["m"]


def test_nothing_to_fuse_is_no_hit() -> None:
    assert fused.search({"x": [], "y": []}, 5) == []
