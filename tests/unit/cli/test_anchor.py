"""The time to live of a session on the command line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tetragraph.cli.anchor import read_ttl
from tetragraph.errors import InvalidInput


def test_a_time_is_given_in_days_and_may_be_left_out() -> None:
    assert read_ttl(0.5) == timedelta(hours=12)
    assert read_ttl(None) is None


@pytest.mark.parametrize("days", [0, -1, float("nan"), float("inf"), 40_000])
def test_a_time_that_is_none_is_refused(days: float) -> None:
    with pytest.raises(InvalidInput, match="--ttl must be a number of days above 0, at most 36,500, got "):
        read_ttl(days)
