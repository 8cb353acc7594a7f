"""The rules that the settings of a search in several steps keep."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.systems.anchor_graph import DEPTH, AnchorOptions


def test_mode_paper_searches_with_vectors_and_reads_all_that_a_step_retrieves() -> None:
    paper = AnchorOptions(mode="paper")
    assert (paper.retriever, paper.read_only, paper.depth) == ("dense", True, 5)
    own = AnchorOptions()
    assert (own.retriever, own.read_only, own.depth) == ("evidence", False, DEPTH)


def test_what_is_given_wins_over_the_mode() -> None:
    given = AnchorOptions(mode="paper", retriever="evidence", read_only=False, documents=30)
    assert (given.retriever, given.read_only, given.depth) == ("evidence", False, 30)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"mode": "gain"}, "mode must be one of tetragraph, paper, got 'gain'"),
        ({"read_only": "yes"}, "read_only must be true or false, got 'yes'"),
        ({"answer_from": "facts"}, "answer_from must be one of both, passages, graph, got 'facts'"),
        ({"answer_from": "graph", "graph": False}, "answer_from graph needs graph, got false"),
        ({"index": "table"}, "index must be one of graph, text, got 'table'"),
        ({"index": "text"}, "reasoner must be llm and graph true, got 'token_free' and True"),
        ({"index": "text", "reasoner": "llm", "graph": False}, "must be llm and graph true, got 'llm' and False"),
    ],
)
def test_a_value_that_breaks_its_rule_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        AnchorOptions(**given)
