"""Metadata filters before their conversion by an adapter."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.stores.filter_conditions import (
    Is,
    NoneOf,
    OneOf,
    Within,
    conditions,
)
from tetragraph.stores.filters import needs_graph, parameters


def test_no_filter_is_no_condition() -> None:
    assert conditions(None) == conditions({}) == []


def test_each_key_is_one_requirement_and_each_value_one_way_to_meet_it() -> None:
    found = conditions({"kind": ["a", 1, "b", True], "year": {"gte": 1990, "lt": 2000}})

    assert found == [
        [OneOf("kind", ("a", "b")), Within("kind", gte=1.0, lte=1.0), Is("kind", flag=True)],
        [Within("year", gte=1990.0, lt=2000.0)],
    ]


def test_excluded_values_are_a_requirement_of_their_own() -> None:
    found = conditions({"year": {"gte": 1990, "ne": [1995, "?"]}, "kind": {"ne": "a"}})

    assert found == [
        [Within("year", gte=1990.0)],
        [NoneOf((OneOf("year", ("?",)), Within("year", gte=1995.0, lte=1995.0)))],
        [NoneOf((OneOf("kind", ("a",)),))],
    ]


def test_filters_on_files_are_none_of_the_vector_store() -> None:
    assert conditions({"@source": "docs", "@suffix": "pdf"}) == []


def test_bounds_that_are_days_are_none_of_the_vector_store() -> None:
    filters: dict[str, Any] = {"when": {"gte": "2024-05-01", "lte": "2024-05-31", "ne": "2024-05-02"}}
    assert conditions(filters) == [[NoneOf((OneOf("when", ("2024-05-02",)),))]]
    assert needs_graph(filters)
    assert not needs_graph({"when": {"ne": "2024-05-02"}, "year": {"gte": 1990}})


@pytest.mark.parametrize(
    ("source", "is_found"),
    [("log.txt", True), ("docs/log.TXT.gz", True), ("rows.txt.gz:7", True), ("txt.md", False), ("a.txt.zip", False)],
)
def test_the_suffix_of_a_file_is_that_of_what_gzip_has_packed(source: str, is_found: bool) -> None:
    (found,) = parameters({"@suffix": "txt"})
    assert bool(re.fullmatch(found["patterns"][0], source)) == is_found


def test_a_key_that_would_mean_nesting_is_quoted() -> None:
    assert conditions({"a.b[0]": "x"}) == [[OneOf('"a.b[0]"', ("x",))]]


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        ({"year": []}, "at least one value"),
        ({"year": {}}, "made of the bounds gt, gte, lt, lte, ne, got none"),
        ({"year": {"from": 1990}}, r"got \['from'\]"),
        ({"year": {"gt": "1990"}}, "a bound of the filter on 'year' that is no number must be a day .* got '1990'"),
        ({"year": {"gt": "2024-02-30"}}, "must be a day of the calendar, got '2024-02-30'"),
        ({"year": {"gt": "2024-02-03T10:00"}}, "must be a day such as 2024-05-31"),
        ({"year": {"gt": dt.date(2024, 2, 3)}}, r"days as texts, like '2024-05-31', got datetime.date\(2024, 2, 3\)"),
        ({"year": {"gt": "2024-02-03", "lt": 3}}, "must be all numbers or all days, got 3"),
        ({"year": {"gt": "2024-02-03", "from": 2}}, r"got \['gt', 'from'\]"),
        ({"year": {"gt": True}}, "got True"),
        ({"year": {"ne": []}}, "at least one value"),
        ({"year": {"ne": None}}, "got None"),
        ({"year": {"ne": 1, "from": 2}}, r"got \['from'\]"),
        ({"year": float("nan")}, "got nan"),
        ({"year": None}, "got None"),
        ({"year": [[1]]}, r"got \[1\]"),
        ({"": "x"}, "must not be empty"),
        ({'a"b': "x"}, "must not be empty nor hold a quote"),
    ],
)
def test_what_no_payload_can_be_compared_with_is_refused(filters: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        conditions(filters)


def test_a_path_names_a_file_in_either_form_of_unicode() -> None:
    (found,) = parameters({"@source": "o\u0308.txt"})
    assert [bool(re.fullmatch(one, "\u00f6.txt")) for one in found["patterns"]] == [False, True]


@pytest.mark.parametrize("key", ["kind", "@source", "@suffix", "@language"])
@pytest.mark.parametrize("wanted", ["\ud83dx", ["a", "x\udd0d"], {"ne": "\ud83dx"}], ids=["text", "list", "excluded"])
def test_half_a_character_is_refused_by_filters_on_files_as_by_those_on_metadata(key: str, wanted: Any) -> None:
    with pytest.raises(InvalidInput, match=f"the filter on '{key}' must be whole characters of Unicode, got half of"):
        parameters({key: wanted})


def test_whole_characters_beyond_the_first_plane_are_accepted() -> None:
    assert conditions({"kind": "\U0001f50d"}) == [[OneOf("kind", ("\U0001f50d",))]]
    assert parameters({"@language": "\U0001f50d"}) == [{"key": "language", "values": ["\U0001f50d"]}]
