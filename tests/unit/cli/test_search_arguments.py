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
        (["author!=Ida"], {"author": {"ne": "Ida"}}),
        (["author!=Ida", "author!=Per|Ole"], {"author": {"ne": ["Ida", "Per", "Ole"]}}),
        (["lang=en|de"], {"lang": ["en", "de"]}),
        (["lang=en", "lang=de"], {"lang": ["en", "de"]}),
        (["year=1999|2001"], {"year": [1999, 2001]}),
        (["year>=1990", "year!=1995"], {"year": {"gte": 1990, "ne": 1995}}),
        (["name='a|b'"], {"name": "a|b"}),
        (["name=a>b"], {"name": "a>b"}),
        (["name="], {"name": ""}),
        (["name=1,2"], {"name": "1,2"}),
        (["name=None|1_000"], {"name": ["None", "1_000"]}),
        (["@source=docs/**/*.md|2024"], {"@source": ["docs/**/*.md", "2024"]}),
        (["@suffix!=pdf"], {"@suffix": {"ne": "pdf"}}),
        ([], {}),
    ],
)
def test_conditions_become_filters(items: list[str], expected: dict[str, Any]) -> None:
    assert read_filters(items) == expected


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        (["year"], "a filter must read KEY=VALUE, KEY!=VALUE, .* got 'year'"),
        (["=1999"], "a filter must read"),
        (["year=1999", "year>=1990"], "on 'year' must have either values .* or bounds and exclusions .* got both"),
        (["year>=1990", "year=1999"], "got both"),
        (["year>=1990", "year>=1991"], "each bound of 'year' once"),
        (["lang=en|"], r"must not be empty, got 'en\|'"),
    ],
)
def test_conditions_that_cannot_be_read_or_contradict_each_other_are_refused(items: list[str], reason: str) -> None:
    with pytest.raises(errors.InvalidInput, match=reason):
        read_filters(items)


def test_options_are_read_as_values() -> None:
    assert read_options(["engine=memory", "restart=0.3"]) == {"engine": "memory", "restart": 0.3}


@pytest.mark.parametrize("item", ["engine", "=memory"])
def test_an_option_without_name_or_value_is_refused(item: str) -> None:
    with pytest.raises(errors.InvalidInput, match="must read NAME=VALUE"):
        read_options([item])
