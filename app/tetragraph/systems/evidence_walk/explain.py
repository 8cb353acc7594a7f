"""Why a passage was found: the strongest way of the walk's mass from the question to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.evidence_walk import Step, Transition, items
from tetragraph.arrays import CSR, Floats
from tetragraph.model import CONTRIBUTIONS, NAMED, SIMILAR, Contribution, PathStep, content_id
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.seeds import Seeds

WORDED = "holds a name of the question"
RETURNED = "its own, back from the entities that it mentions"


@dataclass(frozen=True, slots=True)
class _Way:
    """One of the ways from passage to passage over an entity, in one step of the walk.

    Attributes:
        leaves: Relationship of the passage that gives with the entity.
        reaches: Relationship of the passage that receives with it.
        givers: ``(entities, passages)``, the first, with the weight that each has for the question.
        receivers: ``(passages, entities)``, the second.
        rate: ``(passages,)`` what a passage gave to each of its entities, for each unit of weight and ``news``.
        news: ``(entities,)`` how readily an entity is given to.
        given: ``(entities,)`` all that it was given.
        weight: How strongly a receiver draws, relative to others.
        pull: ``(entities,)`` what all receivers of an entity draw together.
    """

    leaves: str
    reaches: str
    givers: CSR
    receivers: CSR
    rate: Floats
    news: Floats
    given: Floats
    weight: float
    pull: Floats


@dataclass(frozen=True, slots=True)
class _Seeding:
    """Mass that a passage has as a seed, and why: the kind of seed, or its relationship with a named entity."""

    mass: float
    reason: str
    entity: int | None = None


def _ways(transition: Transition, step: Step) -> tuple[_Way, ...]:
    graph, weight = transition.graph, transition.options.title_weight
    mentioning, titled = transition.mention_rate(step.before), transition.title_rate(step.before)
    forward = (mentioning, transition.news, step.given)
    back = (titled, np.ones(len(transition.news)), step.returned)
    return (
        _Way("MENTIONS", "DESCRIBES", transition.bonded, graph.titles, *forward, weight, transition.entity_pull),
        _Way("MENTIONS", "MENTIONS", transition.bonded, graph.mentions, *forward, 1.0, transition.entity_pull),
        _Way("DESCRIBES", "MENTIONS", graph.titled, graph.mentions, *back, 1.0, transition.mention_pull),
    )


class PathFinder:
    """Traces one question's finished walk back."""

    def __init__(self, index: Index, transition: Transition, seeds: Seeds, steps: Sequence[Step]) -> None:
        self._index = index
        self._transition = transition
        self._seeds = seeds
        self._masses = [steps[0].before, *(step.after for step in steps)]
        self._ways = [_ways(transition, step) for step in steps]

    def path(self, row: int) -> tuple[PathStep, ...]:
        """The strongest way to a passage; empty when the walk did not reach it.

        The entity that brought most is followed to the passage that gave it most, and so on back to a seed.
        """
        return self._trace(row, len(self._masses) - 1, ())

    def brought(self, row: int, value: float) -> tuple[Contribution, ...]:
        """What came over the entities that brought most, and what came back, as shares of the score's part ``walk``.

        A way over an entity is told by the passage that gave most to it. A passage's own mass comes back to it over
        entities that few others mention.

        Args:
            row: Of a passage.
            value: The part of its score that came by the walk's edges.
        """
        last = len(self._masses) - 1
        sent = float(self._masses[last][row]) - self._transition.options.restart * float(self._seeds.total[row])
        found: list[Contribution] = []
        returned = self._returned(row, last)
        if returned > 0:
            found.append(Contribution("walk", RETURNED, value * returned / sent))
        for mass, way, entity in self._hops(row, last)[:CONTRIBUTIONS]:
            if mass <= 0:
                break
            giver, rate = self._giver(way, entity, (row,))
            if giver is not None:
                path = self._crossing(row, way, entity, giver, rate, mass / float(self._masses[last][row]))
                found.append(Contribution("walk", self._index.labels[entity], value * mass / sent, path))
        return tuple(sorted(found, key=lambda one: -one.value))

    def _returned(self, row: int, step: int) -> float:
        """Mass that a passage got back in a step from the entities that it mentions."""
        scale = (1 - self._transition.options.restart) * float(self._transition.pull[row])
        ways = (way for way in self._ways[step - 1] if way.leaves == way.reaches)
        return scale * sum(
            float((way.weight * self._own(way, row) / way.pull[items(way.receivers, row)]).sum()) for way in ways
        )

    def _crossing(
        self, row: int, way: _Way, entity: int, giver: int, rate: float, share: float
    ) -> tuple[PathStep, PathStep]:
        """From a passage over an entity to another; ``share`` of what arrives there came this way."""
        gave = float(way.news[entity] * rate / way.given[entity])
        return (
            self._step(self._chunk(giver), self._entity(entity), way.leaves, entity, gave),
            self._step(self._entity(entity), self._chunk(row), way.reaches, entity, share),
        )

    def _trace(self, row: int, step: int, visited: tuple[int, ...]) -> tuple[PathStep, ...]:
        total = float(self._masses[step][row])
        if total <= 0:
            return ()
        seeded = max(self._seeding(row, step), key=lambda seeding: seeding.mass)
        visited = (*visited, row)
        for mass, way, entity in self._hops(row, step) if step else ():
            if mass <= seeded.mass:
                break
            giver, rate = self._giver(way, entity, visited)
            if giver is not None:
                crossing = self._crossing(row, way, entity, giver, rate, mass / total)
                return (*self._trace(giver, step - 1, visited), *crossing)
        return self._seed_steps(row, seeded, total)

    def _seeding(self, row: int, step: int) -> Iterator[_Seeding]:
        """Mass that a passage has as a seed in a step, by reason."""
        factor = self._transition.options.restart if step else 1.0
        yield _Seeding(factor * float(self._seeds.similar[row]), SIMILAR)
        yield _Seeding(factor * float(self._seeds.worded[row]), WORDED)
        if self._seeds.named[row] == 0:
            return
        graph, transition = self._index.graph, self._transition
        title_weight = transition.options.title_weight
        for via, matrix, weight in (("DESCRIBES", graph.titles, title_weight), ("MENTIONS", graph.mentions, 1.0)):
            for entity in items(matrix, row).tolist():
                share = self._seeds.shares.get(entity, 0.0)
                mass = factor * share * weight * float(transition.pull[row] / transition.entity_pull[entity])
                yield _Seeding(mass, via, entity)

    def _seed_steps(self, row: int, seeding: _Seeding, total: float) -> tuple[PathStep, ...]:
        weight = seeding.mass / total
        if seeding.entity is None:
            return (PathStep("question", self._chunk(row), "SEED", seeding.reason, weight),)
        entity = self._entity(seeding.entity)
        return (
            PathStep("question", entity, "SEED", NAMED, self._seeds.shares[seeding.entity]),
            self._step(entity, self._chunk(row), seeding.reason, seeding.entity, weight),
        )

    def _hops(self, row: int, step: int) -> list[tuple[float, _Way, int]]:
        """Mass that other passages sent in a step, by way and entity, the largest first."""
        scale = (1 - self._transition.options.restart) * float(self._transition.pull[row])
        found: list[tuple[float, _Way, int]] = []
        for way in self._ways[step - 1]:
            entities = items(way.receivers, row)
            own = self._own(way, row) if way.leaves == way.reaches else 0.0
            mass = scale * way.weight * (way.given[entities] - own) / way.pull[entities]
            found += [(value, way, entity) for value, entity in zip(mass.tolist(), entities.tolist(), strict=True)]
        return sorted(found, key=lambda hop: -hop[0])

    def _own(self, way: _Way, row: int) -> Floats:
        """What a passage gave to each entity that it mentions."""
        bonds = self._transition.bonds
        weights: Floats = bonds.data[bonds.indptr[row] : bonds.indptr[row + 1]]
        gave: Floats = way.news[items(bonds, row)] * weights * way.rate[row]
        return gave

    @staticmethod
    def _giver(way: _Way, entity: int, visited: Sequence[int]) -> tuple[int | None, float]:
        """The passage that gave most to an entity, other than those the path has, and what it gave."""
        rows = items(way.givers, entity)
        gave = way.rate[rows] * way.givers.data[way.givers.indptr[entity] : way.givers.indptr[entity + 1]]
        for row in visited:
            gave[rows == row] = 0.0
        best = int(np.argmax(gave))
        return (int(rows[best]), float(gave[best])) if gave[best] > 0 else (None, 0.0)

    def _step(self, source: str, target: str, via: str, entity: int, weight: float) -> PathStep:
        return PathStep(source, target, via, self._index.labels[entity], weight)

    def _chunk(self, row: int) -> str:
        return self._index.table.ids[row]

    def _entity(self, entity: int) -> str:
        return content_id(self._index.names[entity])
