"""Scaling of cosines to a common spread, so that constants added to them suit every embedder."""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Floats, Longs, Vectors

_SAMPLE = 200
_FEW = 10
_NUMBERS = 1_000_000
"""Number of cosines in memory at a time."""
_REFERENCE_SPREAD = 0.058
_SENSIBLE_SPREAD = (0.03, 0.15)


def similarity_scale(vectors: Vectors) -> float:
    """Return the factor that gives an embedder's cosines the spread for which the constants were chosen.

    The spread is the mean standard deviation of the cosines between a chunk and all others. Chunks represent questions,
    which a corpus does not have: on six sets of questions the spread was within 7 % of this estimate. It is unreliable
    for few chunks, and for chunks that are all similar.

    Args:
        vectors: ``(n, dimension)`` vectors of length 1; evenly spaced rows are sampled.
    """
    if len(vectors) < _FEW:
        return 1.0
    sample = np.unique(np.linspace(0, len(vectors) - 1, min(len(vectors), _SAMPLE)).astype(np.int64))
    step = max(1, _NUMBERS // len(vectors))
    spreads = [_spreads(vectors, sample[start : start + step]) for start in range(0, len(sample), step)]
    narrowest, widest = _SENSIBLE_SPREAD
    return _REFERENCE_SPREAD / min(max(float(np.concatenate(spreads).mean()), narrowest), widest)


def _spreads(vectors: Vectors, rows: Longs) -> Floats:
    """``(rows,)`` standard deviation of the cosines between each of some rows and all others."""
    cosines = dot_products(vectors[rows, None], vectors).astype(np.float64)
    cosines[np.arange(len(rows)), rows] = np.nan
    return np.asarray(np.nanstd(cosines, axis=1))
