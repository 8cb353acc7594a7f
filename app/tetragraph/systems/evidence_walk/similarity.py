"""How close passages, their sentences and what these mention are to a text: a question, or a part of one.

Source:
    docs/evidence-walk.md, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import top
from tetragraph.algorithms.neighbourhood import ranges
from tetragraph.arrays import Floats, Ints, Longs, Rows, Vectors


@dataclass(frozen=True)
class Passages:
    """Vectors of passages and, where the corpus keeps them, of their sentences.

    Attributes:
        vectors: ``(n, dimension)`` of the passages.
        sentences: ``(sentences, dimension)``; no rows where the corpus keeps none.
        bounds: ``(n + 1,)`` where each passage's sentences begin.
        mention_bounds: ``(mentions + 1,)`` where each mention's sentences begin in ``mention_sentences``.
        mention_sentences: Rows of the sentences that a mention stands in.
        scale: Factor on every cosine (see :func:`tetragraph.algorithms.similarity_scale.similarity_scale`).
    """

    vectors: Vectors
    sentences: Vectors
    bounds: Longs
    mention_bounds: Longs
    mention_sentences: Ints
    scale: float

    @property
    def has_sentences(self) -> bool:
        """Whether there are vectors of sentences to compare."""
        return len(self.sentences) > 0

    def without_sentences(self) -> Passages:
        """The same as if the corpus kept no vectors of sentences."""
        return replace(self, sentences=self.sentences[:0])

    @cached_property
    def _owner(self) -> Longs:
        """``(sentences,)`` the passage of each."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def compare(self, vector: Vectors, most: int) -> TextSimilarity:
        """Scaled cosines of passages and sentences with a text.

        Args:
            vector: ``(dimension,)`` of length 1.
            most: How many passages are compared sentence by sentence: the closest ones. A sentence of another one
                counts as close as its passage.
        """
        whole = self.compare_passages(vector)
        if not self.has_sentences:
            return TextSimilarity(whole, whole, np.zeros(0))
        closest = top(whole, most)
        starts, counts = self.bounds[closest], self.bounds[closest + 1] - self.bounds[closest]
        rows = ranges(starts, counts)
        sentences = whole[self._owner]
        sentences[rows] = self.scale * dot_products(self.sentences[rows], vector)
        best = whole.copy()
        has_any = counts > 0
        best[closest[has_any]] = _highest(sentences[rows], counts[has_any])
        return TextSimilarity(whole, best, sentences)

    def compare_passages(self, vector: Vectors) -> Floats:
        """``(n,)`` scaled cosines of the passages alone."""
        cosines: Floats = dot_products(self.vectors, vector).astype(np.float64)
        return self.scale * cosines

    def best_of_mentions(self, closeness: TextSimilarity, mentions: Rows, rows: Rows) -> Floats:
        """``(mentions,)`` how close the closest sentence with a mention is, or its passage where no sentence is known.

        Args:
            closeness: Of this corpus with a text.
            mentions: Their numbers in ``graph.mentions``.
            rows: Their passages.
        """
        if not self.has_sentences or not len(mentions):
            return closeness.whole[rows]
        starts = self.mention_bounds[mentions].astype(np.int64)
        counts = self.mention_bounds[mentions + 1] - starts
        return _highest(closeness.sentences[self.mention_sentences[ranges(starts, counts)]], counts)

    def best_of_all_mentions(self, closeness: TextSimilarity) -> Floats:
        """``(mentions,)`` the same of every mention."""
        return _highest(closeness.sentences[self.mention_sentences], np.diff(self.mention_bounds))


@dataclass(frozen=True, slots=True)
class TextSimilarity:
    """Scaled cosines with one text.

    Attributes:
        whole: ``(n,)`` of the passages as wholes.
        best: ``(n,)`` of the closest sentence of each; of the whole where no sentence is known.
        sentences: ``(sentences,)`` of all sentences.
    """

    whole: Floats
    best: Floats
    sentences: Floats

    @property
    def similarity(self) -> Floats:
        """``(n,)`` ``d = (cos(q, p) + max over sentences cos(q, s)) / 2``, scaled."""
        return (self.whole + self.best) / 2


def _highest(values: Floats, counts: Rows) -> Floats:
    """The highest of so many values each, one group after the other; no group is empty."""
    return np.maximum.reduceat(values, np.cumsum(counts) - counts)
