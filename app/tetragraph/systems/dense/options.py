"""Search options of the search by embedding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer, check_one_of

Rerank = Literal["none", "mmr"]


@dataclass(frozen=True, slots=True)
class DenseOptions:
    """Options of ``method="dense"``.

    Attributes:
        rerank: ``mmr`` selects, among the most similar chunks, those that differ from one another, by maximal marginal
            relevance.
        trade_off: The λ of ``mmr``, 0 to 1: 1 for similarity to the question alone, 0 for variety alone.
        pool: Number of most similar chunks from which ``mmr`` selects, at least 1.
    """

    rerank: Rerank = "none"
    trade_off: float = 0.5
    pool: int = 50

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        check_one_of("rerank", self.rerank, get_args(Rerank))
        check_integer("pool", self.pool, 1)
        if not 0 <= self.trade_off <= 1:
            raise InvalidInput(f"trade_off must be between 0 and 1, got {self.trade_off!r}")


SEARCH_DEFAULTS = DenseOptions()
