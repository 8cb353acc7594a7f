"""The terms of a corpus: the stems of its words, without stop words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Ints, Longs
from tetragraph.language.lexicon.analysis import Analysis
from tetragraph.language.lexicon.stemming import Stem
from tetragraph.language.lexicon.words import STOP_WORDS


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Frequencies from which keyword relevance is computed.

    Attributes:
        terms: The terms, ascending.
        chunks: ``(terms,)`` number of chunks that contain each term.
        lengths: ``(chunks,)`` number of terms of each chunk with its titles, counting repetitions.
    """

    terms: list[str]
    chunks: Longs
    lengths: Longs

    @property
    def mean_length(self) -> float:
        """Mean number of terms of a chunk; 0 without chunks."""
        return float(self.lengths.mean()) if len(self.lengths) else 0.0


def find_terms(words: Sequence[str], stem: Stem) -> tuple[list[str], Ints]:
    """Distinct terms of some normalised words, ascending, and the place of each word's term; -1 for stop words."""
    found = [None if word in STOP_WORDS else stem(word) for word in words]
    terms = sorted({item for item in found if item is not None})
    rank = {item: row for row, item in enumerate(terms)}
    return terms, np.array([-1 if item is None else rank[item] for item in found], dtype=np.int32)


def count_terms(analysis: Analysis, stem: Stem) -> TermCounts:
    """Count the terms of analysed chunks."""
    terms, term_of = find_terms(analysis.words, stem)
    lengths = np.zeros(len(analysis.ids), dtype=np.int64)
    df = np.zeros(len(terms), dtype=np.int64)
    for chunks, tokens in analysis.blocks():
        term = term_of[analysis.word[tokens]]
        row = np.repeat(np.arange(chunks.stop - chunks.start), np.diff(analysis.bounds[chunks.start : chunks.stop + 1]))
        row = row[term >= 0]
        pairs = np.unique(term[term >= 0].astype(np.int64) * len(lengths) + row)
        df += np.bincount(pairs // len(lengths), minlength=len(terms))
        lengths[chunks] = np.bincount(row, minlength=chunks.stop - chunks.start)
    return TermCounts(terms, df, lengths)
