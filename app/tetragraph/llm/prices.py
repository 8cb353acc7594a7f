"""What tokens cost."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tetragraph.errors import InvalidInput

_MILLION = 1_000_000


class Prices:
    """The price table of the settings: a model's price of a million tokens in and out.

    Raises:
        InvalidInput: a price is not a number from 0.
    """

    def __init__(self, table: Mapping[str, tuple[float, float]]) -> None:
        for model, pair in table.items():
            if not all(math.isfinite(price) and price >= 0 for price in pair):
                raise InvalidInput(f"prices of TETRAGRAPH_LLM_PRICES must be numbers from 0, got {pair} for {model!r}")
        self._table = table

    def knows(self, model: str) -> bool:
        """Whether it has that model."""
        return model in self._table

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> float:
        """In the currency of the table; 0 for a model that is not in it.

        >>> Prices({"m": (0.5, 2.0)}).cost("m", 1_000_000, 500_000)
        1.5
        """
        paid_in, paid_out = self._table.get(model, (0.0, 0.0))
        return (paid_in * input_tokens + paid_out * output_tokens) / _MILLION
