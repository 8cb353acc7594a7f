"""Why a chunk is in a ranking: what its score is made of, and the walk that brought most of it."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tetragraph.model import CONTRIBUTIONS, NAMED, SIMILAR, Contribution, PathStep
from tetragraph.systems.gain_graph.candidates import KINDS
from tetragraph.systems.gain_graph.engine import Ranking, Step
from tetragraph.systems.gain_graph.seeds import Seeds

AROUND = 20
"""Best chunks of the walk among which explanations look for edges; what comes from further away is ``elsewhere``."""
QUESTION = "question"
"""Where every path begins."""


@dataclass(frozen=True, slots=True)
class FinishedWalk:
    """One finished walk.

    Attributes:
        scores: Chunk id to score, for the chunks that explanations look at.
        seed_factor: As in :class:`Ranking`.
        restart: As in the options.
    """

    seeds: Seeds
    scores: Mapping[str, float]
    seed_factor: float
    restart: float
    steps: Sequence[Step]


def parts(walk: FinishedWalk, chunk: str) -> dict[str, float]:
    """Shares of a chunk's score, adding up to it (eq. 6, term by term).

    Returns:
        ``seed_similar`` and ``seed_named``: for being a seed. ``nearest`` and ``explains``: what came along edges of
        that kind from other well ranked chunks. ``elsewhere``: what came from chunks further down.
    """
    found = {
        "seed_similar": walk.seed_factor * walk.seeds.similar.get(chunk, 0.0),
        "seed_named": walk.seed_factor * walk.seeds.named.get(chunk, 0.0),
        "nearest": 0.0,
        "explains": 0.0,
    }
    for step in walk.steps:
        if step.target == chunk:
            found[step.candidate] += (1 - walk.restart) * step.share * walk.scores[step.source]
    return {**found, "elsewhere": walk.scores[chunk] - sum(found.values())}


def brought(walk: FinishedWalk, chunk: str) -> tuple[Contribution, ...]:
    """Contributions of the edges that carried most, each with its level (eq. 6, the terms of its sum)."""
    found = [
        Contribution(
            step.candidate,
            step.level,
            (1 - walk.restart) * step.share * walk.scores[step.source],
            (edge_step(step, step.share),),
        )
        for step in walk.steps
        if step.target == chunk
    ]
    return largest(found)


def largest(found: Sequence[Contribution]) -> tuple[Contribution, ...]:
    """Those of the largest value of each part; equal ones by where they come from."""
    best: list[Contribution] = []
    for part in KINDS:
        mine = [one for one in found if one.part == part and one.value]
        best += sorted(mine, key=lambda one: (-one.value, one.path[0].source))[:CONTRIBUTIONS]
    return tuple(best)


def edge_step(step: Step, weight: float) -> PathStep:
    """An edge as a step of a path."""
    return PathStep(step.source, step.target, "INFO_GAIN", step.level, weight)


def strongest_paths(walk: FinishedWalk) -> dict[str, tuple[PathStep, ...]]:
    """For each chunk that can be reached, the single walk from a seed that is the most probable; ties by id.

    The first step says why the seed is one, with its share of all seeds; the others are edges, with the probability
    that a walk which goes on takes them.
    """
    onwards: defaultdict[str, list[Step]] = defaultdict(list)
    for step in walk.steps:
        onwards[step.source].append(step)
    paths: dict[str, tuple[PathStep, ...]] = {QUESTION: ()}
    queue = [(-seed.weight, seed.target, seed.source, seed) for seed in seed_steps(walk.seeds)]
    heapq.heapify(queue)
    while queue:
        weight, chunk, source, last = heapq.heappop(queue)
        if chunk in paths:
            continue
        paths[chunk] = (*paths[source], last)
        for step in onwards[chunk]:
            edge = edge_step(step, step.share)
            heapq.heappush(queue, (weight * (1 - walk.restart) * step.share, step.target, chunk, edge))
    return paths


def seed_steps(seeds: Seeds) -> list[PathStep]:
    """The first step to each seed: why it is one, with its share of all seeds."""
    steps = []
    for chunk, share in seeds.total.items():
        is_named = seeds.named.get(chunk, 0.0) > seeds.similar.get(chunk, 0.0)
        steps.append(PathStep(QUESTION, chunk, "SEED", NAMED if is_named else SIMILAR, share))
    return steps


def scores_of(*rankings: Ranking) -> dict[str, float]:
    """Chunk id to score over several rankings of one walk."""
    return {chunk: score for ranking in rankings for chunk, score in zip(ranking.ids, ranking.scores, strict=True)}
