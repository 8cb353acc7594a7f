"""Parts add up to the score, and the path is the most probable walk."""

from __future__ import annotations

import pytest

from tetragraph.model import PathStep
from tetragraph.systems.gain_graph.engine import Step
from tetragraph.systems.gain_graph.explain import FinishedWalk, parts, strongest_paths
from tetragraph.systems.gain_graph.seeds import Seeds

SEEDS = Seeds(similar={"a": 0.2, "b": 0.2}, named={"b": 0.6})
STEPS = (
    Step("a", "c", "minor", "nearest", 0.5, 0.4),
    Step("a", "b", "novel", "explains", 0.5, 0.4),
    Step("b", "c", "novel", "explains", 1.0, 0.95),
    Step("c", "d", "significant", "nearest", 1.0, 0.7),
)
WALK = FinishedWalk(SEEDS, {"a": 0.1, "b": 0.45, "c": 0.3, "d": 0.15}, 0.5, 0.5, STEPS)


def test_parts_are_the_terms_of_equation_6() -> None:
    found = parts(WALK, "b")
    assert found == pytest.approx(
        {"seed_similar": 0.1, "seed_named": 0.3, "nearest": 0.0, "explains": 0.025, "elsewhere": 0.025}
    )


@pytest.mark.parametrize("chunk", ["a", "b", "c", "d"])
def test_parts_add_up_to_the_score(chunk: str) -> None:
    assert sum(parts(WALK, chunk).values()) == pytest.approx(WALK.scores[chunk])


def test_the_path_is_the_most_probable_walk_from_a_seed() -> None:
    assert strongest_paths(WALK)["d"] == (
        PathStep("question", "b", "SEED", "named in the question", 0.8),
        PathStep("b", "c", "INFO_GAIN", "novel", 1.0),
        PathStep("c", "d", "INFO_GAIN", "significant", 1.0),
    )


def test_a_seed_that_is_reached_better_by_the_question_has_a_path_of_one_step() -> None:
    assert strongest_paths(WALK)["a"] == (PathStep("question", "a", "SEED", "similar to the question", 0.2),)


def test_what_cannot_be_reached_has_no_path() -> None:
    assert "e" not in strongest_paths(WALK)
