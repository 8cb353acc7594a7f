"""Arguments of ``keys create``."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tetragraph.cli.serve import _read_lifetime
from tetragraph.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90d", timedelta(days=90)), ("31536000s", timedelta(days=365)), ("36500d", timedelta(days=36_500))],
)
def test_a_lifetime_is_a_number_and_a_unit(text: str, expected: timedelta) -> None:
    assert _read_lifetime(text) == expected


@pytest.mark.parametrize("text", ["99999999d", "36501d", "99999999999999999999w"])
def test_a_lifetime_that_is_too_long_is_called_so(text: str) -> None:
    with pytest.raises(InvalidInput, match=f"--expires must be at most 36500d, got '{text}': leave it out"):
        _read_lifetime(text)


@pytest.mark.parametrize("text", ["90", "d", "-3d", "1.5d", "3y"])
def test_a_text_that_is_no_lifetime_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="must be a number and one of s, m, h, d, w"):
        _read_lifetime(text)
