"""Why a passage was found: the strongest way of the walk's mass from the question to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.evidence_walk import Matrix, Transition, ratio
from tetragraph.model import PathStep, content_id
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.seeds import Seeds

Floats = NDArray[np.float64]
SIMILARITY = "similar to the question"
NAMED = "named in the question"
WORDED = "holds a name of the question"


@dataclass(frozen=True, slots=True)
class _Way:
    """One of the ways from passage to passage over an entity, in one step of the walk.

    Attributes:
        leaves: Relationship from the source passage to the entity.
        reaches: Relationship from the target passage to the entity.
        sources: ``(entities, passages)`` who can give to an entity.
        targets: ``(passages, entities)`` from whom a passage can receive.
        gave: ``(passages,)`` what a passage gave to each entity.
        received: ``(entities,)`` the sum of that.
        rate: ``(entities,)`` share of it that arrives at a target, for each unit of pull.
    """

    leaves: str
    reaches: str
    sources: Matrix
    targets: Matrix
    gave: Floats
    received: Floats
    rate: Floats


class PathFinder:
    """Traces one question's finished walk back."""

    def __init__(self, index: EvidenceIndex, transition: Transition, seeds: Seeds, masses: Sequence[Floats]) -> None:
        self._index = index
        self._transition = transition
        self._seeds = seeds
        self._masses = masses
        self._ways = [_ways(transition, mass) for mass in masses[:-1]]

    def path(self, row: int) -> tuple[PathStep, ...]:
        """The strongest way to a passage; empty when the walk did not reach it.

        The entity that brought most is followed to the passage that gave it most, and so on back to a seed.
        """
        return self._trace(row, len(self._masses) - 1, [])

    def _trace(self, row: int, step: int, visited: list[int]) -> tuple[PathStep, ...]:
        total = float(self._masses[step][row])
        if total <= 0:
            return ()
        weight, steps = max(self._seeding(row, step), key=lambda item: item[0], default=(0.0, ()))
        if step:
            visited = [*visited, row]
            for mass, way, entity in self._hops(row, step):
                source = self._source(way, entity, visited)
                if mass <= weight or source is None:
                    continue
                giver, share = source
                leaving = self._step(giver, entity, way.leaves, share)
                arriving = self._step(row, entity, way.reaches, mass / total, outwards=False)
                return (*self._trace(giver, step - 1, visited), leaving, arriving)
        return steps

    def _seeding(self, row: int, step: int) -> Iterator[tuple[float, tuple[PathStep, ...]]]:
        """Mass that a passage has as a seed, by reason."""
        factor = self._transition.options.restart if step else 1.0
        total = float(self._masses[step][row])
        for label, seeds in ((SIMILARITY, self._seeds.similar), (WORDED, self._seeds.worded)):
            mass = factor * float(seeds[row])
            yield mass, (PathStep("question", self._index.table.ids[row], "SEED", label, mass / total),)
        graph, transition = self._index.graph, self._transition
        for via, matrix, weight in (
            ("DESCRIBES", graph.titles, transition.options.title_weight),
            ("MENTIONS", graph.mentions, 1.0),
        ):
            tied = set(items(matrix, row).tolist())
            for entity, share in zip(self._seeds.entities, self._seeds.shares.tolist(), strict=True):
                if entity in tied and share > 0:
                    mass = factor * share * weight * float(transition.pull[row] / transition.entity_pull[entity])
                    seed = PathStep("question", content_id(self._index.names[entity]), "SEED", NAMED, share)
                    yield mass, (seed, self._step(row, entity, via, mass / total, outwards=False))

    def _hops(self, row: int, step: int) -> list[tuple[float, _Way, int]]:
        """Mass that other passages sent in a step, by way and entity, the largest first."""
        scale = (1 - self._transition.options.restart) * float(self._transition.pull[row])
        found: list[tuple[float, _Way, int]] = []
        for way in self._ways[step - 1]:
            entities = items(way.targets, row)
            own = way.gave[row] if way.leaves == way.reaches else 0.0
            mass = scale * way.rate[entities] * (way.received[entities] - own)
            found += [(value, way, entity) for value, entity in zip(mass.tolist(), entities.tolist(), strict=True)]
        return sorted(found, key=lambda item: (-item[0], item[2], item[1].leaves))

    @staticmethod
    def _source(way: _Way, entity: int, visited: Sequence[int]) -> tuple[int, float] | None:
        """The passage that gave most to an entity, other than those the path has, and its share of all given."""
        rows = items(way.sources, entity)
        gave = np.where(np.isin(rows, visited), 0.0, way.gave[rows])
        if not gave.any():
            return None
        best = int(np.argmax(gave))
        return int(rows[best]), float(gave[best] / way.received[entity])

    def _step(self, row: int, entity: int, via: str, weight: float, *, outwards: bool = True) -> PathStep:
        ends = (self._index.table.ids[row], content_id(self._index.names[entity]))
        source, target = ends if outwards else ends[::-1]
        return PathStep(source, target, via, self._index.labels[entity], weight)


def items(matrix: Matrix, row: int) -> NDArray[np.int32]:
    """The columns of a row's ones, ascending."""
    return matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]


def _ways(transition: Transition, mass: Floats) -> tuple[_Way, ...]:
    graph, options = transition.graph, transition.options
    mentioning, titled = transition.mention_rate(mass), transition.title_rate(mass)
    received = graph.mentioned @ mentioning
    forward = ratio(transition.news, transition.entity_pull)
    return (
        _Way(
            "MENTIONS", "DESCRIBES", graph.mentioned, graph.titles, mentioning, received, options.title_weight * forward
        ),
        _Way("MENTIONS", "MENTIONS", graph.mentioned, graph.mentions, mentioning, received, forward),
        _Way(
            "DESCRIBES",
            "MENTIONS",
            graph.titled,
            graph.mentions,
            titled,
            graph.titled @ titled,
            ratio(np.ones(len(forward)), transition.mention_pull),
        ),
    )
