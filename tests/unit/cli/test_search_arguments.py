"""Parsing of options and filters on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import errors
from tetragraph.cli.search import read_filters, read_options


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (["year=1999"], {"year": 1999}),
        (["year>=1990", "year<2000"], {"year": {"gte": 1990, "lt": 2000}}),
        (["lang=['en', 'de']"], {"lang": ["en", "de"]}),
        (["draft=false"], {"draft": False}),
        (["author=Ida Brandt"], {"author": "Ida Brandt"}),
        (["code='007'"], {"code": "007"}),
        ([], {}),
    ],
)
def test_conditions_become_filters(items: list[str], expected: dict[str, Any]) -> None:
    assert read_filters(items) == expected


def test_options_are_read_as_values() -> None:
    assert read_options(["engine=memory", "restart=0.3"]) == {"engine": "memory", "restart": 0.3}


@pytest.mark.parametrize("item", ["engine", "=memory"])
def test_an_option_without_name_or_value_is_refused(item: str) -> None:
    with pytest.raises(errors.InvalidInput, match="must read NAME=VALUE"):
        read_options([item])
