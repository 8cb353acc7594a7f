"""Output of commands on the cost of a language model."""

from __future__ import annotations

import pytest

from tetragraph.cli.llm_options import estimate_line, read_budget, usage_line
from tetragraph.errors import InvalidInput
from tetragraph.model.usage import (
    NOTHING,
    UNLIMITED,
    Budget,
    Estimate,
    Usage,
)


def test_nothing_is_said_where_nothing_was_asked() -> None:
    assert usage_line(NOTHING) == ""


def test_what_calls_cost_is_a_line() -> None:
    usage = Usage(calls=1200, cached=3, input_tokens=50_000, output_tokens=700, cost=0.0375)
    assert usage_line(usage) == (
        "language model: 1,200 calls, 3 answered from cached replies, 50,000 tokens in, 700 out, cost 0.0375"
    )
    assert usage_line(Usage(cached=3)).endswith("0 tokens in, 0 out"), "a price is told where there is one"


@pytest.mark.parametrize(
    ("estimate", "line"),
    [
        (
            Estimate("m", 1200, 3, 50_000, 700, 0.5, 61.4),
            "m: 1,200 calls, 3 more answered from cached replies, about 50,000 tokens in, 700 out, cost 0.5000, "
            "about 61 s",
        ),
        (
            Estimate("m", 1, 0, 5, 7, None, None),
            "m: 1 calls, 0 more answered from cached replies, about 5 tokens in, 7 out, no price known, "
            "time not known before a first call",
        ),
        (Estimate("", 0, 0, 0, 0, 0.0, 0.0), "no language model would be asked: this costs nothing"),
    ],
)
def test_what_calls_would_cost_is_a_line(estimate: Estimate, line: str) -> None:
    assert estimate_line(estimate) == line


def test_limits_that_are_left_out_are_none() -> None:
    assert read_budget(None, None, None) == UNLIMITED
    assert read_budget(9, 0.5, 60.0) == Budget(9, 0.5, 60.0)
    with pytest.raises(InvalidInput, match="the budget's money must be a number above 0"):
        read_budget(None, 0.0, None)
