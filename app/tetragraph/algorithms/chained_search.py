"""Search for a chain of sub-questions: a beam search over their answers and bridges.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Bridge = int | None
"""Entity that a hypothesis assumes as the answer of a step; None where the chunk contains none."""


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """Constants of the search.

    Attributes:
        width: Hypotheses kept after each step.
        passages: Chunks tried for a step in each hypothesis.
        sharpness: How much a chunk's score weighs in the logarithm of a hypothesis' weight.
    """

    width: int = 40
    passages: int = 5
    sharpness: float = 30.0


@dataclass(frozen=True, slots=True)
class Link:
    """One step of the chain: its dependencies and the functions that answer it.

    Attributes:
        refers: Numbers, from 0, of the earlier steps whose answers this step needs.
        find: Function from the bridges of these steps to the best chunks and their scores, best first.
        offer: Function from a chunk and the same bridges to the candidate bridges in the chunk and the logarithms
            of their probabilities; None for a step that no later one refers to.
    """

    refers: tuple[int, ...]
    find: Callable[[tuple[Bridge, ...]], tuple[Sequence[int], Sequence[float]]]
    offer: Callable[[int, tuple[Bridge, ...]], Sequence[tuple[Bridge, float]]] | None


@dataclass(frozen=True, slots=True)
class StepAnswers:
    """Answers to one step: probabilities that sum to 1 over the hypotheses left at the end.

    Attributes:
        passages: Probability that a chunk answers the step, by chunk.
        bridges: Probability that an entity is the answer, by entity; sums to less than 1 if a hypothesis has no bridge.
    """

    passages: Mapping[int, float]
    bridges: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    weight: float
    passages: tuple[int, ...] = ()
    bridges: tuple[Bridge, ...] = ()

    def required_bridges(self, link: Link) -> tuple[Bridge, ...]:
        """Return the bridges of the earlier steps that a step refers to."""
        return tuple(self.bridges[number] for number in link.refers)


def search_chain(links: Sequence[Link], options: BeamOptions) -> tuple[StepAnswers, ...]:
    """Answer the steps in order, and sum the weights of the most probable hypotheses per answer.

    A hypothesis names a chunk for each step, no chunk twice, and a bridge for each step that a later one needs.
    The logarithm of its weight is ``sum of sharpness score(chunk) + log p(bridge)``.

    Returns:
        Answers of each step; empty when no hypothesis answers all steps.
    """
    beam = [_Hypothesis(0.0)]
    for link in links:
        grown = [new for old in beam for new in _extend(old, link, options)]
        grown.sort(key=lambda hypothesis: (-hypothesis.weight, hypothesis.passages))
        beam = grown[: options.width]
    return _agree(beam, len(links)) if beam else ()


def _extend(old: _Hypothesis, link: Link, options: BeamOptions) -> list[_Hypothesis]:
    required = old.required_bridges(link)
    found = [(row, score) for row, score in zip(*link.find(required), strict=True) if row not in old.passages]
    new: list[_Hypothesis] = []
    for row, score in found[: options.passages]:
        weight = old.weight + options.sharpness * score
        passages = (*old.passages, row)
        offers = link.offer(row, required) if link.offer else ((None, 0.0),)
        new += [_Hypothesis(weight + offered, passages, (*old.bridges, bridge)) for bridge, offered in offers]
    return new


def _agree(beam: Sequence[_Hypothesis], steps: int) -> tuple[StepAnswers, ...]:
    weights = np.array([hypothesis.weight for hypothesis in beam])
    shares = np.exp(weights - weights.max())
    shares /= shares.sum()
    passages: list[dict[int, float]] = [defaultdict(float) for _ in range(steps)]
    bridges: list[dict[int, float]] = [defaultdict(float) for _ in range(steps)]
    for share, hypothesis in zip(shares.tolist(), beam, strict=True):
        for step, (row, bridge) in enumerate(zip(hypothesis.passages, hypothesis.bridges, strict=True)):
            passages[step][row] += share
            if bridge is not None:
                bridges[step][bridge] += share
    return tuple(StepAnswers(dict(rows), dict(names)) for rows, names in zip(passages, bridges, strict=True))
