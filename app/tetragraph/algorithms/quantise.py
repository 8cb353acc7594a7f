"""Levels of information gain: four names for intervals of a number between 0 and 1."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Floats

LEVELS = ("redundant", "minor", "significant", "novel")
"""Names of the levels in ascending order of gain; elsewhere a level is an index into this tuple."""
INTERVALS = ((0.0, 0.2), (0.3, 0.5), (0.6, 0.8), (0.9, 1.0))
_BOUNDS = np.array([round((low[1] + high[0]) / 2, 6) for low, high in pairwise(INTERVALS)])
MIDDLES = tuple(round((low + high) / 2, 6) for low, high in INTERVALS)
"""Default weight of each level: the middle of its interval."""


def quantise(gains: Floats) -> NDArray[np.int8]:
    """Return the level of each gain; a gain between two intervals takes the nearer one, halfway the upper.

    Args:
        gains: ``(m,)`` gains, 0 to 1.

    Returns:
        ``(m,)`` indices into ``LEVELS``.

    Source:
        iG²RAG (2025), eq. (3); the intervals are those of its appendix B.2. Deviation: the paper leaves gaps between
        them.

    >>> [LEVELS[level] for level in quantise(np.array([0.1, 0.24, 0.26, 0.6, 1.0]))]
    ['redundant', 'redundant', 'minor', 'significant', 'novel']
    """
    return np.searchsorted(_BOUNDS, gains, side="right").astype(np.int8)
