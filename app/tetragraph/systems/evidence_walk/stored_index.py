"""The part of a corpus that one question is about, as the stores have it, with the attributes of a local index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import EntityGraph, squared_idf, top
from tetragraph.arrays import Floats, Longs, Rows, Vectors
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.stores.stored_chunks import StoredTable
from tetragraph.systems.evidence_walk.question_terms import Lexicon, QuestionTerms
from tetragraph.systems.evidence_walk.similarity import Passages, TextSimilarity
from tetragraph.systems.evidence_walk.stored_names import StoredEntity, make_lexicon, names_of

Compare = Callable[[Vectors], Floats]
"""Returns ``(n,)`` cosines of all chunks of an index with a text."""


@dataclass(frozen=True)
class StoredGraph(EntityGraph):
    """Graph between some chunks and entities of a corpus; idf and title counts are those of the corpus.

    Attributes:
        df: ``(entities,)`` number of chunks of the corpus that mention an entity.
        titles_of_entity: ``(entities,)`` number of chunks of the corpus that an entity titles.
        titles_of_chunk: ``(chunks,)`` number of entities that title a chunk.
        mentions_of_chunk: ``(chunks,)`` number of entities that a chunk mentions.
        sample: Rows of the chunks whose mean pull is taken for that of the chunks outside.
        corpus: Number of chunks of the corpus.
    """

    df: Longs
    titles_of_entity: Longs
    titles_of_chunk: Longs
    mentions_of_chunk: Longs
    sample: Longs
    corpus: int

    @cached_property
    def information(self) -> Floats:
        """``(entities,)`` squared idf in the corpus."""
        return squared_idf(self.corpus, self.df, self.titles_of_entity)

    @cached_property
    def title_count(self) -> Floats:
        """``(chunks,)`` number of entities that title a chunk; infinite where there is none."""
        return np.where(self.titles_of_chunk > 0, self.titles_of_chunk.astype(np.float64), np.inf)

    def outside(self, pull: Floats) -> tuple[Floats, Floats, Floats]:
        average = float(pull[self.sample].mean()) if self.sample.size else 0.0
        known = self.information[self.mentions.indices]
        unknown = self.mentions_of_chunk - np.diff(self.mentions.indptr)
        news = unknown.astype(np.float64) * (float(known.mean()) if known.size else 0.0)
        mentioned = np.maximum(self.df - np.diff(self.mentioned.indptr), 0)
        titled = np.maximum(self.titles_of_entity - np.diff(self.titled.indptr), 0)
        return news, average * mentioned.astype(np.float64), average * titled.astype(np.float64)


@dataclass(frozen=True)
class StoredPassages(Passages):
    """Similarities that the vector store computes; only a few chunks have vectors of sentences here.

    In place of the sentences of the other chunks stands one with the similarity of the most similar of them.
    ``vectors`` is empty; ``bounds`` and ``mention_sentences`` are those of the sentences here.

    Attributes:
        known: Rows of the chunks whose sentences are here.
        cosines: Cosines of the chunks with a text.
        best_cosines: Highest cosine of a sentence of chosen chunks, by their rows, with a text; NaN without sentences.
        get: Vectors of chunks, by their rows.
        stores_sentences: Whether the corpus stores vectors of sentences.
    """

    known: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    cosines: Compare = lambda _: np.zeros(0)
    best_cosines: Callable[[Vectors, Rows], Floats] = lambda _, rows: np.full(len(rows), np.nan)
    get: Callable[[Rows], Vectors] = lambda rows: np.zeros((len(rows), 0), dtype=np.float32)
    stores_sentences: bool = False

    @property
    def has_sentences(self) -> bool:
        """Whether the corpus stores vectors of sentences."""
        return self.stores_sentences

    def vectors_of(self, rows: Rows) -> Vectors:
        return self.get(rows)

    def without_sentences(self) -> StoredPassages:
        return replace(self, stores_sentences=False)

    def compare_passages(self, vector: Vectors) -> Floats:
        return self.scale * self.cosines(vector)

    def compare(self, vector: Vectors, most: int) -> TextSimilarity:
        whole = self.compare_passages(vector)
        if not self.has_sentences:
            return TextSimilarity(whole, whole, np.zeros(0))
        closest = top(whole, most)
        found = self.scale * self.best_cosines(vector, closest)
        best = whole.copy()
        best[closest] = np.where(np.isnan(found), whole[closest], found)
        sentences = best[self._owner]
        is_known = np.isin(self._owner, self.known)
        sentences[is_known] = self.scale * dot_products(self.sentences, vector)
        return TextSimilarity(whole, best, sentences)


@dataclass(frozen=True)
class StoredIndex:
    """The attributes of :class:`LocalIndex`, read from the stores for one question."""

    table: StoredTable
    entities: Sequence[StoredEntity]
    graph: StoredGraph
    postings: Postings
    passages: Passages
    documents: Longs
    file_names: Sequence[str]
    terms: Sequence[str]
    find_shares: Callable[[], Floats]

    @cached_property
    def document_shares(self) -> Floats:
        """``(chunks,)`` share of the chunks of the corpus that the document of each has; read at the first use."""
        return self.find_shares()

    @cached_property
    def labels(self) -> Sequence[str]:
        """Names of the entities in the spelling of the corpus."""
        return [entity.label for entity in self.entities]

    def entity_id(self, entity: int) -> str:
        """Id of an entity."""
        return self.entities[entity].id

    @cached_property
    def _lexicon(self) -> Lexicon:
        return make_lexicon(
            names_of(self.entities),
            self.entities,
            self.terms,
            load_stemmer(self.table.stores.record.stem_languages),
        )

    def read(self, text: str) -> QuestionTerms:
        """Terms and entities of a part of the question, limited to the terms of the question and the entities here."""
        return self._lexicon.read(text)
