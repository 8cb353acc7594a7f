"""A walk between chunks and the entities they mention and describe, biased towards a question.

Source:
    docs/evidence-walk.md, sections 1, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy import sparse

from tetragraph.arrays import CSR, Floats, Ints, Longs


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """Constants of seeds and walk, tuned on training questions; results are insensitive to small changes.

    Attributes:
        seeds: Number of chunks seeded by similarity.
        seed_sharpness: Slope of the softmax over their similarities.
        entity_share: Share of the seeds for entities and names of the question, if it has any.
        title_weight: Weight of a chunk that an entity titles, relative to one that mentions it.
        sharpness: How strongly mass prefers chunks similar to the question: ``exp(sharpness z)``.
        question_damping: Factor for an entity that the question names, as it adds no new information.
        reverse_share: Share of a chunk's mass that goes to the chunks that mention its own title.
        restart: Share of the seeds in every step.
        steps: Number of steps.
    """

    seeds: int = 10
    seed_sharpness: float = 30.0
    entity_share: float = 0.5
    title_weight: float = 20.0
    sharpness: float = 8.0
    question_damping: float = 0.1
    reverse_share: float = 0.1
    restart: float = 0.2
    steps: int = 2


def squared_idf(chunks: int, df: Longs | Ints, titles: Longs | Ints) -> Floats:
    """``(entities,)`` squared ``idf(e) = log(1 + N / max(df(e), |T(e)|, 1))``.

    Args:
        chunks: N, the number of chunks of the corpus.
        df: ``(entities,)`` number of chunks that mention each entity.
        titles: ``(entities,)`` number of chunks that it titles.
    """
    squared: Floats = np.log1p(chunks / np.maximum(np.maximum(df, titles), 1)) ** 2
    return squared


@dataclass(frozen=True)
class EntityGraph:
    """Incidence matrices of the chunks that mention or describe an entity, in both orders.

    Attributes:
        mentions: ``(chunks, entities)`` ones; entities that the chunk's own title names are left out.
        mentioned: ``(entities, chunks)``, its transpose.
        titles: ``(chunks, entities)`` ones where the chunk's title names the entity.
        titled: ``(entities, chunks)``, its transpose.
    """

    mentions: CSR
    mentioned: CSR
    titles: CSR
    titled: CSR

    @cached_property
    def information(self) -> Floats:
        """``(entities,)`` squared idf."""
        return squared_idf(self.mentions.shape[0], np.diff(self.mentioned.indptr), np.diff(self.titled.indptr))

    @cached_property
    def mention_places(self) -> Longs:
        """``(mentions,)`` index in the data of ``mentions`` for each entry of ``mentioned``."""
        numbered = sparse.csr_array(
            (np.arange(self.mentions.nnz, dtype=np.float64), self.mentions.indices, self.mentions.indptr),
            shape=self.mentions.shape,
        )
        return numbered.T.tocsr().data.astype(np.int64)

    def weighted(self, weights: Floats) -> tuple[CSR, CSR]:
        """Return ``mentions`` and ``mentioned`` with weights in place of ones.

        Args:
            weights: ``(mentions,)`` weights in the order of ``mentions``.
        """
        mentions, mentioned = self.mentions, self.mentioned
        return (
            sparse.csr_array((weights, mentions.indices, mentions.indptr), shape=mentions.shape),
            sparse.csr_array(
                (weights[self.mention_places], mentioned.indices, mentioned.indptr), shape=mentioned.shape
            ),
        )

    @cached_property
    def title_count(self) -> Floats:
        """``(chunks,)`` number of entities that title a chunk; infinite where there is none."""
        count = np.diff(self.titles.indptr).astype(np.float64)
        return np.where(count > 0, count, np.inf)

    def outside(self, pull: Floats) -> tuple[Floats | float, Floats | float, Floats | float]:
        """Estimate the sums over chunks and entities outside this graph; 0 for the graph of a whole corpus.

        Args:
            pull: ``(chunks,)`` ``ez`` of the chunks in the graph.

        Returns:
            ``(chunks,)`` information of the entities mentioned, and ``(entities,)`` ``ez`` summed over the chunks
            that mention the entity, and over those that it titles.
        """
        del pull
        return 0.0, 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Transition:
    """Transition probabilities of the walk for one question.

    ``P(p|e) ∝ title_weight ez(p)`` for chunks titled ``e``, ``ez(p)`` for those that mention it;
    ``F(e|p) ∝ bond(p, e) idf(e)²``, damped for entities of the question, summing to ``1 - reverse_share``;
    ``reverse_share`` of p's mass goes to the chunks that mention p's own titles, in proportion to ``ez``.

    Attributes:
        bonds: ``(chunks, entities)`` relevance to the question of the text about an entity in a chunk.
        bonded: ``(entities, chunks)``, its transpose.
        pull: ``(chunks,)`` ``ez = exp(sharpness z)``, 0 for chunks that may not be reached.
        news: ``(entities,)`` ``idf²``, damped for entities of the question.
        news_of: ``(chunks,)`` sum of ``news`` over the entities a chunk mentions; infinite where it mentions none.
        entity_pull: ``(entities,)`` normaliser of ``P(p|e)``; infinite where no chunk of it may be reached.
        mention_pull: ``(entities,)`` sum of ``ez`` over the chunks that mention the entity; infinite where none
            may be reached.
    """

    graph: EntityGraph
    options: WalkOptions
    bonds: CSR
    bonded: CSR
    pull: Floats
    news: Floats
    news_of: Floats
    entity_pull: Floats
    mention_pull: Floats

    @classmethod
    def build(
        cls,
        graph: EntityGraph,
        relevance: Floats,
        question_entities: Sequence[int],
        options: WalkOptions,
        bonds: Floats | None = None,
    ) -> Self:
        """Compute the transition probabilities for a question.

        Args:
            graph: Graph of the corpus.
            relevance: ``(chunks,)`` z; ``-inf`` for chunks that may not be reached.
            question_entities: Entities that the question names.
            options: Constants of the walk.
            bonds: ``(mentions,)`` weights above 0, in the order of ``graph.mentions``; all equal by default.
        """
        pull = np.exp(options.sharpness * relevance)
        news = graph.information.copy()
        news[list(question_entities)] *= options.question_damping
        news_outside, mentioned_outside, titled_outside = graph.outside(pull)
        mention_pull = _times(graph.mentioned, pull) + mentioned_outside
        entity_pull = options.title_weight * (_times(graph.titled, pull) + titled_outside) + mention_pull
        bond_matrix, bonded = (graph.mentions, graph.mentioned) if bonds is None else graph.weighted(bonds)
        bond_outside = bond_matrix.data.mean() if bond_matrix.nnz else 1.0
        totals = (_times(bond_matrix, news) + bond_outside * news_outside, entity_pull, mention_pull)
        ends = (np.where(total > 0, total, np.inf) for total in totals)
        return cls(graph, options, bond_matrix, bonded, pull, news, *ends)

    def given(self, mass: Floats) -> Floats:
        """``(entities,)`` mass that flows from chunks to the entities they mention."""
        return self.news * _times(self.bonded, self.mention_rate(mass))

    def returned(self, mass: Floats) -> Floats:
        """``(entities,)`` mass that flows from chunks to their title entities, for the chunks that mention these."""
        return _times(self.graph.titled, self.title_rate(mass))

    def mention_rate(self, mass: Floats) -> Floats:
        """``(chunks,)`` mass that flows from a chunk to an entity it mentions, per unit of news and of bond."""
        return (1 - self.options.reverse_share) * mass / self.news_of

    def title_rate(self, mass: Floats) -> Floats:
        """``(chunks,)`` mass that flows from a chunk to each of its title entities."""
        return self.options.reverse_share * mass / self.graph.title_count

    def arriving(self, given: Floats, returned: Floats) -> Floats:
        """Return the ``(chunks,)`` mass that arrives from entities.

        ``given`` flows to all chunks of an entity, ``returned`` only to those that mention it.
        """
        each = given / self.entity_pull
        spread = _times(self.graph.mentions, each + returned / self.mention_pull)
        return self.pull * (self.options.title_weight * _times(self.graph.titles, each) + spread)

    def spread(self, entities: Sequence[int], amounts: Floats) -> Floats:
        """``(chunks,)`` ``sum amount(e) P(p|e)`` over a few entities; 0 for an entity without reachable chunks."""
        mass = np.zeros(len(self.pull))
        for entity, amount in zip(entities, amounts.tolist(), strict=True):
            unit = amount / float(self.entity_pull[entity])
            for matrix, weight in ((self.graph.titled, self.options.title_weight), (self.graph.mentioned, 1.0)):
                rows = items(matrix, entity)
                mass[rows] += unit * weight * self.pull[rows]
        return mass


def similarity_seeds(relevance: Floats, options: WalkOptions) -> Floats:
    """Softmax of ``seed_sharpness z`` over the most relevant chunks; ties go to the smaller row.

    Args:
        relevance: ``(chunks,)`` z; ``-inf`` for chunks that may not be seeds.
        options: The constants.

    Returns:
        ``(chunks,)`` seed weights summing to 1, or all 0 when no chunk may be a seed.
    """
    seeds = np.zeros(len(relevance))
    best = top(relevance, options.seeds)
    best = best[np.isfinite(relevance[best])]
    if best.size:
        weights = np.exp(options.seed_sharpness * (relevance[best] - relevance[best[0]]))
        seeds[best] = weights / weights.sum()
    return seeds


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a walk.

    Attributes:
        before: ``(chunks,)`` mass before the step.
        given: ``(entities,)`` mass passed from chunks to the entities they mention.
        returned: ``(entities,)`` mass passed from chunks to their title entities.
        after: ``(chunks,)`` mass after the step.
    """

    before: Floats
    given: Floats
    returned: Floats
    after: Floats


def walk(transition: Transition, base: Floats) -> list[Step]:
    """Compute the steps of ``x = restart base + (1 - restart) (P F x + reverse(x))`` from ``x = base``.

    Mass of chunks without outgoing transitions is dropped.
    """
    options = transition.options
    steps: list[Step] = []
    mass = base
    for _ in range(options.steps):
        given, returned = transition.given(mass), transition.returned(mass)
        after = options.restart * base + (1 - options.restart) * transition.arriving(given, returned)
        steps.append(Step(mass, given, returned, after))
        mass = after
    return steps


def top(scores: Floats, count: int) -> Longs:
    """Return the rows of the ``count`` highest scores, best first; ties are broken by row."""
    if count <= 0 or count >= len(scores):
        rows = np.arange(len(scores) if count > 0 else 0)
    else:
        rows = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    return rows[np.argsort(-scores[rows], kind="stable")][:count]


def items(matrix: CSR, row: int) -> Ints:
    """Return the columns of the nonzero entries of a row, ascending."""
    columns: Ints = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return columns


def _times(matrix: CSR, vector: Floats) -> Floats:
    product: Floats = np.asarray(matrix @ vector)
    return product
