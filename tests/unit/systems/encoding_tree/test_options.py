"""Invalid options are rejected with rule and value."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.systems.encoding_tree.options import PAPER, BuildOptions, TreeOptions


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"neighbours": 0}, "neighbours must be an integer of at least 1, got 0"),
        ({"neighbours": True}, "neighbours must be an integer of at least 1, got True"),
        ({"neighbours": 2.0}, "neighbours must be an integer of at least 1, got 2.0"),
        ({"neighbours": "20"}, "neighbours must be an integer of at least 1, got '20'"),
        ({"window": -1}, "window must be an integer of at least 0, got -1"),
        ({"frequency_cap": 1}, "frequency_cap must be an integer of at least 2, got 1"),
        ({"height": 1}, "height must be an integer of at least 2, got 1"),
        ({"height": 33}, "height must be at most 32, got 33"),
        ({"names": "gpt"}, "names must be one of distinctive, llm, got 'gpt'"),
        ({"sigma": 0.0}, "sigma must be a number above 0, got 0.0"),
        ({"sigma": float("nan")}, "sigma must be a number above 0, got nan"),
        ({"sigma": float("inf")}, "sigma must be a number above 0, got inf"),
        ({"sigma": "5"}, "sigma must be a number above 0, got '5'"),
        ({"semantic": -0.1}, "semantic and logical must be shares that leave 0 or more to distance, got -0.1 and 0.45"),
        ({"logical": -0.1}, "semantic and logical must be shares"),
        ({"semantic": 0.6, "logical": 0.6}, "leave 0 or more to distance, got 0.6 and 0.6"),
        ({"semantic": float("nan")}, "semantic and logical must be shares"),
        ({"logical": float("nan")}, "semantic and logical must be shares"),
        ({"semantic": "0.4"}, "semantic and logical must be shares"),
        ({"logical": None}, "semantic and logical must be shares"),
    ],
)
def test_a_build_refuses(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        BuildOptions(**given)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"mode": "fast"}, "mode must be one of tetragraph, paper, got 'fast'"),
        ({"communities": 0}, "communities must be an integer of at least 1, got 0"),
        ({"communities": False}, "communities must be an integer of at least 1, got False"),
        ({"gate": 1}, "gate must be true or false, got 1"),
        ({"coarse": -0.1}, "coarse must be a weight between 0 and 1, got -0.1"),
        ({"coarse": 1.1}, "coarse must be a weight between 0 and 1, got 1.1"),
        ({"coarse": float("nan")}, "coarse must be a weight between 0 and 1, got nan"),
        ({"coarse": "much"}, "coarse must be a weight between 0 and 1, got 'much'"),
        ({"expansion": "model"}, "expansion must be one of first_hits, self_query, both, none, got 'model'"),
        ({"threshold": 0.0}, "threshold must be above 0 and at most 1, got 0.0"),
        ({"threshold": 1.1}, "threshold must be above 0 and at most 1, got 1.1"),
        ({"threshold": float("nan")}, "threshold must be above 0 and at most 1, got nan"),
        ({"threshold": None}, "threshold must be above 0 and at most 1, got None"),
    ],
)
def test_a_search_refuses(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        TreeOptions(**given)


def test_the_defaults_of_a_build_are_those_of_the_paper() -> None:
    options = BuildOptions()
    assert (options.neighbours, options.semantic, options.logical, options.distance) == (20, 0.45, 0.45, 0.1)
    assert (options.sigma, options.height) == (5.0, 2)


def test_shares_may_leave_nothing_to_distance() -> None:
    assert BuildOptions(semantic=0.7, logical=0.3).distance == 0
    assert BuildOptions(semantic=1, logical=0).distance == 0


def test_the_mode_of_the_paper_weighs_and_asks_as_the_paper_does() -> None:
    options = TreeOptions(mode="paper")
    assert options.weights == PAPER
    assert (options.weights.coarse, options.weights.is_gated, options.enhancement) == (0.4, True, "none")
    assert TreeOptions().enhancement == "first_hits"


def test_what_is_asked_for_goes_before_the_mode() -> None:
    options = TreeOptions(mode="paper", coarse=0.7, expansion="first_hits")
    assert (options.weights.coarse, options.weights.entities, options.enhancement) == (0.7, 1.0, "first_hits")
    assert TreeOptions(coarse=0.0, expansion="none").weights.coarse == 0.0
