"""Similarity of chunks, their sentences and their mentions with a text: a question or a part of one.

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
    """Vectors of chunks and, if the corpus stores them, of their sentences.

    Attributes:
        vectors: ``(n, dimension)`` vectors of the chunks.
        sentences: ``(sentences, dimension)`` vectors of the sentences; no rows if the corpus stores none.
        bounds: ``(n + 1,)`` first sentence of each chunk, and the number of sentences.
        mention_bounds: ``(mentions + 1,)`` start of the sentences of each mention in ``mention_sentences``.
        mention_sentences: Rows of the sentences that contain a mention.
        scale: Factor on every cosine (see :func:`tetragraph.algorithms.similarity_scale.similarity_scale`).
        sentence_rows: Row in ``sentences`` of each sentence of these chunks; None if they are all, in order.
    """

    vectors: Vectors
    sentences: Vectors
    bounds: Longs
    mention_bounds: Longs
    mention_sentences: Ints
    scale: float
    sentence_rows: Longs | None = None

    @property
    def has_sentences(self) -> bool:
        """Whether there are vectors of sentences."""
        return len(self.sentences) > 0

    def vectors_of(self, rows: Rows) -> Vectors:
        """``(rows, dimension)`` vectors of some chunks."""
        return self.vectors[rows]

    def without_sentences(self) -> Passages:
        """The vectors of the chunks alone."""
        return replace(self, sentences=self.sentences[:0])

    @cached_property
    def _owner(self) -> Longs:
        """``(sentences,)`` chunk of each sentence."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def compare(self, vector: Vectors, most: int) -> TextSimilarity:
        """Scaled cosines of chunks and sentences with a text.

        Args:
            vector: ``(dimension,)`` vector of the text, of length 1.
            most: Number of chunks that are compared sentence by sentence, the most similar ones. A sentence of any
                other chunk has the cosine of its chunk.
        """
        whole = self.compare_passages(vector)
        if not self.has_sentences:
            return TextSimilarity(whole, whole, np.zeros(0))
        closest = top(whole, most)
        starts, counts = self.bounds[closest], self.bounds[closest + 1] - self.bounds[closest]
        rows = ranges(starts, counts)
        sentences = whole[self._owner]
        places = rows if self.sentence_rows is None else self.sentence_rows[rows]
        sentences[rows] = self.scale * dot_products(self.sentences.take(places, axis=0), vector)
        best = whole.copy()
        has_any = counts > 0
        best[closest[has_any]] = _highest(sentences[rows], counts[has_any])
        return TextSimilarity(whole, best, sentences)

    def compare_passages(self, vector: Vectors) -> Floats:
        """``(n,)`` scaled cosines of the chunks alone."""
        cosines: Floats = dot_products(self.vectors, vector).astype(np.float64)
        return self.scale * cosines

    def best_of_mentions(self, similarities: TextSimilarity, mentions: Rows, rows: Rows) -> Floats:
        """``(mentions,)`` highest cosine of a sentence with each mention; that of its chunk without sentences.

        Args:
            similarities: Similarities of this corpus with a text.
            mentions: Places of the mentions in ``graph.mentions``.
            rows: Chunks of the mentions.
        """
        if not self.has_sentences or not len(mentions):
            return similarities.whole[rows]
        starts = self.mention_bounds[mentions].astype(np.int64)
        counts = self.mention_bounds[mentions + 1] - starts
        return _highest(similarities.sentences[self.mention_sentences[ranges(starts, counts)]], counts)

    def best_of_all_mentions(self, similarities: TextSimilarity) -> Floats:
        """``(mentions,)`` highest cosine of a sentence with each mention of the corpus."""
        return _highest(similarities.sentences[self.mention_sentences], np.diff(self.mention_bounds))


@dataclass(frozen=True, slots=True)
class TextSimilarity:
    """Scaled cosines with one text.

    Attributes:
        whole: ``(n,)`` cosines of the whole chunks.
        best: ``(n,)`` highest cosine of a sentence of each chunk; that of the chunk without sentences.
        sentences: ``(sentences,)`` cosines of all sentences.
    """

    whole: Floats
    best: Floats
    sentences: Floats

    @property
    def similarity(self) -> Floats:
        """``(n,)`` ``d = (cos(q, p) + max over sentences cos(q, s)) / 2``, scaled."""
        return (self.whole + self.best) / 2


def _highest(values: Floats, counts: Rows) -> Floats:
    """Maximum of each group of values; groups are contiguous, have ``counts`` values, and are not empty."""
    return np.maximum.reduceat(values, np.cumsum(counts) - counts)
