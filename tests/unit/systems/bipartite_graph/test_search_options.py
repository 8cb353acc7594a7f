"""Rules for the options of a search, and its default extent."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.language.questions.complexity import Level
from tetragraph.systems.bipartite_graph.options import BipartiteOptions, Bounds


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ranking": "magic"}, "ranking must be one of similarity, paper, got 'magic'"),
        ({"entities": 0}, "entities must be an integer of at least 1, got 0"),
        ({"relations": 2.5}, "relations must be an integer of at least 1, got 2.5"),
        ({"hub": True}, "hub must be an integer of at least 1, got True"),
        ({"hops": -1}, "hops must be an integer of at least 0, got -1"),
        ({"facts": 0}, "facts must be an integer of at least 1, got 0"),
        ({"decompose": "yes"}, "decompose must be true or false, got 'yes'"),
        ({"decomposition": "gpt"}, "decomposition must be one of parser, llm, got 'gpt'"),
        ({"decomposition": "llm", "decompose": False}, "decomposition by a language model needs decompose, got false"),
        ({"query_entities": "gpt"}, "query_entities must be one of names, llm, got 'gpt'"),
        ({"time_limit": 0}, "time_limit must be a number of seconds above 0, got 0"),
        ({"time_limit": True}, "time_limit must be a number of seconds above 0, got True"),
        ({"time_limit": float("inf")}, "time_limit must be a number of seconds above 0, got inf"),
        ({"time_limit": "soon"}, "time_limit must be a number of seconds above 0, got 'soon'"),
    ],
)
def test_a_value_that_breaks_its_rule_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        BipartiteOptions(**given)


@pytest.mark.parametrize(
    ("level", "bounds"), [("simple", Bounds(3, 5)), ("moderate", Bounds(10, 15)), ("complex", Bounds(5, 10))]
)
def test_the_paper_goes_as_far_as_the_question_is_complex(level: Level, bounds: Bounds) -> None:
    """Sections 4.3.1 and 4.3.3."""
    assert BipartiteOptions(ranking="paper").bounds(level) == bounds
    assert BipartiteOptions(ranking="paper", hops=0, facts=7).bounds(level) == Bounds(0, 7)


@pytest.mark.parametrize("level", ["simple", "moderate", "complex"])
def test_by_similarity_one_entity_is_crossed_whatever_the_question(level: Level) -> None:
    assert BipartiteOptions().bounds(level) == Bounds(1, 1000)
    assert BipartiteOptions(hops=2).bounds(level) == Bounds(2, 1000)
