"""Scaling of cosines to a common spread, so that constants added to them suit every embedder."""

from __future__ import annotations

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Vectors

_SAMPLE = 200
_FEW = 10
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
    cosines = dot_products(vectors[sample, None], vectors).astype(np.float64)
    cosines[np.arange(len(sample)), sample] = np.nan
    narrowest, widest = _SENSIBLE_SPREAD
    return _REFERENCE_SPREAD / min(max(float(np.nanstd(cosines, axis=1).mean()), narrowest), widest)
