"""Search for a chain of sub-questions: a beam search over their answers and bridges.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
        begin: Receives the bridges for which ``find`` is going to be called, before the first call; None where nothing
            can be prepared.
    """

    refers: tuple[int, ...]
    find: Callable[[tuple[Bridge, ...]], tuple[Sequence[int], Sequence[float]]]
    offer: Callable[[int, tuple[Bridge, ...]], Sequence[tuple[Bridge, float]]] | None
    begin: Callable[[Sequence[tuple[Bridge, ...]]], None] | None = None


@dataclass(frozen=True, slots=True)
class StepAnswers:
    """Answers to one step: probabilities that sum to 1 over the hypotheses left at the end.

    Attributes:
        passages: Probability that a chunk answers the step, by chunk.
        bridges: Probability that an entity is the answer, by entity; sums to less than 1 if a hypothesis has no bridge.
    """

    passages: Mapping[int, float]
    bridges: Mapping[int, float]


class _Hypothesis(NamedTuple):
    """Answers to the first steps; hypotheses sort by weight, the largest first, then by chunks, then by their number.

    Attributes:
        cost: The logarithm of the weight, negative.
        passages: Chunk of each step.
        number: Place in the order in which the hypotheses were made.
        bridges: Bridge of each step.
    """

    cost: float
    passages: tuple[int, ...]
    number: int
    bridges: tuple[Bridge, ...]


def search_chain(links: Sequence[Link], options: BeamOptions) -> tuple[StepAnswers, ...]:
    """Answer the steps in order, and sum the weights of the most probable hypotheses per answer.

    A hypothesis names a chunk for each step, no chunk twice, and a bridge for each step that a later one needs.
    The logarithm of its weight is ``sum of sharpness score(chunk) + log p(bridge)``.

    Returns:
        Answers of each step; empty when no hypothesis answers all steps.
    """
    beam = [_Hypothesis(0.0, (), 0, ())]
    for link in links:
        beam = sorted(_Growth(link, options).extend(beam))[: options.width]
    return _agree(beam, len(links)) if beam else ()


class _Growth:
    """Extends hypotheses by the answers to one step; what hypotheses with the same bridges ask for is asked once."""

    def __init__(self, link: Link, options: BeamOptions) -> None:
        self._link = link
        self._options = options
        self._found: dict[tuple[Bridge, ...], list[tuple[int, float]]] = {}
        self._offers: dict[tuple[int, tuple[Bridge, ...]], Sequence[tuple[Bridge, float]]] = {}

    def extend(self, beam: Sequence[_Hypothesis]) -> list[_Hypothesis]:
        """All hypotheses that are one of the beam with an answer to the step."""
        most, sharpness = self._options.passages, self._options.sharpness
        grown: list[_Hypothesis] = []
        needed = [tuple([old.bridges[number] for number in self._link.refers]) for old in beam]
        if self._link.begin:
            self._link.begin(list(dict.fromkeys(needed)))
        for old, required in zip(beam, needed, strict=True):
            found = [pair for pair in self._find(required) if pair[0] not in old.passages]
            for row, score in found[:most]:
                weight, passages = sharpness * score - old.cost, (*old.passages, row)
                for bridge, offered in self._offer(row, required):
                    grown.append(_Hypothesis(-(weight + offered), passages, len(grown), (*old.bridges, bridge)))
        return grown

    def _find(self, required: tuple[Bridge, ...]) -> list[tuple[int, float]]:
        """Chunks that answer the step, with their scores, best first."""
        if required not in self._found:
            self._found[required] = list(zip(*self._link.find(required), strict=True))
        return self._found[required]

    def _offer(self, row: int, required: tuple[Bridge, ...]) -> Sequence[tuple[Bridge, float]]:
        """Bridges that a chunk offers, with the logarithms of their probabilities; none for a last step."""
        if self._link.offer is None:
            return ((None, 0.0),)
        if (row, required) not in self._offers:
            self._offers[row, required] = self._link.offer(row, required)
        return self._offers[row, required]


def _agree(beam: Sequence[_Hypothesis], steps: int) -> tuple[StepAnswers, ...]:
    weights = np.array([-hypothesis.cost for hypothesis in beam])
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
