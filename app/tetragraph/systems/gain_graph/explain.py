"""Explains the rank of a chunk: the parts of its score, and the walk that contributed most."""

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
"""Number of best chunks whose edges are explained; mass from other chunks is ``elsewhere``."""
QUESTION = "question"
"""Source of the first step of every path."""


@dataclass(frozen=True, slots=True)
class FinishedWalk:
    """A finished walk.

    Attributes:
        scores: Score by chunk id, for the chunks used in explanations.
        seed_factor: See :class:`Ranking`.
        restart: See :class:`GainOptions`.
    """

    seeds: Seeds
    scores: Mapping[str, float]
    seed_factor: float
    restart: float
    steps: Sequence[Step]


def parts(walk: FinishedWalk, chunk: str) -> dict[str, float]:
    """Split the score of a chunk into parts that add up to it (eq. 6, term by term).

    Returns:
        ``seed_similar`` and ``seed_named``: mass as a seed. ``nearest`` and ``explains``: mass that came along edges of
        that kind from other high-ranked chunks. ``elsewhere``: mass from lower-ranked chunks.
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


def edge_contributions(walk: FinishedWalk, chunk: str) -> tuple[Contribution, ...]:
    """Return the contributions of the edges with the largest mass, each with its level (eq. 6, terms of the sum)."""
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
    """Select the largest contributions to each part; ties are broken by source."""
    best: list[Contribution] = []
    for part in KINDS:
        own = [one for one in found if one.part == part and one.value]
        best += sorted(own, key=lambda one: (-one.value, one.path[0].source))[:CONTRIBUTIONS]
    return tuple(best)


def edge_step(step: Step, weight: float) -> PathStep:
    """Convert an edge to a step of a path."""
    return PathStep(step.source, step.target, "INFO_GAIN", step.level, weight)


def strongest_paths(walk: FinishedWalk) -> dict[str, tuple[PathStep, ...]]:
    """Find for each reachable chunk the most probable single walk from a seed; ties by id.

    The first step contains the reason for the seed, with its share of all seeds; the others are edges, each with its
    probability for a walk that continues.
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
    """Return the first step to each seed: its reason, with its share of all seeds."""
    steps = []
    for chunk, share in seeds.total.items():
        is_named = seeds.named.get(chunk, 0.0) > seeds.similar.get(chunk, 0.0)
        steps.append(PathStep(QUESTION, chunk, "SEED", NAMED if is_named else SIMILAR, share))
    return steps


def scores_of(*rankings: Ranking) -> dict[str, float]:
    """Merge the scores of several rankings of one walk, by chunk id."""
    return {chunk: score for ranking in rankings for chunk, score in zip(ranking.ids, ranking.scores, strict=True)}
