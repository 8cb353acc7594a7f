"""In-process index of a corpus for the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from scipy import sparse

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.evidence_walk import EntityGraph, top
from tetragraph.algorithms.rounded_vectors import RoundedVectors, find_nearest
from tetragraph.arrays import CSR, Array, Flags, Floats, Longs, Rows, Vectors
from tetragraph.host.processors import count_processors
from tetragraph.language.lexicon.phrases import Phrases
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.model import content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.evidence_walk.index_arrays import KIND, compute
from tetragraph.systems.evidence_walk.question_terms import Lexicon, QuestionTerms
from tetragraph.systems.evidence_walk.similarity import Passages


class EvidenceIndex:
    """One generation of a corpus: chunks, graph of entities, keyword index and dictionary; shared by threads."""

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.documents: Longs = arrays["documents"]
        self.file_names: Sequence[str] = list(arrays.strings("file_names"))
        self.names: Strings = arrays.strings("names")
        self.labels: Strings = arrays.strings("labels")
        self.postings = Postings.from_arrays(arrays)
        self.passages = _passages(table, arrays)
        self.graph = _graph(arrays, len(table), len(self.names))
        self._rounded = _rounded(arrays)
        self._phrases = Phrases.from_arrays(arrays)
        self._words: Strings = arrays.strings("words")
        self._stems: Strings = arrays.strings("stems")
        self._stem = load_stemmer(tuple(arrays.strings("stem_languages")))
        self._is_common: Array = arrays["is_common"]
        self._is_ever_small: Array = arrays["is_ever_small"]

    @cached_property
    def document_shares(self) -> Floats:
        """``(chunks,)`` share of the chunks of the corpus that the document of each has."""
        shares: Floats = np.bincount(self.documents)[self.documents] / max(len(self.documents), 1)
        return shares

    @cached_property
    def _word_rows(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(self._words)}

    @cached_property
    def _stem_rows(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(self._stems)}

    def entity_id(self, entity: int) -> str:
        """Id of an entity."""
        return content_id(self.names[entity])

    def nearest(self, texts: Vectors, count: int, is_allowed: Flags) -> list[Rows]:
        """Rows of the ``count`` allowed chunks, or fewer if there are fewer, that are most similar to each text."""
        if self._rounded is not None:
            return find_nearest(self._rounded, self.table.vectors, texts, count, is_allowed, count_processors())
        cosines = (np.where(is_allowed, self.passages.compare_passages(text), -np.inf) for text in texts)
        return [rows[is_allowed[rows]] for rows in (top(one, count) for one in cosines)]

    @cached_property
    def rows_by_name(self) -> Mapping[str, int]:
        """Row of an entity by its normalised name."""
        return {name: row for row, name in enumerate(self.names)}

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(
            self._word_rows,
            self._stem_rows,
            self._phrases,
            self._is_common,
            self._is_ever_small,
            lambda entities: np.diff(self.graph.titled.indptr)[entities] > 0,
            self._stem,
        )

    def read(self, question: str) -> QuestionTerms:
        """Terms, entities and unlinked names of a question."""
        return self._lexicon.read(question)


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


def _rounded(arrays: ArraySet) -> RoundedVectors | None:
    """The rounded vectors of a large corpus; None for a small one."""
    if "rounded.levels" not in arrays:
        return None
    return RoundedVectors(arrays["rounded.levels"], arrays["rounded.units"], arrays["rounded.errors"])


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
