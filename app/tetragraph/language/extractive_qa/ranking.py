"""Ranking of possible answers, and the confidence in the first; weights and calibration are stored in one file.

The score of an option is a weighted sum of its features. A softmax over all options, and over the case that none of
them is right, gives their probabilities; those of options with the same words add up. A logistic function of the
largest one, fitted on questions that the weights were not fitted on, is the confidence. ``scripts/train_answers.py``
fits the weights and writes the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

import numpy as np
from safetensors.numpy import load

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Vectors
from tetragraph.language.extractive_qa.answer_head import Weights, in_double_precision
from tetragraph.language.extractive_qa.options import FEATURES, Option

WEIGHTS: Final = "reader.safetensors"
HEAD: Final = "head."
"""First part of the names of the head's weights in the file."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Weights of a ranking.

    Attributes:
        weights: ``(features,)`` weight of each feature.
        none: Score of the case that no option is right.
        slope, offset: Parameters of the logistic function of the log odds of a probability.
    """

    weights: Vectors
    none: float
    slope: float
    offset: float

    def rank(self, options: Sequence[Option]) -> list[tuple[Option, float]]:
        """Rank the answers, best first; options with the same words are one answer, shown by the best of them.

        Returns:
            Option and probability of each answer; what is missing to 1 is the probability that all are wrong.
        """
        features = np.array([one.features for one in options], dtype=np.float64).reshape(-1, len(FEATURES))
        scores = np.append(dot_products(features, self.weights.astype(np.float64)), self.none)
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        best: dict[str, tuple[Option, float]] = {}
        total: dict[str, float] = {}
        for option, probability in zip(options, likely[:-1].tolist(), strict=True):
            total[option.name] = total.get(option.name, 0.0) + probability
            if option.name not in best or probability > best[option.name][1]:
                best[option.name] = (option, probability)
        return sorted(
            ((option, total[name]) for name, (option, _) in best.items()),
            key=lambda each: (-round(each[1], 9), each[0].chunk.id, each[0].start, each[0].end),
        )

    def confidence(self, probability: float) -> float:
        """Share of answers with this probability that are right, 0 to 1, in four digits."""
        bounded = min(max(probability, 1e-6), 1 - 1e-6)
        odds = self.slope * math.log(bounded / (1 - bounded)) + self.offset
        return round(1 / (1 + math.exp(-odds)), 4)


@lru_cache(maxsize=1)
def load_head() -> Weights:
    """Weights of the head, in double precision."""
    found = {name.removeprefix(HEAD): one for name, one in _load().items() if name.startswith(HEAD)}
    return in_double_precision(found)


def load_ranking(name: str) -> Ranking:
    """The ranking with the features of the head (``model``), or without (``rules``)."""
    stored = _load()
    none, slope, offset = (float(number) for number in stored[f"{name}.scalars"])
    return Ranking(stored[f"{name}.weights"], none, slope, offset)


@lru_cache(maxsize=1)
def _load() -> Mapping[str, Vectors]:
    found: dict[str, Vectors] = load(resources.files(__package__).joinpath(WEIGHTS).read_bytes())
    return found
