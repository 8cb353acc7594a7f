"""Keyword relevance by BM25, with precomputed weights of each term in each text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Array, Flags, Floats, Ints, Longs, Vectors

K1 = 1.5
B = 0.9


def inverse_document_frequency(df: Longs, texts: int) -> Floats:
    """``log(1 + (texts - df + 0.5) / (df + 0.5))`` of terms that ``df`` of the texts contain."""
    idf: Floats = np.log1p((texts - df + 0.5) / (df + 0.5))
    return idf


@dataclass(frozen=True, slots=True)
class Postings:
    """Inverted index: the texts that contain each term. Term ``t`` owns the slice ``bounds[t]:bounds[t + 1]``.

    Attributes:
        bounds: ``(terms + 1,)`` int64, start of the slice of each term, and the end of the last.
        row: ``(postings,)`` int32 texts, ascending within a term.
        weight: ``(postings,)`` float32, contribution of the term to the score of the text.
        idf: ``(terms,)`` float64, inverse document frequency.
        rows: Number of texts.
        corpus: Number of texts that idf was counted over: ``rows``, or more in a part of a corpus.
    """

    bounds: Longs
    row: Ints
    weight: Vectors
    idf: Floats
    rows: int
    corpus: int

    @classmethod
    def build(cls, row: Ints, term: Ints, rows: int, terms: int, *, k1: float = K1, b: float = B) -> Self:
        """Compute the weight of every term in every text.

        ``weight(t, d) = idf(t) tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean |d|))`` with ``idf`` of
        :func:`inverse_document_frequency`.

        Args:
            row: ``(tokens,)`` the text of each token.
            term: ``(tokens,)`` term of each token.
            rows: Number of texts.
            terms: Number of terms.
            k1: Saturation: the smaller, the less a repeated term counts.
            b: Length normalisation, 0 to 1: the larger, the less long texts score.

        Source:
            Robertson and Zaragoza (2009), with an idf that cannot fall below 0.
        """
        return cls.build_from([(row, term)], rows, terms, k1=k1, b=b)

    @classmethod
    def build_from(
        cls, parts: Iterable[tuple[Longs | Ints, Ints]], rows: int, terms: int, *, k1: float = K1, b: float = B
    ) -> Self:
        """The result of :meth:`build` for tokens in parts, without the memory for all tokens at a time.

        Args:
            parts: Text and term of each token; a later part has later texts.
            rows: Number of texts.
            terms: Number of terms.
            k1: See :meth:`build`.
            b: See :meth:`build`.
        """
        counted: list[tuple[Ints, Ints, Ints]] = []
        df, length = np.zeros(terms, dtype=np.int64), np.zeros(rows, dtype=np.int64)
        for row, term in parts:
            pair, count = np.unique(term.astype(np.int64) * max(rows, 1) + row, return_counts=True)
            terms_of, rows_of = (one.astype(np.int32) for one in np.divmod(pair, max(rows, 1)))
            counted.append((terms_of, rows_of, count.astype(np.int32)))
            df += np.bincount(terms_of, minlength=terms)
            length += np.bincount(row, minlength=rows)
        idf = inverse_document_frequency(df, rows)
        relative = length / max(float(length.mean()), 1e-9) if rows else length.astype(float)
        bounds = np.concatenate([[0], np.cumsum(df)]).astype(np.int64)
        found = np.empty(bounds[-1], dtype=np.int32)
        weight = np.empty(bounds[-1], dtype=np.float32)
        begins = bounds[:-1].copy()
        for terms_of, rows_of, count in counted:
            held = np.bincount(terms_of, minlength=terms)
            place = np.arange(len(terms_of)) + np.repeat(begins - np.cumsum(held) + held, held)
            found[place] = rows_of
            weight[place] = idf[terms_of] * count * (k1 + 1) / (count + k1 * (1 - b + b * relative[rows_of]))
            begins += held
        return cls(bounds, found, weight, idf, rows, rows)

    @classmethod
    def of_counts(cls, counts: Longs, df: Longs, lengths: Longs, mean_length: float, corpus: int) -> Self:
        """The postings of some terms in some texts of a corpus, with the weights that :meth:`build` gives them.

        Args:
            counts: ``(terms, texts)`` occurrences of each term in each text.
            df: ``(terms,)`` texts of the corpus that contain each term.
            lengths: ``(texts,)`` terms of each text, counting repetitions.
            mean_length: Mean length of the texts of the corpus.
            corpus: Number of texts of the corpus.
        """
        term, row = np.nonzero(counts)
        idf = inverse_document_frequency(df, corpus)
        count, relative = counts[term, row], lengths[row] / max(mean_length, 1e-9)
        weight = idf[term] * count * (K1 + 1) / (count + K1 * (1 - B + B * relative))
        bounds = np.searchsorted(term, np.arange(len(df) + 1))
        return cls(bounds, row.astype(np.int32), weight.astype(np.float32), idf, counts.shape[1], corpus)

    def holders(self, term: int) -> Ints:
        """Return the texts that contain a term, ascending."""
        return self.row[self.bounds[term] : self.bounds[term + 1]]

    def is_held(self, term: int, rows: Longs) -> Flags:
        """Return for each text in ``rows`` whether it contains a term."""
        return self.weights(term, rows) > 0

    def weights(self, term: int, rows: Longs) -> Floats:
        """Return the contribution of a term to the scores of some texts; reads a few postings per text, not all."""
        holders = self.holders(term)
        if not len(holders):
            return np.zeros(len(rows))
        place = np.searchsorted(holders, rows.astype(holders.dtype))  # same dtype: otherwise it converts `holders`
        place = np.minimum(place, len(holders) - 1)
        weight = self.weight[self.bounds[term] + place].astype(np.float64)
        return np.where(holders[place] == rows, weight, 0.0)

    def part(self, terms: Sequence[int], rows: Longs) -> Postings:
        """Select the postings of some terms in some texts, both renumbered in the order given; keeps the weights."""
        weights = np.array([self.weights(term, rows) for term in terms]).reshape(len(terms), len(rows))
        term, row = np.nonzero(weights)
        bounds = np.searchsorted(term, np.arange(len(terms) + 1))
        found = weights[term, row].astype(np.float32)
        return Postings(bounds, row.astype(np.int32), found, self.idf[list(terms)], len(rows), self.corpus)

    def best(self, terms: Iterable[int], count: int, most: int) -> Longs:
        """Find the texts with the highest scores, best first, reading a bounded number of postings.

        The rarest terms are read, as many as have at most ``most`` postings together; more frequent terms add little
        to a score. They are left out of the scores, and a text without any of the rare terms is not found.

        Args:
            terms: Terms of the question, without repetition.
            count: Largest number of texts.
            most: Largest number of postings read.
        """
        stretches: list[slice] = []
        for size, term in sorted((int(self.bounds[term + 1] - self.bounds[term]), term) for term in terms):
            most -= size
            if most >= 0:
                stretches.append(slice(int(self.bounds[term]), int(self.bounds[term + 1])))
        if not stretches:
            return np.zeros(0, dtype=np.int64)
        rows, place = np.unique(np.concatenate([self.row[stretch] for stretch in stretches]), return_inverse=True)
        weights = np.concatenate([self.weight[stretch] for stretch in stretches])
        scores = np.bincount(place, weights).astype(np.float64)
        return rows[top(scores, count)].astype(np.int64)

    def score(self, terms: Iterable[int]) -> Floats:
        """``(rows,)`` BM25 score of every text for a question of these terms, each counted once."""
        scores = np.zeros(self.rows)
        for term in terms:
            stretch = slice(int(self.bounds[term]), int(self.bounds[term + 1]))
            scores[self.row[stretch]] += self.weight[stretch]
        return scores

    def relative_score(self, terms: Iterable[int]) -> Floats:
        """``(rows,)`` BM25 scores divided by the highest; all 0 if no text contains a term."""
        scores = self.score(terms)
        relative: Floats = scores / (scores.max(initial=0.0) or 1.0)
        return relative

    def arrays(self) -> dict[str, Array]:
        """Return all arrays by name, for the array cache."""
        counts = np.array([self.rows], dtype=np.int64)
        return {
            "postings.bounds": self.bounds,
            "postings.row": self.row,
            "postings.weight": self.weight,
            "postings.idf": self.idf,
            "postings.rows": counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        """Restore the postings from :meth:`arrays`."""
        bounds, row, weight, idf = (arrays[f"postings.{name}"] for name in ("bounds", "row", "weight", "idf"))
        rows = int(arrays["postings.rows"][0])
        return cls(bounds, row, weight, idf, rows, rows)
