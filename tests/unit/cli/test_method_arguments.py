"""Parsing of methods with settings, grids and cuts on the command line of an evaluation."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import errors
from tetragraph.cli.method_arguments import read_grids, read_ks, read_methods


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (["dense,keyword"], {"dense": ("dense", {}), "keyword": ("keyword", {})}),
        (["dense", "keyword"], {"dense": ("dense", {}), "keyword": ("keyword", {})}),
        (
            ["evidence,evidence:chain=off:restart=0.3"],
            {
                "evidence": ("evidence", {}),
                "evidence:chain=off:restart=0.3": ("evidence", {"chain": "off", "restart": 0.3}),
            },
        ),
        (
            ["fused:of=('dense', 'keyword'):depth=50, gain:level_weights=[0, 0.3, 0.7, 1]"],
            {
                "fused:of=('dense', 'keyword'):depth=50": ("fused", {"of": ("dense", "keyword"), "depth": 50}),
                "gain:level_weights=[0, 0.3, 0.7, 1]": ("gain", {"level_weights": [0, 0.3, 0.7, 1]}),
            },
        ),
    ],
)
def test_runs_are_named_as_they_are_written(items: list[str], expected: dict[str, Any]) -> None:
    assert read_methods(items) == expected
    assert list(read_methods(items)) == list(expected)


@pytest.mark.parametrize(
    ("items", "words"),
    [(["dense,dense"], "must be named once, got 'dense' twice"), (["evidence:chain"], "must read NAME=VALUE")],
)
def test_a_run_asked_for_twice_or_without_a_value_is_refused(items: list[str], words: str) -> None:
    with pytest.raises(errors.InvalidInput, match=words):
        read_methods(items)


def test_grids_hold_values_in_their_order() -> None:
    assert read_grids(["keyword=0.2,0.03", "chain=off,match", "level_weights=(0,1),(1,0)"]) == {
        "keyword": (0.2, 0.03),
        "chain": ("off", "match"),
        "level_weights": ((0, 1), (1, 0)),
    }


def test_a_grid_without_values_is_refused_where_it_has_no_sign() -> None:
    with pytest.raises(errors.InvalidInput, match="must read NAME=VALUE,VALUE, got 'keyword'"):
        read_grids(["keyword"])


def test_cuts_rise_and_are_there_once() -> None:
    assert read_ks(["10,2", "5", "2"]) == (2, 5, 10)


@pytest.mark.parametrize("item", ["0", "-1", "2,x", "2.5"])
def test_a_cut_that_is_no_positive_integer_is_refused(item: str) -> None:
    with pytest.raises(errors.InvalidInput, match="k must be integers of at least 1"):
        read_ks([item])
