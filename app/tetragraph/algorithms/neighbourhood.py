"""The part of an entity graph around a question: a walk on it costs the same however large the corpus is.

Source:
    design of the evidence walk, sections 2.4 and 9 ("local walk").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.evidence_walk import EntityGraph, Floats, Matrix, Transition, WalkOptions, top

Rows = NDArray[np.int64]
_ROW_BITS = 32


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a neighbourhood goes; its size, and so its cost, is bounded by these alone.

    Attributes:
        passages: An entity with more passages than this brings none of its own: those most similar to the question
            are there before, and the others share its mass outside.
        frontier: Passages from which one step goes on, those with the most mass.
    """

    passages: int = 32
    frontier: int = 64


@dataclass(frozen=True)
class _Part(EntityGraph):
    """Some passages and entities with all that connects them, counted as in the whole graph."""

    whole: EntityGraph
    rows: Rows
    entities: Rows

    @cached_property
    def information(self) -> Floats:
        """``(entities,)`` squared idf in the whole graph."""
        squared: Floats = self.whole.information[self.entities]
        return squared

    @cached_property
    def title_count(self) -> Floats:
        """``(passages,)`` number of entities that title a passage in the whole graph."""
        count: Floats = self.whole.title_count[self.rows]
        return count


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Some passages and entities of a corpus, numbered anew in the same order, with all that connects them.

    Attributes:
        graph: Of these passages and entities; idf and title counts are those of the whole corpus.
        rows: ``(passages,)`` rows in the corpus, ascending.
        entities: ``(entities,)`` numbers in the corpus, ascending.
        news_outside: ``(passages,)`` information of the entities outside that a passage mentions.
        mentioned_outside: ``(entities,)`` number of passages outside that mention the entity.
        titled_outside: ``(entities,)`` number of passages outside that the entity titles.
    """

    graph: EntityGraph
    rows: Rows
    entities: Rows
    news_outside: Floats
    mentioned_outside: Floats
    titled_outside: Floats

    @classmethod
    def between(cls, whole: EntityGraph, rows: Rows, entities: Rows) -> Self:
        """The part of a graph between some passages and some entities, both ascending and each once."""
        mentions, mentioned, news_outside = _between(whole.mentions, rows, entities, whole.information)
        titles, titled, _ = _between(whole.titles, rows, entities, whole.information)
        outside = (
            _sizes(matrix, entities).astype(np.float64) - np.diff(part.indptr)
            for matrix, part in ((whole.mentioned, mentioned), (whole.titled, titled))
        )
        part = _Part(mentions, mentioned, titles, titled, whole, rows, entities)
        return cls(part, rows, entities, news_outside, *outside)

    def transition(
        self, relevance: Floats, question_entities: Sequence[int], options: WalkOptions, pull_outside: float
    ) -> Transition:
        """The transition of a question in here; what leads outside is lost.

        Args:
            relevance: ``(passages,)`` z; ``-inf`` for passages that may not be reached.
            question_entities: The entities that the question names; all of them are in here.
            options: The constants.
            pull_outside: Mean of ``exp(sharpness z)`` over the corpus: a passage outside is taken for an average one.
        """
        inside = Transition.build(self.graph, relevance, question_entities, options)
        mentioned = pull_outside * self.mentioned_outside
        titled = options.title_weight * pull_outside * self.titled_outside
        return replace(
            inside,
            news_of=_plus(inside.news_of, self.news_outside),
            entity_pull=_plus(inside.entity_pull, mentioned + titled),
            mention_pull=_plus(inside.mention_pull, mentioned),
        )


def explore(
    whole: EntityGraph,
    rows: Rows,
    entities: Rows,
    mass: Callable[[Neighbourhood, int], Floats],
    reach: Reach,
    *,
    steps: int,
) -> Neighbourhood:
    """What a walk of some steps can reach, as far as it matters.

    Each step goes on from the passages with the most mass, over the entities that they mention or that title them,
    to the passages of these. With an unbounded reach the walk in the result is the walk in the whole graph.

    Args:
        whole: Graph of the corpus.
        rows: Passages to begin with, ascending: all that similarity seeds, and the most similar ones.
        entities: The question's, ascending.
        mass: Gives ``(passages,)`` mass in a neighbourhood after some steps, 0 to ``steps - 1``.
        reach: The bounds.
        steps: Of the walk.
    """
    here = Neighbourhood.between(whole, _each_once(rows, *_passages(whole, entities, reach.passages)), entities)
    for step in range(steps):
        masses = mass(here, step)
        frontier = top(masses, reach.frontier)
        frontier = here.rows[frontier[masses[frontier] > 0]]
        found = _each_once(here.entities, *(_items(matrix, frontier)[0] for matrix in (whole.mentions, whole.titles)))
        reached = _passages(whole, found, reach.passages)
        here = Neighbourhood.between(whole, _each_once(here.rows, *reached), found)
    return here


def _passages(whole: EntityGraph, entities: Rows, longest: int) -> list[Rows]:
    """The passages that some entities title, and those that mention them, apart from long lists."""
    matrices = (whole.titled, whole.mentioned)
    return [_items(matrix, entities[_sizes(matrix, entities) <= longest])[0] for matrix in matrices]


def _between(matrix: Matrix, rows: Rows, columns: Rows, weights: Floats) -> tuple[Matrix, Matrix, Floats]:
    """Some rows and columns of a matrix, its transpose, and for each row the weight of its ones in other columns."""
    found, counts = _items(matrix, rows)
    pairs = np.sort((found << _ROW_BITS) + np.repeat(np.arange(len(rows)), counts))
    starts, ends = np.searchsorted(pairs, columns << _ROW_BITS), np.searchsorted(pairs, (columns + 1) << _ROW_BITS)
    bounds = np.concatenate([[0], np.cumsum(ends - starts)])
    inside = _ranges(starts, ends - starts)
    owner = pairs & ((1 << _ROW_BITS) - 1)
    transposed: Matrix = sparse.csr_array(
        (np.ones(len(inside)), owner[inside], bounds), shape=(len(columns), len(rows))
    )
    is_outside = np.ones(len(pairs), dtype=bool)
    is_outside[inside] = False
    lost = np.bincount(owner[is_outside], weights[pairs[is_outside] >> _ROW_BITS], minlength=len(rows))
    return transposed.T.tocsr(), transposed, lost.astype(np.float64)


def _items(matrix: Matrix, rows: Rows) -> tuple[Rows, Rows]:
    """The columns of some rows' ones, row after row, and how many each row has."""
    counts = _sizes(matrix, rows)
    return matrix.indices[_ranges(matrix.indptr[rows].astype(np.int64), counts)].astype(np.int64), counts


def _ranges(starts: Rows, counts: Rows) -> Rows:
    """``starts[0], starts[0] + 1, …`` for each count, one range after the other."""
    ends = np.cumsum(counts)
    return np.repeat(starts - (ends - counts), counts) + np.arange(counts.sum())


def _each_once(*parts: Rows) -> Rows:
    """All numbers in the parts, ascending; many times quicker here than numpy's hash."""
    joined = np.sort(np.concatenate(parts))
    return joined[np.diff(joined, prepend=-1) > 0]


def _sizes(matrix: Matrix, rows: Rows) -> Rows:
    return (matrix.indptr[rows + 1] - matrix.indptr[rows]).astype(np.int64)


def _plus(total: Floats, more: Floats) -> Floats:
    """A normaliser with something added; infinite, as before, where both are nothing."""
    summed = np.where(np.isfinite(total), total, 0.0) + more
    return np.where(summed > 0, summed, np.inf)
