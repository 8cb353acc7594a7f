"""When documents are valid, and what they supersede, as their metadata state it."""

from __future__ import annotations

import datetime as dt

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model.validity import Validity, read_day


def test_a_day_is_a_date_or_its_text() -> None:
    assert read_day("as_of", dt.date(2024, 2, 29)) == read_day("as_of", "2024-02-29") == "2024-02-29"


@pytest.mark.parametrize(
    "value", ["2023-02-29", "2024", 2024, "20240101", "2024-1-1", "", None, True, dt.datetime(2024, 1, 1), "tomorrow"]
)
def test_anything_else_is_no_day(value: object) -> None:
    with pytest.raises(InvalidInput, match="as_of must be a day"):
        read_day("as_of", value)


def test_a_document_holds_from_its_first_to_its_last_day() -> None:
    stated = Validity.of({"valid_from": "2024-01-01", "valid_to": "2024-12-31", "year": 3})
    assert [stated.holds_on(day) for day in ("2023-12-31", "2024-01-01", "2024-12-31", "2025-01-01")] == [
        False,
        True,
        True,
        False,
    ]
    assert Validity.of({"valid_from": "", "supersedes": ""}) == Validity.of({}) == Validity()
    assert Validity().holds_on("1066-10-14")


def test_one_id_or_several_are_superseded() -> None:
    assert Validity.of({"supersedes": "a"}).supersedes == ("a",)
    assert Validity.of({"supersedes": ["b", "a", "b"]}).supersedes == ("a", "b")


@pytest.mark.parametrize("value", [3, [""], True, ["a", 1]])
def test_what_is_superseded_is_named_by_text(value: object) -> None:
    with pytest.raises(InvalidInput, match="supersedes must be the id of a document or a list of ids"):
        Validity.of({"supersedes": value})


def test_the_last_day_is_not_before_the_first() -> None:
    assert Validity.of({"valid_from": "2024-01-01", "valid_to": "2024-01-01"}).holds_on("2024-01-01")
    with pytest.raises(InvalidInput, match="valid_to must not be before valid_from, got 2023-12-31 and 2024-01-01"):
        Validity.of({"valid_from": "2024-01-01", "valid_to": "2023-12-31"})
