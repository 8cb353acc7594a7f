"""Search for one text of a sub-question: the chunks that answer it, and the entities that these offer as answers.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tetragraph.algorithms.chained_search import Bridge
from tetragraph.algorithms.evidence_walk import items, top
from tetragraph.algorithms.neighbourhood import each_once
from tetragraph.arrays import Flags, Floats, Ints, Rows
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import ChainOptions
from tetragraph.systems.evidence_walk.similarity import Passages, TextSimilarity

_NAMED_LIMIT = 200
"""Limit of chunks of the required entities that are compared, the most similar to the sub-question."""


class SubQuestionSearch:
    """Search for one text of a sub-question.

    Args:
        index: Index of the corpus, or of a part of it.
        passages: Vectors of the index.
        similarities: Similarity of the chunks with the text.
        extra: ``(n,)`` additional score of the chunks: keyword relevance and mass of the walk.
        named: Entities that the text names; they are no answers to it.
        options: Constants of the chain.
    """

    def __init__(
        self,
        index: Index,
        passages: Passages,
        similarities: TextSimilarity,
        extra: Floats,
        named: frozenset[int],
        options: ChainOptions,
    ) -> None:
        self._index = index
        self._passages = passages
        self._similarities = similarities
        self._whole = similarities.whole / 2 + extra
        self._scores = self._whole + similarities.best / 2
        self._named = named
        self._options = options
        self._found: dict[tuple[int, ...], tuple[list[int], list[float]]] = {}
        self._offered: dict[int, tuple[Rows, Floats]] = {}

    def find(self, required: tuple[int, ...]) -> tuple[list[int], list[float]]:
        """Rows and scores of the best chunks, best first; those that name the required entities are preferred."""
        if required not in self._found:
            rows, scores = self._best
            if required:
                known, matched = self._compare_named(required)
                is_new = ~_find_rows(known, rows)[0]
                others = scores[is_new] - self._options.stranger * len(required)
                rows, scores = np.concatenate([known, rows[is_new]]), np.concatenate([matched, others])
            order = np.lexsort((rows, -scores))[: self._wanted]
            order = order[np.isfinite(scores[order])]
            self._found[required] = rows[order].tolist(), scores[order].tolist()
        return self._found[required]

    @property
    def _wanted(self) -> int:
        """Number of chunks: those that a hypothesis tries, and as many that it may have used before."""
        return 2 * self._options.beam.passages

    @cached_property
    def _best(self) -> tuple[Rows, Floats]:
        rows = top(self._scores, 2 * self._wanted)
        return rows, self._scores[rows]

    def _compare_named(self, required: tuple[int, ...]) -> tuple[Rows, Floats]:
        """Chunks that name one of the required entities, scored by the sentences that do."""
        graph, options = self._index.graph, self._options
        named = [items(matrix, entity) for entity in required for matrix in (graph.titled, graph.mentioned)]
        rows = each_once(*named).astype(np.int64)
        if len(rows) > _NAMED_LIMIT:
            rows = np.sort(rows[top(self._scores[rows], _NAMED_LIMIT)])
        best = np.full(len(rows), -np.inf)
        bonus = np.zeros(len(rows))
        for entity in required:
            titled, _ = _find_rows(items(graph.titled, entity), rows)
            mentions, place = _find_rows(items(graph.mentioned, entity), rows)
            pairs = graph.mention_places[graph.mentioned.indptr[entity] + place[mentions]]
            close = self._passages.best_of_mentions(self._similarities, pairs, rows[mentions])
            best[mentions] = np.maximum(best[mentions], close)
            best[titled] = np.maximum(best[titled], self._similarities.best[rows[titled]])
            bonus += np.where(titled, options.titled, np.where(mentions, 0.0, -options.stranger))
        return rows, self._whole[rows] + best / 2 + bonus

    def offer(self, row: int, required: tuple[int, ...]) -> Sequence[tuple[Bridge, float]]:
        """The entities that a chunk offers as answers, with the logarithm of their probability."""
        entities, scores = self._score_entities(row)
        for entity in required:
            is_other = entities != entity
            entities, scores = entities[is_other], scores[is_other]
        if not entities.size:
            return [(None, 0.0)]
        best = np.argsort(-scores, kind="stable")[: self._options.bridges]
        highest = scores[best[0]]
        logs = scores[best] - highest - np.log(np.exp(scores - highest).sum())
        return list(zip(entities[best].tolist(), logs.tolist(), strict=True))

    def _score_entities(self, row: int) -> tuple[Rows, Floats]:
        """Entities in title or text of a chunk, without those in the sub-question, and their scores."""
        if row not in self._offered:
            graph = self._index.graph
            start, end = graph.mentions.indptr[row : row + 2]
            titles = items(graph.titles, row)
            entities = np.concatenate([titles, items(graph.mentions, row)]).astype(np.int64)
            titled = np.full(len(titles), self._similarities.best[row])
            mentions = np.arange(start, end)
            named = self._passages.best_of_mentions(self._similarities, mentions, np.full(len(mentions), row))
            close = np.concatenate([titled, named])
            scores = self._options.bridge_sharpness * close + np.log(graph.information[entities]) / 2
            places = [place for place, entity in enumerate(entities.tolist()) if entity not in self._named]
            self._offered[row] = entities[places], scores[places]
        return self._offered[row]


def _find_rows(holders: Ints | Rows, rows: Rows) -> tuple[Flags, Rows]:
    """Whether each row is among the holders, and its place there; both are ascending."""
    place = np.searchsorted(holders, rows)
    place[place == len(holders)] = 0
    found: Flags = holders[place] == rows if len(holders) else np.zeros(len(rows), dtype=bool)
    return found, place
