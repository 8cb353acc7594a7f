"""A walk between passages and the entities they mention and describe, bent towards a question.

Source:
    design of the evidence walk, sections 2.2 to 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Matrix = sparse.csr_array[np.float64, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """Constants of seeds and walk, chosen on training questions; the optimum is flat.

    Attributes:
        seeds: Passages that similarity seeds.
        seed_sharpness: Slope of the softmax over their similarities.
        entity_share: Share of the seeds that entities and names of the question get, where it has any.
        title_weight: Weight of a passage that an entity titles, relative to one that mentions it.
        sharpness: How strongly mass prefers passages similar to the question: ``exp(sharpness z)``.
        question_damping: Weight of an entity that the question itself names: it brings no news.
        reverse_share: Share of a passage's mass that goes to the passages that mention its own title.
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


@dataclass(frozen=True)
class EntityGraph:
    """Which passages mention and which describe an entity, in both orders.

    Attributes:
        mentions: ``(passages, entities)`` ones; what a passage's own title names is left out.
        mentioned: ``(entities, passages)``, its transpose.
        titles: ``(passages, entities)`` ones where the passage's title names the entity.
        titled: ``(entities, passages)``, its transpose.
    """

    mentions: Matrix
    mentioned: Matrix
    titles: Matrix
    titled: Matrix

    @cached_property
    def information(self) -> Floats:
        """``(entities,)`` squared ``idf(e) = log(1 + N / max(df(e), |T(e)|, 1))``."""
        most = np.maximum(np.maximum(np.diff(self.mentioned.indptr), np.diff(self.titled.indptr)), 1)
        squared: Floats = np.log1p(self.mentions.shape[0] / most) ** 2
        return squared


@dataclass(frozen=True, slots=True)
class Transition:
    """One question's view of the graph: where mass goes from each passage.

    ``P(p|e) ∝ title_weight ez(p)`` for passages titled ``e``, ``ez(p)`` for those that mention it;
    ``F(e|p) ∝ idf(e)²``, damped for entities of the question, summing to ``1 - reverse_share``;
    ``reverse_share`` of p's mass goes to the passages that mention p's own titles, in proportion to ``ez``.

    Attributes:
        pull: ``(passages,)`` ``ez = exp(sharpness z)``, 0 for passages that may not be reached.
        news: ``(entities,)`` ``idf²``, damped for entities of the question.
        news_of: ``(passages,)`` its sum over what a passage mentions.
        entity_pull: ``(entities,)`` normaliser of ``P(p|e)``.
        mention_pull: ``(entities,)`` sum of ``ez`` over the passages that mention the entity.
    """

    graph: EntityGraph
    options: WalkOptions
    pull: Floats
    news: Floats
    news_of: Floats
    entity_pull: Floats
    mention_pull: Floats

    @classmethod
    def build(
        cls, graph: EntityGraph, relevance: Floats, question_entities: Sequence[int], options: WalkOptions
    ) -> Self:
        """The transition of a question.

        Args:
            relevance: ``(passages,)`` z; ``-inf`` for passages that may not be reached.
            question_entities: The entities that the question names.
        """
        pull = np.exp(options.sharpness * relevance)
        news = graph.information.copy()
        news[list(question_entities)] *= options.question_damping
        mention_pull = graph.mentioned @ pull
        entity_pull = options.title_weight * (graph.titled @ pull) + mention_pull
        return cls(graph, options, pull, news, graph.mentions @ news, entity_pull, mention_pull)

    def leaving(self, mass: Floats) -> Floats:
        """``(entities,)`` mass that passages hand to the entities they mention."""
        given: Floats = self.news * (self.graph.mentioned @ self.mention_rate(mass))
        return given

    def mention_rate(self, mass: Floats) -> Floats:
        """``(passages,)`` what a passage hands to an entity it mentions, for each unit of news."""
        return ratio((1 - self.options.reverse_share) * mass, self.news_of)

    def title_rate(self, mass: Floats) -> Floats:
        """``(passages,)`` what a passage hands to each entity that titles it."""
        return ratio(self.options.reverse_share * mass, np.diff(self.graph.titles.indptr).astype(float))

    def returning(self, mass: Floats) -> Floats:
        """``(entities,)`` mass that passages hand to the entities that title them, for those who mention these."""
        returned: Floats = self.graph.titled @ self.title_rate(mass)
        return returned

    def arriving(self, given: Floats, returned: Floats) -> Floats:
        """``(passages,)`` mass that entities hand on: what was given to all, what was returned to those that mention."""
        each = ratio(given, self.entity_pull)
        spread = self.graph.mentions @ (each + ratio(returned, self.mention_pull))
        arrived: Floats = self.pull * (self.options.title_weight * (self.graph.titles @ each) + spread)
        return arrived

    def step(self, base: Floats, mass: Floats) -> Floats:
        """``restart base + (1 - restart) (P F mass + reverse(mass))``; mass without a way out is dropped."""
        arrived = self.arriving(self.leaving(mass), self.returning(mass))
        stepped: Floats = self.options.restart * base + (1 - self.options.restart) * arrived
        return stepped


def similarity_seeds(relevance: Floats, options: WalkOptions) -> Floats:
    """Softmax of ``seed_sharpness z`` over the most relevant passages; ties go to the smaller row.

    Args:
        relevance: ``(passages,)`` z; ``-inf`` for passages that may not be seeds.

    Returns:
        ``(passages,)``, summing to 1, or all 0 when no passage may be a seed.
    """
    seeds = np.zeros(len(relevance))
    best = top(relevance, options.seeds)
    best = best[np.isfinite(relevance[best])]
    if best.size:
        weights = np.exp(options.seed_sharpness * (relevance[best] - relevance[best[0]]))
        seeds[best] = weights / weights.sum()
    return seeds


def walk(transition: Transition, base: Floats) -> list[Floats]:
    """Mass after every step, the seeds first: ``options.steps + 1`` arrays of ``(passages,)``."""
    masses = [base]
    for _ in range(transition.options.steps):
        masses.append(transition.step(base, masses[-1]))
    return masses


def top(scores: Floats, count: int) -> NDArray[np.int64]:
    """Rows of the ``count`` highest scores, best first, equal ones by row."""
    if 0 < count < len(scores):
        bar = np.partition(scores, len(scores) - count)[len(scores) - count]
        rows = np.flatnonzero(scores >= bar)
    else:
        rows = np.arange(len(scores))
    return rows[np.argsort(-scores[rows], kind="stable")][:count]


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
