"""Scores that the head of the answer reader gives to tokens."""

from __future__ import annotations

import numpy as np
import pytest

from direct_head import WIDTH, direct_head, random_head
from tetragraph.language.extractive_qa.answer_head import HEADS, score_passage, score_tokens
from tetragraph.language.extractive_qa.encoder import DIMENSION

STATES = np.random.default_rng(3).normal(size=(6, DIMENSION)).astype(np.float32)


def test_the_block_is_a_transformer_block_before_whose_parts_values_are_normalised() -> None:
    """The same by loops over heads and tokens."""
    weights = random_head(1)
    block = STATES @ weights["project"] + weights["part"][[0, 0, 1, 1, 1, 1]]

    def normalise(rows: np.ndarray, number: int) -> np.ndarray:
        return np.array([row / np.sqrt(np.mean(row**2) + 1e-6) * weights["before"][number] for row in rows])

    queries, keys, found = np.hsplit(normalise(block, 0) @ weights["attend"], 3)
    gathered = np.zeros_like(block)
    for head in np.array_split(np.arange(WIDTH), HEADS):
        for token in range(len(STATES)):
            likely = np.exp([queries[token, head] @ keys[other, head] / np.sqrt(len(head)) for other in range(6)])
            gathered[token, head] = sum(p * found[other, head] for other, p in enumerate(likely / likely.sum()))
    block = block + gathered @ weights["gather"]
    inner = np.maximum(normalise(block, 1) @ weights["inner"] + weights["inner_bias"], 0)
    block = block + inner @ weights["outer"]
    wanted = normalise(block, 2) @ weights["output"] + STATES @ weights["direct"]
    assert score_passage(weights, STATES, 4) == pytest.approx(wanted[2:], abs=1e-6)


def test_passages_filled_up_to_one_length_score_as_they_do_alone() -> None:
    weights = random_head(2)
    filled = np.concatenate([STATES, np.full((3, DIMENSION), 7.0, np.float32)])
    is_token = np.arange(9) < 6
    is_passage = (np.arange(9) >= 2).astype(float)
    both = score_tokens(weights, np.stack([filled, filled[::-1]]), np.stack([is_passage] * 2), np.stack([is_token] * 2))
    assert both[0, 2:6] == pytest.approx(score_passage(weights, STATES, 4), abs=1e-5)


def test_the_scores_of_a_passage_depend_on_the_question() -> None:
    weights, other = random_head(2), STATES.copy()
    other[0] += 1
    assert np.abs(score_passage(weights, other, 4) - score_passage(weights, STATES, 4)).max() > 1e-3
    assert score_passage(direct_head(), other, 4) == pytest.approx(STATES[2:, :2], abs=1e-6)


def test_a_passage_without_tokens_has_no_scores() -> None:
    assert score_passage(direct_head(), STATES, 0).shape == (0, 2)
