"""The part of an entity graph around a question: a walk on it costs the same however large the corpus is.

Source:
    docs/evidence-walk.md, section 4 ("Local walk").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy import sparse

from tetragraph.algorithms.evidence_walk import EntityGraph, top
from tetragraph.arrays import CSR, Floats, Ints, Longs

_ROW_BITS = 32


@dataclass(frozen=True, slots=True)
class Reach:
    """Bounds of a neighbourhood: they alone limit its size, and so its cost.

    Attributes:
        passages: Largest number of chunks of an entity that adds its chunks. Of a more frequent entity the chunks most
            similar to the question are present already, and its other chunks get their share of mass as outside ones.
        frontier: Largest number of chunks that a step expands, those with the most mass.
        sample: Number of chunks, evenly spaced in the corpus, that represent all chunks outside.
    """

    passages: int = 32
    frontier: int = 64
    sample: int = 128


@dataclass(frozen=True)
class Neighbourhood(EntityGraph):
    """Subgraph of some chunks and entities of a corpus, renumbered in the same order, with all edges between them.

    Idf and title counts are those of the corpus. Mass that flows outside is lost.

    Attributes:
        whole: Graph of the corpus.
        rows: ``(chunks,)`` rows in the corpus, ascending.
        entities: ``(entities,)`` numbers in the corpus, ascending.
        news_outside: ``(chunks,)`` information of the entities outside that a chunk mentions.
        sample: Indices of the chunks that represent those outside, whose pull is taken as the mean pull of the sample.
    """

    whole: EntityGraph
    rows: Longs
    entities: Longs
    news_outside: Floats
    sample: Longs

    @classmethod
    def between(cls, whole: EntityGraph, rows: Longs, entities: Longs, sample: Longs) -> Self:
        """Return the subgraph of some chunks, which include the sample, and some entities; all ascending."""
        mentions, mentioned, news_outside = _between(whole.mentions, rows, entities, whole.information)
        titles, titled, _ = _between(whole.titles, rows, entities, whole.information)
        places = np.searchsorted(rows, sample)
        return cls(mentions, mentioned, titles, titled, whole, rows, entities, news_outside, places)

    @classmethod
    def of(cls, whole: EntityGraph, rows: Longs, entities: Longs) -> Self:
        """Return the subgraph of some chunks, some entities, and all entities that these chunks mention or describe."""
        rows = each_once(rows)
        named = (_items(matrix, rows)[0] for matrix in (whole.mentions, whole.titles))
        return cls.between(whole, rows, each_once(entities, *named), np.zeros(0, dtype=np.int64))

    @cached_property
    def information(self) -> Floats:
        """``(entities,)`` squared idf in the corpus."""
        squared: Floats = self.whole.information[self.entities]
        return squared

    @cached_property
    def title_count(self) -> Floats:
        """``(chunks,)`` number of entities that title a chunk in the corpus."""
        count: Floats = self.whole.title_count[self.rows]
        return count

    @property
    def mentions_in_whole(self) -> Longs:
        """``(mentions,)`` index in the data of the corpus' ``mentions`` for each entry of ``mentions``."""
        places = _places(self.whole.mentions, self.rows)[0]
        return places[np.isin(self.whole.mentions.indices[places], self.entities)]

    def outside(self, pull: Floats) -> tuple[Floats, Floats, Floats]:
        average = float(pull[self.sample].mean()) if self.sample.size else 0.0
        mentioned = _sizes(self.whole.mentioned, self.entities) - np.diff(self.mentioned.indptr)
        titled = _sizes(self.whole.titled, self.entities) - np.diff(self.titled.indptr)
        return self.news_outside, average * mentioned.astype(np.float64), average * titled.astype(np.float64)


def explore(
    whole: EntityGraph,
    rows: Longs,
    entities: Longs,
    mass: Callable[[Neighbourhood, int], Floats],
    reach: Reach,
    *,
    steps: int,
) -> Neighbourhood:
    """Collect the part of the graph that a walk can reach, within the bounds of ``reach``.

    Each step expands the chunks with the most mass: to the entities that they mention or that title them, and to the
    chunks of these entities. With unbounded reach the walk in the result equals the walk in the whole graph.

    Args:
        whole: Graph of the corpus.
        rows: Initial chunks: all seeds by similarity, and the most similar ones.
        entities: Entities of the question, ascending.
        mass: Returns the ``(chunks,)`` mass in a neighbourhood after some steps, 0 to ``steps - 1``.
        reach: Bounds of the neighbourhood.
        steps: Number of steps of the walk.
    """
    passages = whole.mentions.shape[0]
    sample = each_once(np.linspace(0, passages - 1, min(passages, reach.sample)).astype(np.int64))
    rows = each_once(rows, sample, *_passages(whole, entities, reach.passages))
    here = Neighbourhood.between(whole, rows, entities, sample)
    for step in range(steps):
        masses = mass(here, step)
        frontier = top(masses, reach.frontier)
        frontier = here.rows[frontier[masses[frontier] > 0]]
        entities = each_once(entities, *(_items(matrix, frontier)[0] for matrix in (whole.mentions, whole.titles)))
        rows = each_once(rows, *_passages(whole, entities, reach.passages))
        here = Neighbourhood.between(whole, rows, entities, sample)
    return here


def _passages(whole: EntityGraph, entities: Longs, longest: int) -> list[Longs]:
    """Return the chunks titled by some entities, and those that mention them; lists above ``longest`` are left out."""
    matrices = (whole.titled, whole.mentioned)
    return [_items(matrix, entities[_sizes(matrix, entities) <= longest])[0] for matrix in matrices]


def _between(matrix: CSR, rows: Longs, columns: Longs, weights: Floats) -> tuple[CSR, CSR, Floats]:
    """Select rows and columns; returns the part, its transpose, and for each row the weight in other columns."""
    found, counts = _items(matrix, rows)
    pairs = np.sort((found << _ROW_BITS) + np.repeat(np.arange(len(rows)), counts))
    starts, ends = np.searchsorted(pairs, columns << _ROW_BITS), np.searchsorted(pairs, (columns + 1) << _ROW_BITS)
    bounds = np.concatenate([[0], np.cumsum(ends - starts)])
    inside = ranges(starts, ends - starts)
    owner = pairs & ((1 << _ROW_BITS) - 1)
    transposed: CSR = sparse.csr_array((np.ones(len(inside)), owner[inside], bounds), shape=(len(columns), len(rows)))
    is_outside = np.ones(len(pairs), dtype=bool)
    is_outside[inside] = False
    lost = np.bincount(owner[is_outside], weights[pairs[is_outside] >> _ROW_BITS], minlength=len(rows))
    return transposed.T.tocsr(), transposed, lost.astype(np.float64)


def _items(matrix: CSR, rows: Longs) -> tuple[Longs, Longs]:
    """Return the columns of the nonzero entries of some rows, row after row, and their number per row."""
    places, counts = _places(matrix, rows)
    return matrix.indices[places].astype(np.int64), counts


def _places(matrix: CSR, rows: Longs) -> tuple[Longs, Longs]:
    """Return the data indices of the nonzero entries of some rows, row after row, and their number per row."""
    counts = _sizes(matrix, rows)
    return ranges(matrix.indptr[rows].astype(np.int64), counts), counts


def ranges(starts: Longs, counts: Longs) -> Longs:
    """Concatenate the ranges ``start, start + 1, …`` of the given lengths."""
    ends = np.cumsum(counts)
    return np.repeat(starts - (ends - counts), counts) + np.arange(counts.sum())


def each_once(*parts: Ints | Longs) -> Longs:
    """Return the distinct numbers, 0 or above, of all parts, ascending; many times faster here than ``np.unique``."""
    joined = np.sort(np.concatenate(parts))
    return joined[np.diff(joined, prepend=-1) > 0]


def _sizes(matrix: CSR, rows: Longs) -> Longs:
    return (matrix.indptr[rows + 1] - matrix.indptr[rows]).astype(np.int64)
