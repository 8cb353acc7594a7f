"""Explains a hit: the strongest path of the mass of the walk from the question to its chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.evidence_walk import Step, Transition, items
from tetragraph.arrays import CSR, Floats
from tetragraph.model import CONTRIBUTIONS, NAMED, SIMILAR, Contribution, PathStep
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.seeds import Seeds

WORDED = "holds a name of the question"
RETURNED = "its own, back from the entities that it mentions"


@dataclass(frozen=True, slots=True)
class _Crossing:
    """One kind of path from chunk to chunk over an entity, in one step of the walk.

    Attributes:
        leaves: Relationship between the giving chunk and the entity.
        reaches: Relationship between the receiving chunk and the entity.
        givers: ``(entities, chunks)`` relationships of giving chunks, weighted by the question.
        receivers: ``(chunks, entities)`` relationships of receiving chunks.
        rate: ``(chunks,)`` mass that a chunk gave to each of its entities, for each unit of weight and ``news``.
        news: ``(entities,)`` preference of the mass for an entity.
        given: ``(entities,)`` all mass that an entity received.
        weight: Attraction of a receiver, relative to others.
        pull: ``(entities,)`` attraction of all receivers of an entity together.
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
    """Mass of a chunk as a seed, with the reason: the kind of seed, or its relationship with a named entity."""

    mass: float
    reason: str
    entity: int | None = None


def _find_crossings(transition: Transition, step: Step) -> tuple[_Crossing, ...]:
    graph, weight = transition.graph, transition.options.title_weight
    mentioning, titled = transition.mention_rate(step.before), transition.title_rate(step.before)
    forward = (mentioning, transition.news, step.given)
    back = (titled, np.ones(len(transition.news)), step.returned)
    return (
        _Crossing("MENTIONS", "DESCRIBES", transition.bonded, graph.titles, *forward, weight, transition.entity_pull),
        _Crossing("MENTIONS", "MENTIONS", transition.bonded, graph.mentions, *forward, 1.0, transition.entity_pull),
        _Crossing("DESCRIBES", "MENTIONS", graph.titled, graph.mentions, *back, 1.0, transition.mention_pull),
    )


class PathFinder:
    """Traces the finished walk of one question back to its seeds."""

    def __init__(self, index: Index, transition: Transition, seeds: Seeds, steps: Sequence[Step]) -> None:
        self._index = index
        self._transition = transition
        self._seeds = seeds
        self._masses = [steps[0].before, *(step.after for step in steps)]
        self._crossings = [_find_crossings(transition, step) for step in steps]
        self._found_hops: dict[tuple[int, int], list[tuple[float, _Crossing, int]]] = {}

    def path(self, row: int) -> tuple[PathStep, ...]:
        """The strongest path to a chunk; empty if the walk did not reach it.

        The entity that contributed most is followed to the chunk that gave it most, and so on back to a seed.
        """
        return self._trace(row, len(self._masses) - 1, ())

    def contributions(self, row: int, value: float) -> tuple[Contribution, ...]:
        """Shares of the entities that contributed most, and of returned mass, in the score part ``walk``.

        The path over an entity begins with the chunk that gave most to it. Mass of a chunk returns to it over entities
        that few others mention.

        Args:
            row: Row of the chunk.
            value: Score part ``walk`` of the chunk.
        """
        last = len(self._masses) - 1
        sent = float(self._masses[last][row]) - self._transition.options.restart * float(self._seeds.total[row])
        found: list[Contribution] = []
        returned = self._returned_mass(row, last)
        if returned > 0:
            found.append(Contribution("walk", RETURNED, value * returned / sent))
        for mass, crossing, entity in self._hops(row, last)[:CONTRIBUTIONS]:
            if mass <= 0:
                break
            giver, rate = self._find_giver(crossing, entity, (row,))
            if giver is not None:
                path = self._path_steps(row, crossing, entity, giver, rate, mass / float(self._masses[last][row]))
                found.append(Contribution("walk", self._index.labels[entity], value * mass / sent, path))
        return tuple(sorted(found, key=lambda one: -one.value))

    def _returned_mass(self, row: int, step: int) -> float:
        """Mass that returned to a chunk in a step from the entities that it mentions."""
        scale = (1 - self._transition.options.restart) * float(self._transition.pull[row])
        crossings = (crossing for crossing in self._crossings[step - 1] if crossing.leaves == crossing.reaches)
        return scale * sum(
            float(
                (crossing.weight * self._own_mass(crossing, row) / crossing.pull[items(crossing.receivers, row)]).sum()
            )
            for crossing in crossings
        )

    def _path_steps(
        self, row: int, crossing: _Crossing, entity: int, giver: int, rate: float, share: float
    ) -> tuple[PathStep, PathStep]:
        """Path steps from a chunk over an entity to another, which owes ``share`` of its mass to them."""
        gave = float(crossing.news[entity] * rate / crossing.given[entity])
        return (
            self._step(self._chunk(giver), self._entity(entity), crossing.leaves, entity, gave),
            self._step(self._entity(entity), self._chunk(row), crossing.reaches, entity, share),
        )

    def _trace(self, row: int, step: int, visited: tuple[int, ...]) -> tuple[PathStep, ...]:
        total = float(self._masses[step][row])
        if total <= 0:
            return ()
        seeding = max(self._find_seedings(row, step), key=lambda one: one.mass)
        visited = (*visited, row)
        for mass, crossing, entity in self._hops(row, step) if step else ():
            if mass <= seeding.mass:
                break
            giver, rate = self._find_giver(crossing, entity, visited)
            if giver is not None:
                reached = self._path_steps(row, crossing, entity, giver, rate, mass / total)
                return (*self._trace(giver, step - 1, visited), *reached)
        return self._seed_steps(row, seeding, total)

    def _find_seedings(self, row: int, step: int) -> Iterator[_Seeding]:
        """Mass of a chunk as a seed in a step, by reason."""
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

    def _hops(self, row: int, step: int) -> list[tuple[float, _Crossing, int]]:
        """Mass that other chunks sent in a step, by crossing and entity, the largest first; computed once."""
        if (row, step) not in self._found_hops:
            self._found_hops[row, step] = self._find_hops(row, step)
        return self._found_hops[row, step]

    def _find_hops(self, row: int, step: int) -> list[tuple[float, _Crossing, int]]:
        scale = (1 - self._transition.options.restart) * float(self._transition.pull[row])
        found: list[tuple[float, _Crossing, int]] = []
        for crossing in self._crossings[step - 1]:
            entities = items(crossing.receivers, row)
            own = self._own_mass(crossing, row) if crossing.leaves == crossing.reaches else 0.0
            mass = scale * crossing.weight * (crossing.given[entities] - own) / crossing.pull[entities]
            found += [(value, crossing, entity) for value, entity in zip(mass.tolist(), entities.tolist(), strict=True)]
        return sorted(found, key=lambda hop: -hop[0])

    def _own_mass(self, crossing: _Crossing, row: int) -> Floats:
        """Mass that a chunk gave to each entity that it mentions."""
        bonds = self._transition.bonds
        weights: Floats = bonds.data[bonds.indptr[row] : bonds.indptr[row + 1]]
        gave: Floats = crossing.news[items(bonds, row)] * weights * crossing.rate[row]
        return gave

    @staticmethod
    def _find_giver(crossing: _Crossing, entity: int, visited: Sequence[int]) -> tuple[int | None, float]:
        """The chunk that gave most to an entity, except those in ``visited``, and the mass that it gave."""
        rows = items(crossing.givers, entity)
        gave = (
            crossing.rate[rows]
            * crossing.givers.data[crossing.givers.indptr[entity] : crossing.givers.indptr[entity + 1]]
        )
        for row in visited:
            gave[rows == row] = 0.0
        best = int(np.argmax(gave))
        return (int(rows[best]), float(gave[best])) if gave[best] > 0 else (None, 0.0)

    def _step(self, source: str, target: str, via: str, entity: int, weight: float) -> PathStep:
        return PathStep(source, target, via, self._index.labels[entity], weight)

    def _chunk(self, row: int) -> str:
        return self._index.table.ids[row]

    def _entity(self, entity: int) -> str:
        return self._index.entity_id(entity)
