"""Converts facts to results: with participants, paths, and the chunks that state them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Flags, Floats, Longs
from tetragraph.model import CONTRIBUTIONS, NAMED, SIMILAR, Contribution, FoundFact, Hit, PathStep
from tetragraph.systems.bipartite_graph.traversal import Reached
from tetragraph.systems.bipartite_graph.view import FactView

SHOWN = 5
"""Largest number of facts of a hit."""
_ALL = 1.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """Facts found by a search.

    Attributes:
        scores: Row of a fact to its score.
        reached: Row of a fact to its path.
        named: Rows of the facts in which an entity of the question takes part.
    """

    scores: Mapping[int, float]
    reached: Mapping[int, Reached]
    named: frozenset[int]

    def best(self, count: int) -> list[int]:
        """Rows of the best facts; ties are broken by row."""
        return sorted(self.scores, key=lambda row: (-self.scores[row], row))[:count]


@dataclass(frozen=True, slots=True)
class ScoreContributions:
    """Contributions of facts to the scores of the chunks that state them.

    Attributes:
        facts: Row of a fact to its contribution to the part ``facts`` of a chunk whose best fact it is.
        sub_queries: Row of a fact to its contribution to the part ``sub_queries`` of its home chunk.
        home: ``(m,)`` row of the home chunk of each fact.
    """

    facts: Mapping[int, float]
    sub_queries: Mapping[int, float]
    home: Longs

    def to(self, index: FactView, chunk: int, part: float) -> Iterator[tuple[str, int, float]]:
        """Yield the name of a part of the score of a chunk, the row of a fact, and what it adds to that part.

        Args:
            index: The facts.
            chunk: Row of the chunk.
            part: Value of the part ``sub_queries``, which its facts share in proportion to their scores.
        """
        stated = index.states.of(chunk).tolist()
        best = max((row for row in stated if row in self.facts), key=lambda row: (self.facts[row], -row), default=None)
        if best is not None and self.facts[best] > 0:
            yield "facts", best, self.facts[best]
        answering = [row for row in stated if row in self.sub_queries and self.home[row] == chunk]
        scale = part / total if (total := sum(self.sub_queries[row] for row in answering)) > 0 else 0.0
        for row in sorted(answering, key=lambda row: (-self.sub_queries[row], row))[:CONTRIBUTIONS]:
            yield "sub_queries", row, scale * self.sub_queries[row]


def chunk_scores(index: FactView, ranked: Ranked) -> Floats:
    """Return the ``(n,)`` scores of the best fact of each chunk; 0 for a chunk without any of the facts."""
    best = np.zeros(len(index.table))
    rows = np.array(sorted(ranked.scores), dtype=np.int64)
    places, source = index.stated.places(rows)
    scores = np.array([ranked.scores[row] for row in rows.tolist()])
    np.maximum.at(best, index.stated.items[places], scores[source])
    return best


def found_facts(index: FactView, ranked: Ranked, allowed: Flags, count: int) -> tuple[FoundFact, ...]:
    """Return the best facts, with their statements in the chunks that may be found, ``allowed`` ``(n,)``."""
    best = ranked.best(count)
    _read_texts(index, ranked, best)
    return tuple(_fact(index, ranked, allowed, row, rank) for rank, row in enumerate(best, start=1))


def hits(
    index: FactView,
    ranked: Ranked,
    parts: Mapping[str, Floats],
    contributions: ScoreContributions,
    allowed: Flags,
    k: int,
) -> tuple[Hit, ...]:
    """Return the best chunks with their facts.

    Args:
        index: Index of the corpus.
        ranked: The facts.
        parts: ``(n,)`` parts of the scores of the chunks, by name.
        contributions: Contributions of facts to the parts.
        allowed: ``(n,)`` chunks that may be found.
        k: Number of hits.
    """
    total = np.sum(list(parts.values()), axis=0).round(12)
    chosen = top(np.where(allowed, total, -np.inf), min(k, int(allowed.sum()))).tolist()
    ranks = {row: rank for rank, row in enumerate(ranked.best(len(ranked.scores)), start=1)}
    bounded = parts.get("sub_queries", np.zeros(len(total)))
    stated = {row: _best_stated(index, ranks, row) for row in chosen}
    contributed = {row: list(contributions.to(index, row, float(bounded[row]))) for row in chosen}
    shown = {fact for facts in stated.values() for fact in facts}
    shown |= {fact for found in contributed.values() for _, fact, _ in found}
    _read_texts(index, ranked, shown)
    facts = {row: [_fact(index, ranked, allowed, fact, ranks[fact]) for fact in stated[row]] for row in chosen}
    return tuple(
        Hit(
            rank,
            float(total[row]),
            chunk,
            {name: float(values[row]) for name, values in parts.items() if values[row]},
            _path(index, row, facts[row]),
            tuple(facts[row]),
            tuple(_contributions(index, ranked, contributed[row], row)),
        )
        for rank, (row, chunk) in enumerate(zip(chosen, index.table.chunks_of(chosen), strict=True), start=1)
    )


def _best_stated(index: FactView, ranks: Mapping[int, int], chunk: int) -> list[int]:
    """Rows of the best facts that a chunk states among those found, best first."""
    stated = (row for row in index.states.of(chunk).tolist() if row in ranks)
    return sorted(stated, key=ranks.__getitem__)[:SHOWN]


def _read_texts(index: FactView, ranked: Ranked, facts: Iterable[int]) -> None:
    """Prepare facts and those on the paths to them for being shown."""
    index.read_texts({row for fact in facts for row in ranked.reached[fact].facts})


def _contributions(
    index: FactView, ranked: Ranked, found: Sequence[tuple[str, int, float]], chunk: int
) -> Iterator[Contribution]:
    for name, row, value in found:
        way = _steps(index, ranked, ranked.reached[row])
        path = (*way, _stated(index, row, chunk))
        yield Contribution(name, index.description(row), value, path)


def _stated(index: FactView, fact: int, chunk: int) -> PathStep:
    """Step from a fact to a chunk that states it."""
    return PathStep(index.relations[fact], index.table.ids[chunk], "STATED_IN", index.description(fact), _ALL)


def _fact(index: FactView, ranked: Ranked, allowed: Flags, row: int, rank: int) -> FoundFact:
    reached = ranked.reached[row]
    return FoundFact(
        rank=rank,
        score=float(ranked.scores[row]),
        relation=index.relations[row],
        description=index.description(row),
        type=index.type(row),
        confidence=float(index.confidence[row]),
        weight=int(index.weight[row]),
        hop=len(reached.entities),
        participants=index.participants(row),
        statements=index.statements(row, allowed),
        path=tuple(_steps(index, ranked, reached)),
    )


def _steps(index: FactView, ranked: Ranked, reached: Reached) -> Iterator[PathStep]:
    """Steps from the question to a fact, over the facts and entities between them."""
    first = reached.facts[0]
    label = NAMED if first in ranked.named else SIMILAR
    yield PathStep("question", index.relations[first], "SEED", label, _ALL)
    for before, entity, after in zip(reached.facts, reached.entities, reached.facts[1:], strict=False):
        node = index.entities[entity]
        yield PathStep(index.relations[before], node, "PARTICIPATES_IN", index.name(entity), _ALL)
        yield PathStep(node, index.relations[after], "PARTICIPATES_IN", index.description(after), _ALL)


def _path(index: FactView, chunk: int, facts: Sequence[FoundFact]) -> tuple[PathStep, ...]:
    """Path over the best fact of a chunk; for a chunk without facts, by its own similarity."""
    node = index.table.ids[chunk]
    if not facts:
        return (PathStep("question", node, "SEED", SIMILAR, _ALL),)
    return (*facts[0].path, PathStep(facts[0].relation, node, "STATED_IN", facts[0].description, _ALL))
