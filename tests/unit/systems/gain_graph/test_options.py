"""Invalid options are rejected with rule and value."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.systems.gain_graph.options import BuildOptions, GainOptions


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"engine": "spark"}, "engine must be one of gds, memory, stores, got 'spark'"),
        ({"mode": "fast"}, "mode must be one of tetragraph, paper, got 'fast'"),
        ({"restart": 0.0}, "restart must be at least 0.01 and at most 1, got 0.0"),
        ({"restart": 0.009}, "restart must be at least 0.01 and at most 1, got 0.009"),
        ({"restart": float("nan")}, "restart must be at least 0.01"),
        ({"seeds": 0}, "seeds must be an integer of at least 1, got 0"),
        ({"seeds": True}, "seeds must be an integer"),
        ({"seeds": 2.0}, "seeds must be an integer"),
        ({"question_names": 1.1}, "question_names must be a share between 0 and 1, got 1.1"),
        ({"weights": "cosine"}, "weights must be one of levels, gain, similarity, got 'cosine'"),
        ({"tolerance": 0.0}, "tolerance must be above 0 and below 1, got 0.0"),
        ({"tolerance": 0.2, "restart": 0.2}, "tolerance must be below restart (0.2"),
        ({"level_weights": (0.1, 0.4)}, "level_weights must be 4 numbers between 0 and 1, for redundant"),
        ({"level_weights": (0.1, 0.4, 0.7, 2.0)}, "level_weights must be 4 numbers"),
        ({"level_weights": (0.0, 0.0, 0.0, 0.0)}, "at least one above 0"),
    ],
)
def test_a_search_refuses(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule.replace("(", r"\(")):
        GainOptions(**given)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"neighbours": 0}, "neighbours must be an integer of at least 1, got 0"),
        ({"explains": -1}, "explains must be an integer of at least 0, got -1"),
        ({"mode": ""}, "mode must be one of"),
        ({"judge": "oracle"}, "judge must be one of token_free, llm, levels, score, binary, same, got 'oracle'"),
        ({"batch": 0}, "batch must be an integer of at least 1, got 0"),
    ],
)
def test_a_build_refuses(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        BuildOptions(**given)


def test_the_model_as_the_judge_is_asked_for_levels_as_in_the_paper() -> None:
    assert BuildOptions(judge="llm") == BuildOptions(judge="levels")


def test_nothing_asks_a_model_by_default() -> None:
    assert BuildOptions().judge == "token_free"


def test_the_customary_weights_are_the_middles_of_the_levels() -> None:
    assert GainOptions().level_weights == (0.1, 0.4, 0.7, 0.95)
    assert GainOptions().restart == 0.5


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"walk": "random"}, "walk must be one of pagerank, greedy, got 'random'"),
        ({"rerank": "mmr"}, "rerank must be one of none, llm, cross-encoder, late-interaction, got 'mmr'"),
        ({"pool": 0}, "pool must be an integer of at least 1, got 0"),
    ],
)
def test_a_choice_of_seeds_or_of_the_walk_is_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        GainOptions(**given)


def test_weights_in_a_list_are_those_in_a_tuple() -> None:
    given: Any = [0, 0.5, 0.8, 1]  # as JSON and the command line have them
    assert GainOptions(level_weights=given) == GainOptions(level_weights=(0, 0.5, 0.8, 1))
    hash(GainOptions(level_weights=given))
