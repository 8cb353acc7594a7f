"""Answers the sub-questions of a search one by one, each with the answers of earlier ones inserted.

The search takes entities of chunks for the answers. Here the model reads the chunks that answer a sub-question, and the
entities are ordered anew by both: the probability in the search, and the score of their names in the text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tetragraph.language.extractive_qa.answer_head import Weights
from tetragraph.language.extractive_qa.encoder import Read, read_all
from tetragraph.language.extractive_qa.span_head import LOWEST, PassageScores, score_passages
from tetragraph.language.extractive_qa.target import sub_questions
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Bridge, ChainStep, Chunk

_CHUNKS: Final = 2
"""Number of chunks that are read for a sub-question."""
_SEARCH: Final = 0.5
"""Weight of the logarithm of the probability in the search; that of the words in the text has the weight 1."""


def answer_steps(
    question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep], head: Weights, read: Read
) -> list[ChainStep]:
    """The chain with the bridges of each step in a new order, and with new weights that add up to 1.

    Args:
        question: Text of the question.
        passages: Chunks of the search, best first.
        chain: Sub-questions of the search.
        head: Weights of the head.
        read: Reads a question and a chunk together.
    """
    answered = list(chain)
    chunks = {one.id: one for one in passages}
    for number, step in enumerate(chain):
        found = [chunks[chunk] for chunk, _ in step.passages if chunk in chunks][:_CHUNKS]
        if step.bridges and found:
            asked = sub_questions(question, answered)[number]
            scores = score_passages(read_all(asked, found, read), head)
            answered[number] = replace(step, bridges=_order(step.bridges, asked, found, scores))
    return answered


def _order(
    bridges: Sequence[Bridge], asked: str, chunks: Sequence[Chunk], scores: Sequence[PassageScores]
) -> tuple[Bridge, ...]:
    padded = f" {normalise_name(asked)} "
    scored = [
        (_SEARCH * math.log(max(one.weight, 1e-4)) + _score(one.name, chunks, scores), one)
        for one in bridges
        if f" {normalise_name(one.name)} " not in padded
    ]
    if not scored:
        return tuple(bridges)
    highest = max(score for score, _ in scored)
    total = sum(math.exp(score - highest) for score, _ in scored)
    weighted = [replace(one, weight=math.exp(score - highest) / total) for score, one in scored]
    return tuple(sorted(weighted, key=lambda one: (-one.weight, one.name)))


def _score(name: str, chunks: Sequence[Chunk], scores: Sequence[PassageScores]) -> float:
    """Highest score of the places where chunks have a name; the lowest of all if none has it."""
    return max((each.score_name(name, chunk.text) for chunk, each in zip(chunks, scores, strict=True)), default=LOWEST)
