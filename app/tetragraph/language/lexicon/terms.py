"""The terms of a corpus: the stems of its words, without stop words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Ints, Longs
from tetragraph.language.lexicon.analysis import Analysis
from tetragraph.language.lexicon.words import STOP_WORDS, stem


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Frequencies from which keyword relevance is computed.

    Attributes:
        chunks: Number of chunks that contain each term, by term.
        lengths: ``(chunks,)`` number of terms of each chunk with its titles, counting repetitions.
    """

    chunks: Mapping[str, int]
    lengths: Longs

    @property
    def mean_length(self) -> float:
        """Mean number of terms of a chunk; 0 without chunks."""
        return float(self.lengths.mean()) if len(self.lengths) else 0.0


def find_terms(words: Sequence[str]) -> tuple[list[str], Ints]:
    """Distinct terms of some normalised words, ascending, and the place of each word's term; -1 for stop words."""
    found = [None if word in STOP_WORDS else stem(word) for word in words]
    terms = sorted({item for item in found if item is not None})
    rank = {item: row for row, item in enumerate(terms)}
    return terms, np.array([-1 if item is None else rank[item] for item in found], dtype=np.int32)


def count_terms(analysis: Analysis) -> TermCounts:
    """Count the terms of analysed chunks."""
    terms, term_of = find_terms(analysis.words)
    term = term_of[analysis.word]
    row = analysis.row[term >= 0].astype(np.int64)
    pairs = np.unique(term[term >= 0].astype(np.int64) * max(len(analysis.ids), 1) + row)
    df = np.bincount(pairs // max(len(analysis.ids), 1), minlength=len(terms))
    return TermCounts(dict(zip(terms, df.tolist(), strict=True)), np.bincount(row, minlength=len(analysis.ids)))
