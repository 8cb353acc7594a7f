"""Rules for the options of a build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.systems.bipartite_graph.options import BuildOptions


def test_the_defaults_ask_no_model_of_language() -> None:
    assert BuildOptions() == BuildOptions(extractor="dependency", threshold=0.9)


def test_a_path_is_made_absolute() -> None:
    assert BuildOptions(extractor="triples.jsonl").extractor == str(Path.cwd() / "triples.jsonl")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"extractor": ""}, "extractor must be 'dependency', 'llm' or the path of a file of recorded triples, got ''"),
        ({"extractor": 3}, "extractor must be 'dependency', 'llm' or the path of a file of recorded triples, got 3"),
        ({"threshold": 0}, "threshold must be above 0 and at most 1, got 0"),
        ({"threshold": 1.01}, "threshold must be above 0 and at most 1, got 1.01"),
        ({"threshold": True}, "threshold must be above 0 and at most 1, got True"),
        ({"threshold": float("nan")}, "threshold must be above 0 and at most 1, got nan"),
        ({"threshold": "0.9"}, "threshold must be above 0 and at most 1, got '0.9'"),
    ],
)
def test_a_value_that_breaks_its_rule_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        BuildOptions(**given)
