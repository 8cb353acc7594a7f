"""What tokens cost."""

from __future__ import annotations

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.llm.prices import Prices


def test_a_million_tokens_cost_what_the_table_says() -> None:
    prices = Prices({"m": (0.15, 0.6), "free": (0, 0)})
    assert prices.cost("m", 1_000_000, 0) == pytest.approx(0.15)
    assert prices.cost("m", 2000, 500) == pytest.approx(0.0006)
    assert prices.knows("free")
    assert not prices.knows("other")
    assert prices.cost("free", 5, 5) == prices.cost("other", 5, 5) == 0


@pytest.mark.parametrize("pair", [(-1.0, 1.0), (1.0, float("nan")), (float("inf"), 1.0)])
def test_a_price_that_is_none_is_refused(pair: tuple[float, float]) -> None:
    with pytest.raises(InvalidInput, match=r"numbers from 0, got .* for 'm'"):
        Prices({"m": pair})
