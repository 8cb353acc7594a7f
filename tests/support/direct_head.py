"""A head of the answer reader whose scores are the first two numbers of the state of a token."""

from __future__ import annotations

import numpy as np

from tetragraph.language.extractive_qa.answer_head import Weights
from tetragraph.language.extractive_qa.encoder import DIMENSION

WIDTH, INNER = 8, 4
SHAPES = {
    "project": (DIMENSION, WIDTH),
    "part": (2, WIDTH),
    "before": (3, WIDTH),
    "attend": (WIDTH, 3 * WIDTH),
    "gather": (WIDTH, WIDTH),
    "inner": (WIDTH, INNER),
    "inner_bias": (INNER,),
    "outer": (INNER, WIDTH),
    "output": (WIDTH, 2),
    "direct": (DIMENSION, 2),
}


def direct_head() -> Weights:
    """The weights: only those of the states themselves are not zero."""
    weights = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    weights["direct"][0, 0] = weights["direct"][1, 1] = 1.0
    return weights


def random_head(seed: int) -> Weights:
    """Weights of which none is zero."""
    draws = np.random.default_rng(seed)
    return {name: draws.normal(size=shape) / shape[0] ** 0.5 for name, shape in SHAPES.items()}
