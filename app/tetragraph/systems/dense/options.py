"""Search options of the search by embedding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer

Rerank = Literal["none", "mmr", "cross-encoder", "late-interaction"]


@dataclass(frozen=True, slots=True)
class DenseOptions(RerankOptions):
    """Options of ``method="dense"``.

    Attributes:
        rerank: ``mmr`` selects, among the most similar chunks, those that differ from one another, by maximal marginal
            relevance; ``cross-encoder`` and ``late-interaction`` score the best hits with a model.
        trade_off: The λ of ``mmr``, 0 to 1: 1 for similarity to the question alone, 0 for variety alone.
        pool: Number of most similar chunks from which ``mmr`` selects, at least 1.
    """

    rerank_values: ClassVar[tuple[str, ...]] = get_args(Rerank)

    rerank: Rerank = "none"  # type: ignore[assignment]  # a reranking of its own, too
    trade_off: float = 0.5
    pool: int = 50

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        RerankOptions.__post_init__(self)
        check_integer("pool", self.pool, 1)
        if not 0 <= self.trade_off <= 1:
            raise InvalidInput(f"trade_off must be between 0 and 1, got {self.trade_off!r}")


SEARCH_DEFAULTS = DenseOptions()
