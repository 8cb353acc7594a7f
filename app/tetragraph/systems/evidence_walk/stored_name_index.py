"""The names and mentions of a corpus, and sub-questions answered from given chunks, read from the stores.

The results are those of :mod:`tetragraph.systems.evidence_walk.name_index`, but for the keyword relevance of answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.language.questions import decompose
from tetragraph.language.questions.decompose import Step
from tetragraph.model import ChainStep, content_id
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.stored_chunks import StoredTable
from tetragraph.systems.evidence_walk.chain import follow
from tetragraph.systems.evidence_walk.documents import number_documents
from tetragraph.systems.evidence_walk.name_index import CHAIN
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.similarity import Passages
from tetragraph.systems.evidence_walk.stored_index import StoredGraph, StoredIndex
from tetragraph.systems.evidence_walk.stored_names import (
    StoredEntity,
    make_lexicon,
    names_of,
    read_text,
)
from tetragraph.systems.evidence_walk.stored_reader import StoredReader
from tetragraph.systems.evidence_walk.stored_rows import StoredChunk, make_graph


class StoredNameIndex:
    """The entities of a corpus by their names, and the chunks that name them; for one search.

    Args:
        stores: The stores of the corpus.
    """

    def __init__(self, stores: CorpusStores) -> None:
        self._reader = StoredReader(stores)

    def entity_ids(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Ids of the entities with these normalised names, by name; names without an entity are left out."""
        ids = {content_id(key): key for key in keys}
        return {ids[one]: one for one in self._reader.entities(ids)}

    def names_in(self, text: str, /) -> tuple[str, ...]:
        """Entities that a text names, in the spelling of the corpus."""
        named = self._reader.named_in([text])
        return _labels(named, _read(named, text))

    def keys_of_titles(self, chunks: Sequence[str], /) -> frozenset[str]:
        """Normalised names of the entities in the titles of these chunks; ids that the corpus lacks are ignored."""
        return self._reader.titles(chunks)

    def mentions_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[tuple[str, str]]:
        """Yield the pairs of an entity in the title of a chunk and one in its text, by their names.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query: the chunks most similar to it come first, ties by id.
        """
        found = {chunk.id: chunk for chunk in self._reader.chunks(chunks)}
        points = self._reader.points(found)
        vectors = np.array([point.vector for point in points.values()], dtype=np.float32).reshape(-1, len(query))
        ids = list(points)
        for place in np.argsort(-dot_products(vectors, query), kind="stable").tolist():
            chunk = found[ids[place]]
            titles, mentions = (self._labels(some) for some in (chunk.described, chunk.mentioned))
            for title in titles:
                for mention in mentions:
                    yield title, mention

    def _labels(self, entities: Collection[str]) -> list[str]:
        """Names of entities in the spelling of the corpus, in order of their normalised names."""
        found = list(self._reader.entities(entities).values())
        return [entity.label for _, entity in sorted(zip(names_of(found), found, strict=True), key=itemgetter(0))]

    def decompose(self, question: str, embed: Callable[[str], Vectors], /) -> StoredSubQuestions:
        """Divide a question into sub-questions.

        Args:
            question: Text of the question.
            embed: Returns the vector of a text.
        """
        return StoredSubQuestions(self._reader, question, embed)


class StoredSubQuestions:
    """A question that is divided into sub-questions.

    Args:
        reader: Reads the corpus.
        text: Text of the question.
        embed: Returns the vector of a text.
    """

    def __init__(self, reader: StoredReader, text: str, embed: Callable[[str], Vectors]) -> None:
        self._reader = reader
        self._text = text
        self._embed = embed

    @cached_property
    def _named(self) -> Mapping[str, StoredEntity]:
        return self._reader.named_in([self._text])

    @cached_property
    def _reading(self) -> QuestionTerms:
        return _read(self._named, self._text)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The sub-questions; a single one is the question itself."""
        steps = decompose.take_apart(self._text, self._reading.spans)
        self._reader.named_in([step.text for step in steps])  # one look-up for all that will be asked
        return steps

    @property
    def names(self) -> tuple[str, ...]:
        """Entities that the question names, in the spelling of the corpus."""
        return _labels(self._named, self._reading)

    def answer_from(self, chunks: Sequence[str], /) -> tuple[ChainStep, ...]:
        """Answers of the sub-questions from these chunks alone.

        Keyword relevance is relative to the best of these chunks, not of the corpus.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.

        Returns:
            One item for each sub-question; none for a question of one step, or if no chain of the chunks answers it.
        """
        if len(self.steps) < 2:
            return ()
        found = self._reader.chunks(chunks)
        points = self._reader.points([chunk.id for chunk in found])
        known = [chunk for chunk in found if chunk.id in points]
        if not known:
            return ()
        question = Question(self._text, np.zeros(0, dtype=np.float32), self._embed)
        count = len(known)
        return follow(
            self._index(known), question, self.steps, np.zeros(count), CHAIN, np.ones(count, dtype=bool)
        ).steps

    def _index(self, chunks: Sequence[StoredChunk]) -> StoredIndex:
        """An index of some chunks, their entities, and the terms of the question and of the names of these."""
        ids = {entity for chunk in chunks for entity in (*chunk.mentioned, *chunk.described)}
        found = [*self._reader.entities(ids).values(), *self._named.values()]
        named = dict(sorted(zip(names_of(found), found, strict=True), key=itemgetter(0)))
        entities = list(named.values())
        stores = self._reader.stores
        graph = make_graph(chunks, entities, frozenset(), stores.record.chunks or 0)
        words = {word for name in named for word in name.split(" ")}
        words.update(
            word for text in (self._text, *(step.text for step in self.steps)) for word in read_text(text).words
        )
        terms = self._reader.frequencies(sorted({self._reader.stem(word) for word in words - STOP_WORDS}))
        return StoredIndex(
            StoredTable([chunk.id for chunk in chunks], stores),
            entities,
            graph,
            self._postings(chunks, terms),
            self._passages(chunks, entities, graph),
            *number_documents([chunk.document_id for chunk in chunks], {}),
            list(terms),
            lambda: np.zeros(len(chunks)),
        )

    def _postings(self, chunks: Sequence[StoredChunk], terms: Mapping[str, int]) -> Postings:
        rows = {term: row for row, term in enumerate(terms)}
        counts = np.zeros((len(terms), len(chunks)), dtype=np.int64)
        for place, chunk in enumerate(chunks):
            counted = self._reader.count_terms(chunk)
            for term in counted.keys() & rows.keys():
                counts[rows[term], place] = counted[term]
        df = np.array(list(terms.values()), dtype=np.int64)
        lengths = np.array([chunk.length for chunk in chunks], dtype=np.int64)
        record = self._reader.stores.record
        return Postings.of_counts(counts, df, lengths, record.mean_terms or 0.0, record.chunks or 0)

    def _passages(
        self, chunks: Sequence[StoredChunk], entities: Sequence[StoredEntity], graph: StoredGraph
    ) -> Passages:
        """The vectors of chunks and of their sentences; a chunk without sentences is one itself."""
        record = self._reader.stores.record
        points = self._reader.points([chunk.id for chunk in chunks])
        vectors = np.array([points[chunk.id].vector for chunk in chunks], dtype=np.float32)
        groups: list[list[int]] = []
        sentences: list[Vectors] = []
        if record.sentences != "none":
            sentences = [
                vector[None] if (own := points[chunk.id].sentences) is None or not len(own) else own
                for chunk, vector in zip(chunks, vectors, strict=True)
            ]
        bounds = np.concatenate([[0], np.cumsum([len(own) for own in sentences])]).astype(np.int64)
        for row, chunk in enumerate(chunks if sentences else ()):
            start, count = int(bounds[row]), len(sentences[row])
            for entity in graph.mentions.indices[slice(*graph.mentions.indptr[row : row + 2])].tolist():
                places = self._reader.sentences_of(chunk, entities[entity].id)
                groups.append([start + place for place in places if place < count] or [start])
        return Passages(
            vectors,
            np.concatenate([vectors[:0], *sentences]),
            bounds,
            np.concatenate([[0], np.cumsum([len(group) for group in groups])]).astype(np.int64),
            np.array([sentence for group in groups for sentence in group], dtype=np.int32),
            record.similarity_scale or 1.0,
        )


def read_names(stores: CorpusStores) -> StoredNameIndex:
    """The names of a corpus, which read from the stores what one search asks for."""
    return StoredNameIndex(stores)


def _read(named: Mapping[str, StoredEntity], text: str) -> QuestionTerms:
    """The entities of a text, numbered in the order of those that it could name."""
    return make_lexicon(list(named), list(named.values()), (), stem).read(text)


def _labels(named: Mapping[str, StoredEntity], reading: QuestionTerms) -> tuple[str, ...]:
    labels = [entity.label for entity in named.values()]
    return tuple(labels[entity] for entity in reading.entities)
