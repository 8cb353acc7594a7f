"""In-process index of a corpus for the search, and the terms and entities of a question in it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.evidence_walk import EntityGraph
from tetragraph.arrays import CSR, Array, Flags, Ints, Longs
from tetragraph.language.lexicon.analysis import (
    CAPITAL,
    FIRST,
    Analysis,
    analyse_text,
)
from tetragraph.language.lexicon.phrases import Phrases, without_overlaps
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.evidence_walk.index_arrays import KIND, compute
from tetragraph.systems.evidence_walk.similarity import Passages

_SHORTEST_SMALL_NAME = 4
"""Least number of letters of a lower-case word that names an entity; the corpus must never write it in lower case."""


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The terms and entities of a question in a corpus.

    Attributes:
        terms: Rows of the stems of the question, without stop words, each once, ascending.
        entities: Rows of the entities that the question names, each once, ascending.
        spans: Character offsets of their names in the question, ascending.
        rest: Stems of each capitalised phrase that names no entity; -1 for a stem that the corpus lacks.
        name_terms: Those of ``terms`` in names that are certain: capitalised phrases, and names of entities that have a
            capital in the question or title a chunk; ascending.
        is_titled: Whether the question names an entity that titles a chunk.
    """

    terms: tuple[int, ...]
    entities: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    rest: tuple[tuple[int, ...], ...]
    name_terms: tuple[int, ...] = ()
    is_titled: bool = False


class EvidenceIndex:
    """One generation of a corpus: chunks, graph of entities, keyword index and dictionary; shared by threads."""

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.documents: Longs = arrays["documents"]
        self.names: Strings = arrays.strings("names")
        self.labels: Strings = arrays.strings("labels")
        self.postings = Postings.from_arrays(arrays)
        self.passages = _passages(table, arrays)
        self.graph = _graph(arrays, len(table), len(self.names))
        self._phrases = Phrases.from_arrays(arrays)
        self._words: Strings = arrays.strings("words")
        self._stems: Strings = arrays.strings("stems")
        self._is_common: Array = arrays["is_common"]
        self._is_ever_small: Array = arrays["is_ever_small"]

    @cached_property
    def _word_rows(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(self._words)}

    @cached_property
    def _stem_rows(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(self._stems)}

    @cached_property
    def rows_by_name(self) -> Mapping[str, int]:
        """Row of an entity by its normalised name."""
        return {name: row for row, name in enumerate(self.names)}

    def read(self, question: str) -> QuestionTerms:
        """Terms, entities and unlinked names of a question."""
        analysis = analyse_text(question)
        word = np.array([self._word_rows.get(item, -1) for item in analysis.words], dtype=np.int32)[analysis.word]
        stems = [-2 if item in STOP_WORDS else self._stem_rows.get(stem(item), -1) for item in analysis.words]
        term = np.array(stems, dtype=np.int64)[analysis.word]
        starts, entity, length = self._match_entities(analysis, word)
        linked = np.zeros(len(word), dtype=bool)
        certain: set[int] = set()
        spans: list[tuple[int, int]] = []
        is_title = np.diff(self.graph.titled.indptr)[entity] > 0
        for start, size, titles in zip(starts.tolist(), length.tolist(), is_title.tolist(), strict=True):
            linked[start : start + size] = True
            spans.append((int(analysis.start[start]), int(analysis.end[start + size - 1])))
            if titles or (analysis.flags[start : start + size] & CAPITAL).any():
                certain.update(term[start : start + size].tolist())
        rest = _unlinked_names(analysis, term, linked)
        certain.update(number for name in rest for number in name)
        return QuestionTerms(
            terms=tuple(np.unique(term[term >= 0]).tolist()),
            entities=tuple(np.unique(entity).tolist()),
            spans=tuple(spans),
            rest=rest,
            name_terms=tuple(sorted(number for number in certain if number >= 0)),
            is_titled=bool(is_title.any()),
        )

    def _match_entities(self, analysis: Analysis, word: Ints) -> tuple[Longs, Ints, Ints]:
        """Longest matches from left to right: start, entity and number of words of each.

        A single word needs a capital unless the corpus never writes it in lower case.
        """
        starts = np.arange(len(word))
        first = (analysis.flags & FIRST) > 0
        entity, length = self._phrases.longest(word, starts, first)
        for place in np.flatnonzero(length == 1).tolist():
            row = int(word[place])
            text = analysis.words[int(analysis.word[place])]
            has_capital = bool(analysis.flags[place] & CAPITAL) and not (first[place] and self._is_common[row])
            is_rare = not self._is_ever_small[row] and len(text) >= _SHORTEST_SMALL_NAME
            if text in STOP_WORDS or not (has_capital or is_rare):
                length[place] = 0
        chosen = without_overlaps(starts, length)
        return starts[chosen], entity[chosen], length[chosen]


def load(stores: CorpusStores) -> EvidenceIndex:
    """The index of the newest complete generation (see :meth:`CorpusStores.index`)."""
    table = chunk_table.load(stores)
    return stores.index(KIND, lambda: compute(stores, table), lambda arrays: EvidenceIndex(table, arrays))


def _passages(table: ChunkTable, arrays: ArraySet) -> Passages:
    bounds, items = (
        (arrays["mention_sentences.bounds"], arrays["mention_sentences.items"])
        if table.has_sentences
        else (np.zeros(len(arrays["mentions.items"]) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    )
    scale = float(arrays["similarity_scale"][0])
    return Passages(table.vectors, table.sentences, table.sentence_bounds, bounds, items, scale)


def _graph(arrays: ArraySet, chunks: int, entities: int) -> EntityGraph:
    def matrix(name: str, shape: tuple[int, int]) -> CSR:
        items, bounds = arrays[f"{name}.items"], arrays[f"{name}.bounds"]
        return sparse.csr_array((np.ones(len(items)), items, bounds), shape=shape)

    return EntityGraph(
        mentions=matrix("mentions", (chunks, entities)),
        mentioned=matrix("mentioned", (entities, chunks)),
        titles=matrix("titles", (chunks, entities)),
        titled=matrix("titled", (entities, chunks)),
    )


def _unlinked_names(analysis: Analysis, term: Longs, linked: Flags) -> tuple[tuple[int, ...], ...]:
    """Stems of the capitalised phrases that no entity covers."""
    found: list[tuple[int, ...]] = []
    for start in np.flatnonzero(analysis.span).tolist():
        places = range(start, start + int(analysis.span[start]))
        for is_free, group in itertools.groupby(places, key=lambda place: not linked[place]):
            stems: Sequence[int] = [int(term[place]) for place in group if term[place] != -2]
            if is_free and stems:
                found.append(tuple(dict.fromkeys(stems)))
    return tuple(dict.fromkeys(found))
