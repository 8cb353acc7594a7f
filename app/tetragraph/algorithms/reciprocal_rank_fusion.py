"""Reciprocal rank fusion: combines several rankings by rank alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tetragraph.arrays import Floats
from tetragraph.errors import InvalidInput


def reciprocal_rank_fusion(rankings: Sequence[Sequence[int]], count: int, *, constant: float = 60.0) -> Floats:
    """Compute what each ranking adds to each item: ``1 / (constant + rank)``, ranks from 1; 0 for unranked items.

    The fused score of item ``i`` is the sum of its column: ``RRF(i) = Σ_r 1 / (c + rank_r(i))``.

    Args:
        rankings: Items as numbers from 0 to ``count - 1``, best first, none twice.
        count: Number of items.
        constant: ``c``; the larger, the smaller the advantage of the first ranks. 60 in the source.

    Returns:
        ``(rankings, count)`` addends of the fused scores.

    Raises:
        InvalidInput: ``constant`` is negative, or a ranking names an item twice.

    Source:
        Cormack, Clarke, Büttcher: Reciprocal rank fusion outperforms Condorcet and individual rank learning methods
        (SIGIR 2009), section 2.

    >>> reciprocal_rank_fusion([[0, 1], [1]], 2, constant=1).tolist()
    [[0.5, 0.3333333333333333], [0.0, 0.5]]
    """
    if constant < 0:
        raise InvalidInput(f"constant must not be negative, got {constant}")
    shares = np.zeros((len(rankings), count))
    for row, ranking in enumerate(rankings):
        items = np.asarray(ranking, dtype=np.intp)
        if len(np.unique(items)) != len(items):
            raise InvalidInput(f"a ranking must name an item once, got {list(ranking)}")
        shares[row, items] = 1.0 / (constant + np.arange(1, len(items) + 1))
    return shares
