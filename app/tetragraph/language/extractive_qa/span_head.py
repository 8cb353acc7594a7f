"""Log-probabilities of tokens as start and end of an answer, over all passages that were read, and the best spans."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from tetragraph.host.numerics import one_blas_thread
from tetragraph.host.processors import map_on_processors
from tetragraph.language.extractive_qa.answer_head import Weights, score_passage
from tetragraph.language.extractive_qa.encoder import ReadPassage

LOWEST: Final = -20.0
"""Log-probability of a span whose tokens the model has not read, and the lowest of all."""
_LONGEST: Final = 14
"""Largest number of tokens of a span that is proposed."""


@dataclass(frozen=True, slots=True)
class PassageScores:
    """Log-probabilities of the tokens of one passage, over the tokens of all passages of the question.

    Attributes:
        starts: ``(tokens,)`` offset of the first character of each token; negative in the title.
        ends: ``(tokens,)`` offset behind its last character.
        as_start: ``(tokens,)`` log-probability that the answer starts with the token.
        as_end: ``(tokens,)`` log-probability that it ends with it.
        share: Log-probability that the answer starts in the passage.
        total: What was taken off the score of each span so that the passages have one probability together; 0 if
            several readings were combined.
    """

    starts: Any
    ends: Any
    as_start: Any
    as_end: Any
    share: float
    total: float = 0.0

    def score(self, start: int, end: int) -> float:
        """Log-probability of the span from one character to another; at least :data:`LOWEST`."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left")) - 1
        if first >= len(self.starts) or last < first:
            return LOWEST
        return max(float(self.as_start[first] + self.as_end[last]), LOWEST)

    def score_name(self, name: str, text: str, offset: int = 0) -> float:
        """Highest log-probability of the places where a text has a name; :data:`LOWEST` if it has none.

        Args:
            name: The name, in the spelling of the text.
            text: Text of the passage, or its title.
            offset: Place of the first character, relative to that of the text of the passage.
        """
        places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        return max((self.score(found.start() + offset, found.end() + offset) for found in places), default=LOWEST)


def score_passages(passages: Sequence[ReadPassage], weights: Weights) -> list[PassageScores]:
    """Score the tokens of the passages of one question.

    Args:
        passages: Hidden states of each passage.
        weights: Weights of the head.
    """
    if not sum(len(one.starts) for one in passages):
        return [PassageScores(one.starts, one.ends, one.starts * 0.0, one.ends * 0.0, LOWEST) for one in passages]
    with one_blas_thread():
        scored = map_on_processors(lambda one: score_passage(weights, one.hidden, len(one.starts)), passages)
    logits = np.concatenate(scored)
    highest = logits.max(axis=0)
    logits -= highest
    rest = np.log(np.exp(logits).sum(axis=0))
    logits -= rest
    bounds = np.cumsum([0, *(len(one.starts) for one in passages)])
    total = float((highest + rest).sum())
    parts = [logits[first:last] for first, last in pairwise(bounds)]
    return [
        PassageScores(one.starts, one.ends, part[:, 0], part[:, 1], _share(part[:, 0]), total)
        for one, part in zip(passages, parts, strict=True)
    ]


def score_wordings(
    wordings: Sequence[tuple[str, float]], read: Callable[[str], Sequence[ReadPassage]], weights: Weights
) -> list[PassageScores]:
    """Score the tokens of passages that are read with each wording of a question.

    Args:
        wordings: Wordings and the probability of each.
        read: Reads the passages with a wording.
        weights: Weights of the head.
    """
    return combine_readings([(score_passages(read(text), weights), weight) for text, weight in wordings])


def combine_readings(readings: Sequence[tuple[Sequence[PassageScores], float]]) -> list[PassageScores]:
    """Scores of passages that were read with several wordings of a question: the expected probability of each token.

    A wording counts by its probability, times that of the best span that it leads to.

    Args:
        readings: Scores of the same passages for each wording, and its positive probability.
    """
    if len(readings) == 1:
        return list(readings[0][0])
    weights = np.array([math.log(weight) + _highest(scores) for scores, weight in readings])
    weights -= np.logaddexp.reduce(weights)
    return [_expected(one, weights) for one in zip(*(scores for scores, _ in readings), strict=True)]


def _highest(scores: Sequence[PassageScores]) -> float:
    """Log-probabilities of the likeliest start and the likeliest end, added."""
    read = [one for one in scores if len(one.starts)]
    if not read:
        return 2 * LOWEST
    return max(float(one.as_start.max()) + float(one.as_end.max()) for one in read)


def _expected(readings: Sequence[PassageScores], weights: Any) -> PassageScores:
    """The scores of one passage over several readings, of which the longest question leaves the fewest tokens."""
    size = min(len(one.starts) for one in readings)

    def expected(scores: Sequence[Any]) -> Any:
        return np.logaddexp.reduce([weight + one for weight, one in zip(weights, scores, strict=True)], axis=0)

    return PassageScores(
        readings[0].starts[:size],
        readings[0].ends[:size],
        expected([one.as_start[:size] for one in readings]),
        expected([one.as_end[:size] for one in readings]),
        max(float(expected([one.share for one in readings])), LOWEST),
    )


def _share(scores: Any) -> float:
    return max(float(np.log(np.exp(scores).sum() + 1e-12)), LOWEST)


def score_best_span(scores: PassageScores) -> float:
    """Score of the likeliest span of a passage: the higher, the likelier it is that the passage answers the question.

    It depends on no other passage, so passages that were read with different questions can be compared. It is
    :data:`LOWEST` for a passage without a span.
    """
    spans = _add_up(scores)
    best = float(spans.max()) if spans.size else -math.inf
    return best + scores.total if math.isfinite(best) else LOWEST


def best_spans(scores: Sequence[PassageScores], most: int) -> list[tuple[int, int, int]]:
    """The most probable spans of all passages, best first: number of the passage, start and end.

    Spans lie in the text of the passage, not in its title; ties are broken by their places.
    """
    found = sorted(_spans(scores, most), key=lambda one: (-one[0], one[1:]))
    return [(number, start, end) for _, number, start, end in found[:most]]


def _spans(scores: Sequence[PassageScores], most: int) -> Iterator[tuple[float, int, int, int]]:
    for number, one in enumerate(scores):
        total = _add_up(one).ravel()
        for place in np.argsort(-total, kind="stable")[:most].tolist():
            if np.isfinite(total[place]):
                first, last = divmod(place, len(one.starts))
                yield float(total[place]), number, int(one.starts[first]), int(one.ends[last])


def _add_up(scores: PassageScores) -> Any:
    """``(tokens, tokens)`` log-probability of each span, by its first and its last token; ``-inf`` where none is."""
    places = np.arange(len(scores.starts))
    length = places[None, :] - places[:, None]
    allowed = (length >= 0) & (length < _LONGEST) & (scores.starts >= 0)[:, None]
    return np.where(allowed, scores.as_start[:, None] + scores.as_end[None, :], -np.inf)
