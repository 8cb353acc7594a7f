"""Judges of the information that one chunk adds to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from scipy import sparse

from tetragraph.algorithms.information_gain import Statements, incidence, information_gain
from tetragraph.arrays import CSR, Floats, Rows
from tetragraph.language.lexicon import analysis
from tetragraph.language.lexicon.analysis import Analysis, analyse_chunks
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.entity_links import EntityLinks

_JUDGED_AT_ONCE = 20_000


class GainJudge(Protocol):
    """Judges pairs of chunks (iG²RAG, eq. 2).

    Attributes:
        name: Name of the judge, stored on every edge. Its first word is the value of the option ``judge``.
    """

    @property
    def name(self) -> str: ...

    def judge(self, base: Rows, other: Rows) -> Iterator[Floats]:
        """Judge how much each chunk ``other`` adds to a reader of ``base``.

        Args:
            base: ``(m,)`` rows of the chunk table, ascending.
            other: ``(m,)`` rows of the chunk table.

        Yields:
            Gains in 0 to 1, rounded to at most 6 decimals, in consecutive parts until all ``m`` are known. The gain of
            a pair does not depend on other pairs, unless documented otherwise.
        """


class TokenFreeJudge:
    """Judges by names, words and vectors: content of B that A lacks, weighted by their common subject."""

    name = "token_free"

    def __init__(self, stores: CorpusStores, table: ChunkTable, links: EntityLinks) -> None:
        known = stores.arrays.newest(stores.record.key, analysis.KIND)
        terms = term_matrix(analyse_chunks(table.chunks(), known))
        self._statements = Statements(np.asarray(table.vectors), links.mentions, links.describes, terms)

    def judge(self, base: Rows, other: Rows) -> Iterator[Floats]:
        for start in range(0, len(base), _JUDGED_AT_ONCE):
            part = slice(start, start + _JUDGED_AT_ONCE)
            yield information_gain(self._statements, base[part], other[part])


def term_matrix(read: Analysis) -> CSR:
    """Build the binary matrix of chunks by stems of the words in titles and texts, without stop words."""
    is_term = np.array([word not in STOP_WORDS for word in read.words], dtype=bool)
    stems = [stem(word) for word in read.words]
    columns = {found: column for column, found in enumerate(sorted(set(stems)))}
    column = np.array([columns[found] for found in stems], dtype=np.int64)
    parts = [sparse.csr_array((0, len(columns)), dtype=np.float64)]
    for chunks, tokens in read.blocks():
        word = read.word[tokens]
        used = is_term[word]
        row = np.repeat(np.arange(chunks.stop - chunks.start), np.diff(read.bounds[chunks.start : chunks.stop + 1]))
        parts.append(incidence(row[used], column[word[used]], (chunks.stop - chunks.start, len(columns))))
    return sparse.vstack(parts, format="csr")
