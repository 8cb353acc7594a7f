"""Invalid options of the search by similarity are rejected with rule and value."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.systems.dense import DenseOptions


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"rerank": "llm"}, "rerank must be one of none, mmr, cross-encoder, late-interaction, got 'llm'"),
        ({"pool": 0}, "pool must be an integer of at least 1, got 0"),
        ({"trade_off": 1.5}, r"trade_off must be between 0 and 1, got 1\.5"),
        ({"trade_off": float("nan")}, "trade_off must be between 0 and 1"),
    ],
)
def test_a_search_refuses(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        DenseOptions(**given)


def test_nothing_is_put_in_another_order_unless_it_is_asked_for() -> None:
    assert DenseOptions().rerank == "none"
