"""The names and mentions of an index, and sub-questions answered from given chunks, for other systems."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.evidence_walk import items
from tetragraph.arrays import Longs, Vectors
from tetragraph.language.questions import decompose
from tetragraph.language.questions.decompose import Step
from tetragraph.model import ChainStep, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.evidence_walk import index_arrays
from tetragraph.systems.evidence_walk.chain import ComparedText, follow
from tetragraph.systems.evidence_walk.index import EvidenceIndex, load
from tetragraph.systems.evidence_walk.local_index import Index, restrict_to
from tetragraph.systems.evidence_walk.options import LOCAL_FROM, EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms

KINDS: Final = (chunk_table.KIND, index_arrays.KIND)
"""Kinds of the sets of arrays that :func:`load_names` reads."""
CHAIN: Final = EvidenceOptions(chain="embed")
"""Answers are inserted into the next sub-question and embedded, which costs little among so few chunks."""


class NameIndex:
    """The entities of a corpus by their names, and the chunks that name them."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index

    def entity_ids(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Ids of the entities with these normalised names, by name; names without an entity are left out."""
        return {key: content_id(key) for key in keys if key in self._index.rows_by_name}

    def names_in(self, text: str, /) -> tuple[str, ...]:
        """Entities that a text names, in the spelling of the corpus."""
        return _labels(self._index, self._index.read(text))

    def keys_of_titles(self, chunks: Sequence[str], /) -> frozenset[str]:
        """Normalised names of the entities in the titles of these chunks; ids that the corpus lacks are ignored."""
        titles = (items(self._index.graph.titles, row) for row in _rows(self._index, chunks).tolist())
        return frozenset(str(self._index.names[entity]) for some in titles for entity in some.tolist())

    def mentions_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[tuple[str, str]]:
        """Yield the pairs of an entity in the title of a chunk and one in its text, by their names.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query: the chunks most similar to it come first, ties by id.
        """
        index = self._index
        rows = np.unique(_rows(index, chunks))
        similarities = dot_products(index.passages.vectors[rows], query)
        for row in rows[np.lexsort((rows, -similarities))].tolist():
            mentions = items(index.graph.mentions, row).tolist()
            for title in items(index.graph.titles, row).tolist():
                for mention in mentions:
                    yield str(index.labels[title]), str(index.labels[mention])

    def decompose(self, question: str, embed: Callable[[str], Vectors], /) -> SubQuestions:
        """Divide a question into sub-questions.

        Args:
            question: Text of the question.
            embed: Returns the vector of a text.
        """
        return SubQuestions(self._index, question, embed)


class SubQuestions:
    """A question that is divided into sub-questions.

    Args:
        index: Index of the corpus.
        text: Text of the question.
        embed: Returns the vector of a text.
    """

    def __init__(self, index: EvidenceIndex, text: str, embed: Callable[[str], Vectors]) -> None:
        self._index = index
        self._text = text
        self._embed = embed
        self._compared: dict[str, ComparedText] = {}

    @cached_property
    def _reading(self) -> QuestionTerms:
        return self._index.read(self._text)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The sub-questions; a single one is the question itself."""
        return decompose.take_apart(self._text, self._reading.spans)

    @property
    def names(self) -> tuple[str, ...]:
        """Entities that the question names, in the spelling of the corpus."""
        return _labels(self._index, self._reading)

    def answer_from(self, chunks: Sequence[str], /) -> tuple[ChainStep, ...]:
        """Answers of the sub-questions from these chunks alone.

        Terms are weighted by the whole corpus, but in a large one by the chunks alone, which bounds the cost.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.

        Returns:
            One item for each sub-question; none for a question of one step, or if no chain of the chunks answers it.
        """
        rows = _rows(self._index, chunks)
        if len(self.steps) < 2 or not len(rows):
            return ()
        question = Question(self._text, np.zeros(0, dtype=np.float32), self._embed)
        index: Index = self._index
        compared = self._compared
        is_given = np.zeros(len(self._index.table), dtype=bool)
        is_given[rows] = True
        if len(is_given) >= LOCAL_FROM:
            index = restrict_to(self._index, self._reading, rows)
            is_given, compared = np.ones(len(index.table), dtype=bool), {}
        return follow(index, question, self.steps, np.zeros(len(is_given)), CHAIN, is_given, compared).steps


def load_names(stores: CorpusStores) -> NameIndex:
    """The names of the newest complete generation (see :meth:`CorpusStores.index`)."""
    return NameIndex(load(stores))


def _rows(index: EvidenceIndex, chunks: Sequence[str]) -> Longs:
    """Rows of the chunks that the corpus has, in the given order."""
    rows = index.table.rows
    return np.array([rows[chunk] for chunk in chunks if chunk in rows], dtype=np.int64)


def _labels(index: EvidenceIndex, reading: QuestionTerms) -> tuple[str, ...]:
    return tuple(str(index.labels[entity]) for entity in reading.entities)
