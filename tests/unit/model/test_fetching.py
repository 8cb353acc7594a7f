"""Options of fetching refuse what no server should have to bear."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import errors
from tetragraph.model.fetching import DEFAULT_FETCHING, FetchOptions


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("delay_s", -1),
        ("delay_s", True),
        ("delay_s", float("nan")),
        ("timeout_s", 0),
        ("timeout_s", "30"),
        ("at_once", 9),
        ("at_once", 1.5),
        ("most_mb", 0),
        ("most_mb", True),
        ("private", 1),
    ],
)
def test_a_value_out_of_its_range_is_refused_by_name(option: str, value: Any) -> None:
    with pytest.raises(errors.InvalidInput, match=f"^{option} must be .*got {value!r}"):
        FetchOptions(**{option: value})


def test_the_defaults_are_within_their_ranges() -> None:
    assert FetchOptions(delay_s=0, at_once=8) != DEFAULT_FETCHING
