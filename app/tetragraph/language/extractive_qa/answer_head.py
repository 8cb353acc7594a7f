"""The head of the answer reader: scores each token of a passage as start and end of the answer.

A transformer block with normalisation before each of its parts (Xiong et al. 2020, "On Layer Normalization in the
Transformer Architecture") by the root mean square (Zhang and Sennrich 2019) reads the hidden states of question and
passage. A linear layer reads the block, and another one the states themselves. ``scripts/train_answers.py`` fits the
weights through the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tetragraph.arrays import Vectors

HEADS: Final = 4
"""Number of attention heads."""
Weights = Mapping[str, Any]
"""Weights by name, for hidden states of width D, a block of width W and an inner layer of width F.

=================  =============  ======================================================================
name               shape          what it is
=================  =============  ======================================================================
``project``        ``(D, W)``     projection of the states into the block
``part``           ``(2, W)``     added to the tokens of the question, and to those of the passage
``before``         ``(3, W)``     scales of the normalisation before attention, inner layer and output
``attend``         ``(W, 3 W)``   queries, keys and values
``gather``         ``(W, W)``     output of the attention
``inner``          ``(W, F)``     inner layer; ``inner_bias`` ``(F,)``
``outer``          ``(F, W)``     output of the inner layer
``output``         ``(W, 2)``     scores of the block
``direct``         ``(D, 2)``     scores of the states themselves
=================  =============  ======================================================================
"""


def score_tokens(weights: Weights, states: Any, is_passage: Any, is_token: Any = None, arrays: Any = np) -> Any:
    """Scores of tokens as start and as end of the answer.

    Args:
        weights: Weights of the head.
        states: ``(..., tokens, D)`` hidden states of question and passage.
        is_passage: ``(..., tokens)`` 1 for the tokens of the passage, 0 for those before.
        is_token: ``(..., tokens)`` whether there is a token, of passages of different lengths; None if there always is.
        arrays: Module of the arrays: numpy, or one with the same functions.

    Returns:
        ``(..., tokens, 2)`` scores; meaningful up to a constant, of the tokens of the passage alone.
    """
    part = is_passage[..., None] * (weights["part"][1] - weights["part"][0]) + weights["part"][0]
    block = states @ weights["project"] + part
    block = block + _attend(weights, _normalise(block, weights["before"][0], arrays), is_token, arrays)
    inner = _normalise(block, weights["before"][1], arrays) @ weights["inner"] + weights["inner_bias"]
    block = block + arrays.maximum(inner, 0.0) @ weights["outer"]
    return _normalise(block, weights["before"][2], arrays) @ weights["output"] + states @ weights["direct"]


def _normalise(values: Any, scale: Any, arrays: Any) -> Any:
    return values / arrays.sqrt((values * values).mean(axis=-1, keepdims=True) + 1e-6) * scale


def _attend(weights: Weights, values: Any, is_token: Any, arrays: Any) -> Any:
    """Scaled dot-product attention with several heads."""
    width = values.shape[-1]

    def split(part: Any) -> Any:
        return arrays.swapaxes(part.reshape(*part.shape[:-1], HEADS, width // HEADS), -2, -3)

    queries, keys, found = (split(part) for part in arrays.split(values @ weights["attend"], 3, axis=-1))
    scores = queries @ arrays.swapaxes(keys, -1, -2) / (width // HEADS) ** 0.5
    if is_token is not None:
        scores = arrays.where(is_token[..., None, None, :], scores, -1e9)
    likely = arrays.exp(scores - scores.max(axis=-1, keepdims=True))
    gathered = arrays.swapaxes(likely / likely.sum(axis=-1, keepdims=True) @ found, -2, -3)
    return gathered.reshape(*gathered.shape[:-2], width) @ weights["gather"]


def in_double_precision(weights: Weights) -> Weights:
    """The same weights, as :func:`score_passage` needs them."""
    return {name: one.astype(np.float64) for name, one in weights.items()}


def score_passage(weights: Weights, states: Vectors, size: int) -> Any:
    """``(size, 2)`` scores of the tokens of a passage.

    Processors add the terms of a product in different orders: computed in double precision and rounded to six digits,
    the scores are the same on all of them.

    Args:
        weights: Weights of the head, in double precision.
        states: ``(tokens, D)`` hidden states of question and passage.
        size: Number of tokens of the passage, which are the last ones.
    """
    if not size:
        return np.empty((0, 2))
    is_passage = np.arange(len(states)) >= len(states) - size
    scores = score_tokens(weights, states.astype(np.float64), is_passage)
    return np.round(scores[len(states) - size :], 6)
