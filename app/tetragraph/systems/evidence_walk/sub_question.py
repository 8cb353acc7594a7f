"""One wording of a sub-question: the passages that answer it, and the entities that these give for an answer.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tetragraph.algorithms.chained_search import Bridge
from tetragraph.algorithms.evidence_walk import items, top
from tetragraph.arrays import Flags, Floats, Ints, Rows
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import ChainOptions
from tetragraph.systems.evidence_walk.similarity import Passages, TextSimilarity

_NAMED_LIMIT = 200
"""Passages of an entity that are looked at, those most like the sub-question."""


class SubQuestionSearch:
    """One wording of a sub-question, compared with a corpus.

    Args:
        index: Of the corpus, or of a part of it.
        passages: Its vectors.
        closeness: Of the passages with the wording.
        extra: ``(n,)`` what passages have beside that: keyword relevance, nearness to the question.
        named: Entities that the wording names; they are no answers to it.
        options: The constants.
    """

    def __init__(
        self,
        index: Index,
        passages: Passages,
        closeness: TextSimilarity,
        extra: Floats,
        named: frozenset[int],
        options: ChainOptions,
    ) -> None:
        self._index = index
        self._passages = passages
        self._closeness = closeness
        self._whole = closeness.whole / 2 + extra
        self._scores = self._whole + closeness.best / 2
        self._named = named
        self._options = options
        self._found: dict[tuple[int, ...], tuple[list[int], list[float]]] = {}
        self._offered: dict[int, tuple[Rows, Floats]] = {}

    def find(self, put_in: tuple[int, ...]) -> tuple[list[int], list[float]]:
        """The best passages, best first; those that name the entities put in are preferred."""
        if put_in not in self._found:
            rows, scores = self._best
            if put_in:
                known, matched = self._matched(put_in)
                is_new = ~np.isin(rows, known)
                others = scores[is_new] - self._options.stranger * len(put_in)
                rows, scores = np.concatenate([known, rows[is_new]]), np.concatenate([matched, others])
            order = np.lexsort((rows, -scores))[: self._wanted]
            order = order[np.isfinite(scores[order])]
            self._found[put_in] = rows[order].tolist(), scores[order].tolist()
        return self._found[put_in]

    @property
    def _wanted(self) -> int:
        """As many passages as a hypothesis tries, and some that it may have used before."""
        return 2 * self._options.beam.passages

    @cached_property
    def _best(self) -> tuple[Rows, Floats]:
        rows = top(self._scores, 2 * self._wanted)
        return rows, self._scores[rows]

    def _matched(self, put_in: tuple[int, ...]) -> tuple[Rows, Floats]:
        """Passages that name one of the entities: judged by the sentences that do."""
        graph, options = self._index.graph, self._options
        named = [items(matrix, entity) for entity in put_in for matrix in (graph.titled, graph.mentioned)]
        rows = np.unique(np.concatenate(named)).astype(np.int64)
        if len(rows) > _NAMED_LIMIT:
            rows = np.sort(rows[top(self._scores[rows], _NAMED_LIMIT)])
        best = np.full(len(rows), -np.inf)
        bonus = np.zeros(len(rows))
        for entity in put_in:
            titled, _ = _places(items(graph.titled, entity), rows)
            mentions, place = _places(items(graph.mentioned, entity), rows)
            pairs = graph.mention_places[graph.mentioned.indptr[entity] + place[mentions]]
            close = self._passages.best_of_mentions(self._closeness, pairs, rows[mentions])
            best[mentions] = np.maximum(best[mentions], close)
            best[titled] = np.maximum(best[titled], self._closeness.best[rows[titled]])
            bonus += np.where(titled, options.titled, np.where(mentions, 0.0, -options.stranger))
        return rows, self._whole[rows] + best / 2 + bonus

    def offer(self, row: int, put_in: tuple[int, ...]) -> Sequence[tuple[Bridge, float]]:
        """The entities that a passage gives for an answer, with the logarithm of their probability."""
        entities, scores = self._offers(row)
        for entity in put_in:
            kept = entities != entity
            entities, scores = entities[kept], scores[kept]
        if not entities.size:
            return [(None, 0.0)]
        best = np.argsort(-scores, kind="stable")[: self._options.bridges]
        highest = scores[best[0]]
        logs = scores[best] - highest - np.log(np.exp(scores - highest).sum())
        return list(zip(entities[best].tolist(), logs.tolist(), strict=True))

    def _offers(self, row: int) -> tuple[Rows, Floats]:
        """Entities that title a passage or stand in it, apart from those in the sub-question, and their scores."""
        if row not in self._offered:
            graph = self._index.graph
            start, end = graph.mentions.indptr[row : row + 2]
            titles = items(graph.titles, row)
            entities = np.concatenate([titles, items(graph.mentions, row)]).astype(np.int64)
            titled = np.full(len(titles), self._closeness.best[row])
            mentions = np.arange(start, end)
            named = self._passages.best_of_mentions(self._closeness, mentions, np.full(len(mentions), row))
            close = np.concatenate([titled, named])
            scores = self._options.bridge_sharpness * close + np.log(graph.information[entities]) / 2
            kept = [place for place, entity in enumerate(entities.tolist()) if entity not in self._named]
            self._offered[row] = entities[kept], scores[kept]
        return self._offered[row]


def _places(holders: Ints, rows: Rows) -> tuple[Flags, Rows]:
    """Whether each of some rows is among the holders, and where; both ascending."""
    place = np.searchsorted(holders, rows)
    place[place == len(holders)] = 0
    found = holders[place] == rows if len(holders) else np.zeros(len(rows), dtype=bool)
    return found, place
