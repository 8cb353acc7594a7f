"""Conditions of several surfaces, collected to filters."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.client.conditions import Condition, collect_conditions
from tetragraph.errors import InvalidInput


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], {}),
        ([("kind", "=", "a")], {"kind": "a"}),
        ([("kind", "=", ["a"])], {"kind": "a"}),
        ([("kind", "=", "a"), ("kind", "=", ("b", "c"))], {"kind": ["a", "b", "c"]}),
        ([("kind", "!=", "a")], {"kind": {"ne": "a"}}),
        ([("kind", "!=", "a"), ("kind", "!=", ["b", "c"])], {"kind": {"ne": ["a", "b", "c"]}}),
        (
            [("year", ">=", 1990), ("year", "<", 2000), ("kind", "=", [])],
            {"year": {"gte": 1990, "lt": 2000}, "kind": []},
        ),
        ([("year", ">", 1990), ("year", "<=", 2000)], {"year": {"gt": 1990, "lte": 2000}}),
        ([("year", ">", [1, 2])], {"year": {"gt": [1, 2]}}),
    ],
)
def test_all_conditions_count(conditions: list[tuple[str, str, Any]], expected: dict[str, Any]) -> None:
    assert collect_conditions(Condition(*one) for one in conditions) == expected


@pytest.mark.parametrize("first", ["=", ">="])
def test_values_and_bounds_of_one_key_are_refused(first: str) -> None:
    second = {"=": "!=", ">=": "="}[first]
    with pytest.raises(InvalidInput, match=r"on 'year' must have either values .* or bounds and exclusions"):
        collect_conditions([Condition("year", first, 1), Condition("year", second, 2)])


def test_a_bound_that_is_given_twice_is_refused() -> None:
    with pytest.raises(InvalidInput, match="each bound of 'year' once"):
        collect_conditions([Condition("year", "<", 1), Condition("year", "<", 1)])
