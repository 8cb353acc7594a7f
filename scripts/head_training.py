"""Fits the head of the answer reader by gradient descent, with jax and optax, which are installed for this alone.

The weights are those under which the tokens of the answer are the likeliest start and end among the tokens of all
passages of a question. Adam with decoupled weight decay (Loshchilov and Hutter 2019), a rate that rises and then falls
linearly, and dropout of whole dimensions of the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tetragraph.language.extractive_qa.answer_head import score_tokens
from tetragraph.language.extractive_qa.encoder import DIMENSION

WIDTH, INNER = 128, 256
EPOCHS, RATE, DECAY, DROPPED, CLIPPED = 5, 1e-3, 0.02, 0.1, 1.0
WARM, LEAST = 0.06, 0.02
"""Share of the steps in which the rate rises, and its least value relative to the highest."""
LENGTHS = (96, 128, 160, 192, 256, 384)
TOKENS = 8192
"""Lengths to which passages are filled up, and largest number of tokens of a batch."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages that were read with one question.

    Attributes:
        part: Part of the cross-validation.
        states: Hidden states of question and passage, for each passage.
        sizes: Number of tokens of each passage, which are the last ones.
        gold: Places of the answer: number of the passage, first and last token, counted from the first of the question.
    """

    part: int
    states: list[Any]
    sizes: list[int]
    gold: list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Passages of several questions, filled up to one length.

    Attributes:
        states: ``(passages, tokens, D)`` standardised hidden states.
        is_token, is_passage: ``(passages, tokens)``.
        question: ``(passages,)`` number of the question of each.
        gold: ``(passages, tokens, 2)`` whether the answer starts, or ends, with the token.
        questions: Number of questions.
    """

    states: Any
    is_token: Any
    is_passage: Any
    question: Any
    gold: Any
    questions: int


jax.tree_util.register_dataclass(Batch)


def fit_head(examples: Sequence[Passages], seed: int = 0) -> dict[str, Any]:
    """Weights of the head, in half precision, for hidden states as they are."""
    chance = np.random.default_rng(seed)
    sample = np.concatenate([states for one in examples[::7] for states in one.states]).astype(np.float32)
    mean, scale = sample.mean(axis=0), sample.std(axis=0) + 1e-6
    weights: dict[str, Any] = _initial(chance)
    steps = EPOCHS * len(_divide(examples, np.random.default_rng(seed)))
    risen = max(round(WARM * steps), 1)
    rate = optax.join_schedules(
        [optax.linear_schedule(0.0, RATE, risen), optax.linear_schedule(RATE, LEAST * RATE, steps - risen)], [risen]
    )
    optimiser = optax.chain(
        optax.clip_by_global_norm(CLIPPED),
        optax.adamw(rate, weight_decay=DECAY, mask=lambda found: jax.tree.map(lambda one: one.ndim > 1, found)),
    )
    state = optimiser.init(weights)

    def step(weights: Any, state: Any, batch: Batch, key: Any) -> tuple[Any, Any]:
        changes, state = optimiser.update(jax.grad(_loss)(weights, batch, key), state, weights)
        return optax.apply_updates(weights, changes), state

    key, compiled = jax.random.PRNGKey(seed), jax.jit(step)
    for _ in range(EPOCHS):
        for length, chosen in _divide(examples, chance):
            key, own = jax.random.split(key)
            weights, state = compiled(weights, state, _pack(chosen, length, mean, scale), own)
    return _unstandardised({name: np.asarray(value) for name, value in weights.items()}, mean, scale)


def _initial(chance: np.random.Generator) -> dict[str, Any]:
    def random(rows: int, columns: int, scale: float = 1.0) -> Any:
        return jnp.asarray(scale * chance.standard_normal((rows, columns)) / np.sqrt(rows), jnp.float32)

    return {
        "project": random(DIMENSION, WIDTH),
        "part": random(2, WIDTH, 0.14),
        "before": jnp.ones((3, WIDTH)),
        "attend": random(WIDTH, 3 * WIDTH),
        "gather": random(WIDTH, WIDTH, 0.5),
        "inner": random(WIDTH, INNER),
        "inner_bias": jnp.zeros(INNER),
        "outer": random(INNER, WIDTH, 0.5),
        "output": jnp.zeros((WIDTH, 2)),
        "direct": jnp.zeros((DIMENSION, 2)),
    }


def _unstandardised(weights: dict[str, Any], mean: Any, scale: Any) -> dict[str, Any]:
    """The same head for hidden states that are not standardised."""
    project = weights["project"] / scale[:, None]
    moved = {
        "project": project,
        "part": weights["part"] - mean @ project,
        "direct": weights["direct"] / scale[:, None],
    }
    return {name: np.ascontiguousarray(value.astype(np.float16)) for name, value in {**weights, **moved}.items()}


def _divide(examples: Sequence[Passages], chance: np.random.Generator) -> list[tuple[int, list[Passages]]]:
    """Batches of examples of similar length, in random order, with the length to which they are filled up."""
    longest = [max(map(len, one.states)) for one in examples]
    batches = list(
        _batches(examples, longest, np.argsort(longest + chance.integers(0, 24, len(examples)), kind="stable").tolist())
    )
    return [batches[number] for number in chance.permutation(len(batches))]


def _batches(
    examples: Sequence[Passages], longest: Sequence[int], order: Sequence[int]
) -> Iterator[tuple[int, list[Passages]]]:
    chosen: list[Passages] = []
    length = 0
    for number in order:
        own = next(one for one in LENGTHS if one >= longest[number])
        passages = sum(len(one.states) for one in chosen) + len(examples[number].states)
        if chosen and passages * max(length, own) > TOKENS:
            yield length, chosen
            chosen, length = [], 0
        chosen, length = [*chosen, examples[number]], max(length, own)
    yield length, chosen


def _pack(chosen: Sequence[Passages], length: int, mean: Any, scale: Any) -> Batch:
    rows = max(TOKENS // length, sum(len(one.states) for one in chosen))
    states = np.zeros((rows, length, DIMENSION), np.float32)
    is_token, is_passage = np.zeros((rows, length), bool), np.zeros((rows, length), np.float32)
    gold, question = np.zeros((rows, length, 2), bool), np.full(rows, rows - 1)
    row = 0
    for number, one in enumerate(chosen):
        for passage, first, last in one.gold:
            gold[row + passage, first, 0] = gold[row + passage, last, 1] = True
        for found, size in zip(one.states, one.sizes, strict=True):
            states[row, : len(found)] = (found.astype(np.float32) - mean) / scale
            is_token[row, : len(found)] = True
            is_passage[row, len(found) - size : len(found)] = 1.0
            question[row] = number
            row += 1
    return Batch(states, is_token, is_passage, question, gold, len(chosen))


def _loss(weights: Any, batch: Batch, key: Any) -> Any:
    """Mean negative logarithm of the probabilities that the answer starts, and ends, at one of its places."""
    rows, _, width = batch.states.shape
    kept = jax.random.uniform(key, (rows, 1, width)) > DROPPED
    scores = score_tokens(weights, batch.states * kept / (1 - DROPPED), batch.is_passage, batch.is_token, jnp)
    scores = jnp.where(batch.is_passage[..., None] > 0, scores, -jnp.inf)

    def total(values: Any) -> Any:
        """Logarithm of the sum of the exponentials of all tokens of each question."""
        highest = jax.lax.stop_gradient(
            jnp.maximum(jax.ops.segment_max(values.max(axis=1), batch.question, rows), -1e8)
        )
        added = jnp.exp(values - highest[batch.question][:, None, :]).sum(axis=1)
        return highest + jnp.log(jax.ops.segment_sum(added, batch.question, rows) + 1e-9)

    loss = total(scores) - total(jnp.where(batch.gold, scores, -jnp.inf))
    is_real = (jnp.arange(rows) < batch.questions)[:, None]
    return jnp.where(is_real, loss, 0.0).sum() / batch.questions
