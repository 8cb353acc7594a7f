"""Methods as one word with their options, in Python as on the command line, and the names of their runs."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.run_methods import EvaluatedMethod, find_baseline, find_methods
from tetragraph.evaluate.written_methods import run_names

LONG = "evidence:restart=0.3:per_document=2:rerank=none:rerank_pool=20:decompose=true"


def test_each_run_has_a_valid_name_of_its_own() -> None:
    written = ["dense", LONG, f"{LONG}:k=1", "anchor:policy=mine@1", "anchor:policy=mine-1"]
    names = list(run_names(written).values())
    assert [one.name for one in find_methods({name: ("dense", {}) for name in names})] == names
    assert len(set(names)) == len(written)
    assert names[0] == "dense"
    assert names[1].startswith("evidence-restart-0.3-per_document-2-rerank-none-")
    assert run_names(written[:2])[LONG] == names[1]


def test_methods_are_read_as_on_the_command_line() -> None:
    gain = ("gain", {"engine": "memory", "level_weights": [0, 0.3, 0.7, 1]})
    word = "gain:engine=memory:level_weights=[0, 0.3, 0.7, 1]"
    name = "gain-engine-memory-level_weights-0-0.3-0.7-1"
    assert find_methods(["dense", word]) == (EvaluatedMethod("dense", "dense", {}), EvaluatedMethod(name, *gain))
    assert find_methods({"mine": word}) == find_methods({"mine": gain}) == (EvaluatedMethod("mine", *gain),)
    assert find_methods({"mine": [*gain]}) == (EvaluatedMethod("mine", *gain),)  # type: ignore[dict-item]  # as in JSON
    assert find_methods(["evidence:answer=extractive"])[0].kind == "extractive"
    assert find_baseline(word, ["dense", word]) == name
    assert find_baseline("dense", ["dense", word]) == "dense"
    assert find_baseline(word, {"mine": word}) == word
    assert find_baseline(None, [word]) is None


@pytest.mark.parametrize(
    "given",
    [
        [{"mine": ("gain", {})}], ["dense", 5], 5, {"dense"}, {"mine": {"engine": "memory"}}, {"mine": ("gain",)},
        {"mine": ("gain", "engine=memory")}, {"mine": ("gain", {1: 2})}, {"mine": (None, {})}, {"mine": 3},
    ],
)  # fmt: skip
def test_other_forms_are_refused_with_an_example(given: Any) -> None:
    with pytest.raises(InvalidInput, match=r"or a mapping such as \{'mine': \('gain', \{'engine': 'memory'\}\)\}, got"):
        find_methods(given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["gain:engine"], "an option must read NAME=VALUE, got 'engine'"),
        ({"mine": "gain:=memory"}, "an option must read NAME=VALUE, got '=memory'"),
        (["gain:seeds=3", "gain:seeds=3"], "names of runs must be unique, got 'gain-seeds-3' twice"),
        ({3: "gain"}, "a run's name must be 1 to 63 letters, .*, got 3"),
        (["a b"], "a run's name must be 1 to 63 letters, .*, got 'a b'"),
    ],
)
def test_a_word_that_breaks_a_rule_is_refused(given: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        find_methods(given)
