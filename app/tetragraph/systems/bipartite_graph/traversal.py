"""Traversal from the first facts of a search to further ones, over shared entities.

Source:
    BiG-RAG, section 4.3.2, algorithm 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Floats, Rows, Vectors
from tetragraph.systems.bipartite_graph.dual_path import FactQuestion
from tetragraph.systems.bipartite_graph.options import COMPARED, WEIGHTS, Bounds
from tetragraph.systems.bipartite_graph.view import FactView

IsLate: TypeAlias = Callable[[], bool]
_BEAM = 10
"""Number of paths that a further hop continues."""
_SHORTEST = 1e-3
"""Lower bound of the length of a sum of vectors: the rest of vectors that cancel out is a rounding error."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A fact with the path by which a traversal reached it.

    Attributes:
        score: Score, in units of the ranking.
        facts: Rows of the facts of the path; the fact itself is the last.
        entities: Rows of the entities between these facts, one fewer.
    """

    score: float
    facts: tuple[int, ...]
    entities: tuple[int, ...] = ()


@dataclass(slots=True)
class Traversal:
    """Result of a traversal.

    Attributes:
        reached: Reached facts by row, in the order in which they were found.
        hops: For each hop the number of facts it started from, and the number of new facts.
        stopped: Reason of the end: enough ``facts``, all ``hops`` made, no ``time`` left, or ``nothing further`` to
            reach.
    """

    reached: dict[int, Reached] = field(default_factory=dict)
    hops: list[tuple[int, int]] = field(default_factory=list)
    stopped: str = "hops"

    def best(self, count: int) -> list[int]:
        """Rows of the best facts."""
        return sorted(self.reached, key=lambda row: (-self.reached[row].score, row))[:count]

    def may_go_on(self, bounds: Bounds, frontier: Sequence[object], is_late: IsLate) -> bool:
        """Whether a further hop is made (line 7); if not, sets ``stopped``."""
        reasons = {
            "facts": len(self.reached) >= bounds.facts,
            "nothing further": not frontier,
            "time": is_late(),
        }
        self.stopped = next((reason for reason, holds in reasons.items() if holds), "hops")
        return self.stopped == "hops"


def by_structure(asked: FactQuestion, starts: Rows, bounds: Bounds, hub: int, is_late: IsLate) -> Traversal:
    """Traverse breadth first; facts are ranked by degree, ties by weight, then by id.

    The degree is the sum of those of the fact and of the entity by which it was reached; for a start, its own.

    Args:
        asked: The question, with the facts that may be reached and their similarities.
        starts: Rows of the facts to start from.
        bounds: Bounds of the traversal.
        hub: See ``BipartiteOptions.hub``.
        is_late: Whether there is no time for a further hop.

    Source:
        Algorithm 4 of BiG-RAG. Deviations: the cap on hubs, and the time limit.
    """
    index = asked.index
    found = Traversal({row: Reached(_structural(index, row), (row,)) for row in starts.tolist()})
    reached_by: dict[int, int] = {}
    new = starts.tolist()
    frontier: list[int] = []
    for hop in range(bounds.hops):
        if len(found.reached) < bounds.facts:  # otherwise nobody asks who takes part
            frontier = _cross(index, new, reached_by)
            frontier = frontier if hop else sorted(frontier)
        if not found.may_go_on(bounds, frontier, is_late):
            break
        before, new = len(found.reached), []
        for entity in frontier:
            way = found.reached[reached_by[entity]]
            for row in index.facts.items[find_followed(asked, entity, hub)].tolist():
                if row in found.reached:
                    continue
                score = _structural(index, row, entity)
                found.reached[row] = Reached(score, (*way.facts, row), (*way.entities, entity))
                new.append(row)
        found.hops.append((before, len(found.reached) - before))
    return found


def _cross(index: FactView, facts: Sequence[int], reached_by: dict[int, int]) -> list[int]:
    """Entities that facts reach first, in their order; adds the fact that reached each to ``reached_by``."""
    crossed: list[int] = []
    for row in facts:
        new = [entity for entity in index.members.of(row).tolist() if entity not in reached_by]
        reached_by |= dict.fromkeys(new, row)
        crossed += new
    return crossed


def by_similarity(asked: FactQuestion, starts: Rows, bounds: Bounds, hub: int, is_late: IsLate) -> Traversal:
    """Rank each fact by the best path that it is on: facts that together are similar to the question.

    The score of a path is the cosine of the question with the sum of its facts' vectors, so that a second fact counts
    by what it adds, plus the bonuses of :class:`Weights`. Only facts of other chunks continue a path.

    Args:
        asked: The question.
        starts: Rows of the facts whose entities are crossed.
        bounds: Bounds of the traversal.
        hub: See ``BipartiteOptions.hub``.
        is_late: Whether there is no time for a further hop.

    Source:
        Algorithm 4 of BiG-RAG, with its ranking replaced.
    """
    own = asked.scores
    alone = np.union1d(top(own, COMPARED), starts)
    found = Traversal({row: Reached(float(own[row]), (row,)) for row in alone.tolist() if np.isfinite(own[row])})
    ways = [_Way.begin(asked, row) for row in starts.tolist()]
    for _ in range(bounds.hops):
        if not found.may_go_on(bounds, ways, is_late):
            break
        before, further = len(found.reached), []
        for way in ways:
            further += _continue(asked, found, way, hub)
        found.hops.append((len(ways), len(found.reached) - before))
        ways = sorted(further, key=lambda way: (-way.reached.score, way.reached.facts))[:_BEAM]
    return found


@dataclass(frozen=True, slots=True)
class _Way:
    """A path of facts, each of which shares an entity with the one before.

    Attributes:
        reached: The path, with its score.
        vector: ``(dimension,)`` sum of the facts' vectors.
        bonus: Sum of the bonuses of the start's names and chunk and of the crossed entities.
    """

    reached: Reached
    vector: Vectors
    bonus: float

    @classmethod
    def begin(cls, asked: FactQuestion, row: int) -> _Way:
        bonus = WEIGHTS.carried * float(asked.extra[row])
        return cls(Reached(float(asked.scores[row]), (row,)), asked.index.vectors_of(np.array([row]))[0], bonus)


def _continue(asked: FactQuestion, found: Traversal, way: _Way, hub: int) -> list[_Way]:
    """Follow the entities of the last fact of a path; returns the best continuation over each of them."""
    index, facts = asked.index, way.reached.facts
    homes = asked.home[list(facts)]
    best: list[_Way] = []
    for entity in index.members.of(facts[-1]).tolist():
        places = find_followed(asked, entity, hub)
        places = places[~np.isin(asked.home[index.facts.items[places]], homes)]
        if not places.size:
            continue
        rows = index.facts.items[places]
        bonus = way.bonus + _crossing(index, entity) + WEIGHTS.about * index.is_about[places] + _by_chunk(asked, rows)
        vectors = index.vectors_of(rows)
        scores = _together(asked, way.vector, vectors) + bonus
        entities = (*way.reached.entities, entity)
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True):
            if row not in found.reached or found.reached[row].score < score:
                found.reached[row] = Reached(score, (*facts, row), entities)
        place = int(scores.argmax())
        _raise(found, facts, float(scores[place]))
        reached = Reached(float(scores[place]), (*facts, int(rows[place])), entities)
        best.append(_Way(reached, way.vector + vectors[place], float(bonus[place])))
    return best


def _raise(found: Traversal, facts: tuple[int, ...], score: float) -> None:
    """Raise the scores of the facts of a path to that of its best continuation."""
    for row in facts:
        if found.reached[row].score < score:
            found.reached[row] = replace(found.reached[row], score=score)


def _together(asked: FactQuestion, vector: Vectors, others: Vectors) -> Floats:
    """Compute ``(n,)`` scaled cosines of the question with the sums of the vector of a path and each of ``others``."""
    along = float(dot_products(vector, asked.vector)) + dot_products(others, asked.vector).astype(np.float64)
    square = float(dot_products(vector, vector)) + 1 + 2 * dot_products(others, vector).astype(np.float64)
    cosines: Floats = along / np.sqrt(np.maximum(square, _SHORTEST**2))
    return asked.index.scale * cosines


def _crossing(index: FactView, entity: int) -> float:
    """Score added by crossing an entity: small for entities of many facts, and for participants without a name."""
    unnamed = WEIGHTS.unnamed if index.is_unnamed[entity] else 0.0
    return WEIGHTS.telling * float(np.log(index.information[entity])) - unnamed


def _by_chunk(asked: FactQuestion, rows: Rows) -> Floats:
    by_chunk: Floats = WEIGHTS.chunk * (asked.passages[asked.home[rows]] - asked.cosines[rows])
    return by_chunk


def find_followed(asked: FactQuestion, entity: int, hub: int) -> Rows:
    """Return the indices in ``index.facts`` of the facts that are followed from an entity."""
    index = asked.index
    places = index.facts.range(entity)
    places = places[asked.is_allowed[index.facts.items[places]]]
    if len(places) <= hub:
        return places
    return np.sort(places[top(asked.cosines[index.facts.items[places]], hub)])


def _structural(index: FactView, row: int, entity: int = -1) -> float:
    """Degree plus the weight scaled to below 1."""
    degree = int(index.sizes[row])
    if entity >= 0:
        degree += int(index.degrees[entity])
    weight = float(index.weight[row])
    return degree + weight / (1 + weight)
