"""Fusion of hit lists: shares as parts, ties by id, the path of the stronger method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk, FoundFact, Hit, PathStep
from tetragraph.systems import fused

STEP = PathStep("question", "b", "SEED", "named", 1.0)


def hit(chunk_id: str, rank: int, path: tuple[PathStep, ...] = (), score: float | None = None) -> Hit:
    return Hit(
        rank, 1.0 / rank if score is None else score, Chunk(chunk_id, chunk_id, "T", "T", "text", 0, 0, 4, 1), {}, path
    )


def test_shares_of_the_methods_are_the_parts_and_add_up_to_the_score() -> None:
    rankings = {"dense": [hit("a", 1), hit("b", 2)], "gain": [hit("b", 1, (STEP,)), hit("c", 2)]}
    hits = fused.search(rankings, 3, fusion="ranks")
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


def test_scores_are_brought_to_one_range_before_they_are_added() -> None:
    rankings = {
        "bm25": [hit("a", 1, score=40.0), hit("b", 2, score=30.0), hit("c", 3, score=20.0)],
        "dense": [hit("c", 1, score=0.9), hit("b", 2, score=0.8), hit("a", 3, score=0.5)],
    }
    hits = fused.search(rankings, 3)
    assert [(found.chunk.id, round(found.score, 6)) for found in hits] == [("b", 1.25), ("a", 1.0), ("c", 1.0)]
    assert hits[0].parts == pytest.approx({"bm25": 0.5, "dense": 0.75})


def test_a_weight_decides_between_methods_that_disagree() -> None:
    rankings = {"x": [hit("a", 1, score=2.0), hit("b", 2, score=1.0)], "y": [hit("b", 1, score=2.0)]}
    assert [found.chunk.id for found in fused.search(rankings, 1, weights=(3, 1))] == ["a"]
    assert [found.chunk.id for found in fused.search(rankings, 1, weights=(1, 3))] == ["b"]


def test_hits_of_equal_scores_count_in_full() -> None:
    hits = fused.search({"x": [hit("a", 1, score=0.0), hit("b", 2, score=0.0)], "y": [hit("b", 1, score=5.0)]}, 2)
    assert [(found.chunk.id, found.score) for found in hits] == [("b", 2.0), ("a", 1.0)]


def test_the_facts_are_those_of_the_stronger_method_that_has_some() -> None:
    fact = FoundFact(1, 1.0, "r", "a says b", "says", 1.0, 1, 0, (), ())
    with_facts = replace(hit("a", 2, score=1.0), facts=(fact,))
    hits = fused.search({"x": [hit("a", 1, score=2.0)], "y": [hit("b", 1, score=2.0), with_facts]}, 1)
    assert hits[0].facts == (fact,)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"of": ("dense",)}, "two or more different methods"),
        ({"of": ("dense", "dense")}, "two or more different methods"),
        ({"of": ("dense", "fused")}, "two or more different methods"),
        ({"weights": (1.0, 1.0)}, "one for each method that `of` names"),
        ({"of": ("dense", "gain"), "weights": (1.0,)}, "numbers above 0, one for each"),
        ({"of": ("dense", "gain"), "weights": (1.0, 0.0)}, "numbers above 0, one for each"),
        ({"of": ("dense", "gain"), "weights": (1.0, "a")}, "weights must be a list of numbers"),
        ({"of": ("dense", "gain"), "weights": (1.0, float("nan"))}, "numbers above 0, one for each"),
        ({"of": ("dense", "gain"), "weights": (float("inf"), 1.0)}, "numbers above 0, one for each"),
        ({"weights": 5}, "weights must be a list of numbers"),
        ({"of": "magic"}, "of must be a list of names of methods, like .*, got 'magic'"),
        ({"of": [["dense"], ["keyword"]]}, "of must be a list of names of methods"),
        ({"fusion": "votes"}, "fusion must be one of scores, ranks"),
        ({"depth": 0}, "depth"),
    ],
)
def test_an_option_that_breaks_its_rule_is_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        fused.FusedOptions(**given)


def test_the_default_is_what_the_corpus_can_be_asked_with() -> None:
    assert fused.FusedOptions().methods({"evidence", "gain"}.__contains__) == {"dense": 1.0, "keyword": 1.0}
    assert fused.FusedOptions().methods({"evidence", "gain", "bipartite"}.__contains__) == {
        "evidence": 3.0,
        "bipartite": 1.0,
    }


def test_methods_without_weights_count_alike() -> None:
    assert fused.FusedOptions(of=("gain", "dense")).methods(set().__contains__) == {"gain": 1.0, "dense": 1.0}
    assert fused.FusedOptions(of=("gain", "dense"), weights=(2, 1)).methods(set().__contains__) == {
        "gain": 2,
        "dense": 1,
    }


def test_methods_and_weights_in_lists_are_those_in_tuples() -> None:
    lists: dict[str, Any] = {"of": ["dense", "keyword"], "weights": [3, 1]}  # as JSON and the command line have them
    assert fused.FusedOptions(**lists) == fused.FusedOptions(of=("dense", "keyword"), weights=(3, 1))
    hash(fused.FusedOptions(**lists))
