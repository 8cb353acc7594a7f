"""What can be set of a search by similarity, and the rules that the values keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer, check_one_of

Rerank = Literal["none", "mmr"]


@dataclass(frozen=True, slots=True)
class DenseOptions:
    """How passages are ranked.

    Attributes:
        rerank: ``mmr`` chooses from the nearest those that differ from one another, by maximal marginal relevance.
        trade_off: Of ``mmr``, λ: 1 for the question alone, 0 for variety alone.
        pool: Of ``mmr``: so many of the nearest passages are chosen from.
    """

    rerank: Rerank = "none"
    trade_off: float = 0.5
    pool: int = 50

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
        check_one_of("rerank", self.rerank, get_args(Rerank))
        check_integer("pool", self.pool, 1)
        if not 0 <= self.trade_off <= 1:
            raise InvalidInput(f"trade_off must be between 0 and 1, got {self.trade_off!r}")


SEARCH_DEFAULTS = DenseOptions()
