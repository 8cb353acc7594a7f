"""The part of a corpus that one question is about, as an index that the search uses like that of the whole corpus.

The data read for a question is bounded by the constants below and by ``Reach``, however large the corpus is; only
binary searches in the posting lists grow, with the logarithm. If no bound applies, the result is that of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.neighbourhood import Neighbourhood, Reach, explore, ranges
from tetragraph.arrays import Floats, Longs
from tetragraph.model import Chunk, content_id
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.similarity import Passages
from tetragraph.systems.evidence_walk.stored_index import StoredIndex

SIMILAR = 200
"""Chunks requested from the vector store; more if more hits are wanted."""
WORDED = 100
"""Chunks with the highest BM25 that the local index includes."""
POSTINGS = 20_000
"""Postings read to find these chunks."""
NAMED = 200
"""Limit of chunks: a name that is no entity and occurs in more of them yields no seeds."""


@dataclass(frozen=True, slots=True)
class _Texts(Sequence[str]):
    """Selected texts of a column."""

    column: Sequence[str]
    rows: Longs

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.column[int(self.rows[index])]


@dataclass(frozen=True, slots=True)
class LocalTable:
    """Selected chunks of a table; see :class:`ChunkTable`."""

    ids: Sequence[str]
    _whole: ChunkTable
    _rows: Longs

    def __len__(self) -> int:
        return len(self._rows)

    def chunks_of(self, rows: Sequence[int]) -> list[Chunk]:
        """The chunks of some rows, for hits."""
        return self._whole.chunks_of([int(self._rows[row]) for row in rows])


@dataclass(frozen=True, slots=True)
class LocalIndex:
    """The attributes of :class:`EvidenceIndex` for selected chunks and entities and the terms of one question.

    Attributes:
        table: Chunks; ``graph.rows`` are their rows in the corpus.
        names: Normalised names of the entities.
        labels: Names of the entities in the spelling of the corpus.
        graph: Graph between the chunks and the entities.
        postings: Postings of the terms; idf is that of the corpus.
        passages: Vectors of the chunks.
        documents: Number of the document of each chunk, from 0.
        file_names: Name of the file of each document without another title, otherwise empty; empty if all have one.
        document_shares: ``(chunks,)`` share of the chunks of the corpus that the document of each has.
    """

    table: LocalTable
    names: Sequence[str]
    labels: Sequence[str]
    graph: Neighbourhood
    postings: Postings
    passages: Passages
    documents: Longs
    file_names: Sequence[str]
    document_shares: Floats
    _whole: EvidenceIndex
    _reading: QuestionTerms

    def entity_id(self, entity: int) -> str:
        """Id of an entity."""
        return content_id(self.names[entity])

    def read(self, text: str) -> QuestionTerms:
        """Terms and entities of a part of the question, limited to the terms of the question and the entities here."""
        return self.renumber(self._whole.read(text))

    def renumber(self, reading: QuestionTerms) -> QuestionTerms:
        """Terms and entities as rows of this index; unlinked names that seed nothing are left out."""
        terms = {term: number for number, term in enumerate(self._reading.terms)}
        places = np.searchsorted(self.graph.entities, reading.entities).tolist()
        known = set(self.graph.entities[[place for place in places if place < len(self.graph.entities)]].tolist())
        stems = {-1: -1, **terms}
        return replace(
            reading,
            terms=tuple(terms[term] for term in reading.terms if term in terms),
            entities=tuple(place for place, entity in zip(places, reading.entities, strict=True) if entity in known),
            rest=tuple(tuple(map(stems.__getitem__, name)) for name in reading.rest if name in self._reading.rest),
            name_terms=tuple(terms[term] for term in reading.name_terms if term in terms),
        )


Index = EvidenceIndex | LocalIndex | StoredIndex
"""Index of a corpus or of a part of it, in memory or read from the stores."""
Mass = Callable[[LocalIndex, QuestionTerms, int], Floats]
"""Returns ``(chunks,)`` the mass of a walk on a local index after a number of steps, 0 for the seeds."""


def narrow(index: EvidenceIndex, reading: QuestionTerms, nearest: Longs, mass: Mass, *, steps: int) -> LocalIndex:
    """The part of a corpus that the walk of a question can reach and its hits can come from.

    It begins with the chunks most similar to the question, those with the highest BM25, those of the entities of the
    question and those that contain its other names, and is extended from the chunks that have mass of the walk.

    Args:
        index: Index of the corpus.
        reading: Terms and entities of the question.
        nearest: Rows of the chunks most similar to the question, :data:`SIMILAR` or as many as hits are wanted.
        mass: Returns the mass of the walk; vectors of sentences are not available to it.
        steps: Number of steps of the walk.
    """
    names = {stems: rows for stems in reading.rest if len(rows := _holders(index.postings, stems)) <= NAMED}
    reading = replace(reading, rest=tuple(names))
    worded = index.postings.best(reading.terms, max(WORDED, len(nearest)), POSTINGS)
    plain = index.passages.without_sentences()

    def find_mass(here: Neighbourhood, step: int) -> Floats:
        local = _part(index, reading, here, plain)
        return mass(local, local.renumber(reading), step)

    rows = np.concatenate([nearest, worded, *names.values()])
    entities = np.array(reading.entities, dtype=np.int64)
    here = explore(index.graph, rows, entities, find_mass, Reach(), steps=steps)
    return _part(index, reading, here, index.passages)


def restrict_to(index: EvidenceIndex, reading: QuestionTerms, rows: Longs) -> LocalIndex:
    """Index of selected chunks and the entities that they name, as if the corpus had no others.

    Args:
        index: Index of the corpus.
        reading: Terms and entities of the question.
        rows: Rows of the chunks.
    """
    here = Neighbourhood.of(index.graph, rows, np.array(reading.entities, dtype=np.int64))
    return _part(index, reading, here, index.passages)


def _holders(postings: Postings, stems: tuple[int, ...]) -> Longs:
    """Chunks that a name seeds: those that contain all its stems, otherwise those that contain its rarest."""
    known = sorted((len(postings.holders(stem)), stem) for stem in stems if stem >= 0)
    if not known:
        return np.zeros(0, dtype=np.int64)
    rarest = postings.holders(known[0][1]).astype(np.int64)
    if len(known) < len(stems) or len(rarest) > POSTINGS:
        return rarest
    holders = rarest[np.all([postings.is_held(stem, rarest) for _, stem in known], axis=0)]
    return holders if holders.size else rarest


def _part(index: EvidenceIndex, reading: QuestionTerms, here: Neighbourhood, passages: Passages) -> LocalIndex:
    found, documents = np.unique(index.documents[here.rows], return_inverse=True)
    return LocalIndex(
        LocalTable(_Texts(index.table.ids, here.rows), index.table, here.rows),
        _Texts(index.names, here.entities),
        _Texts(index.labels, here.entities),
        here,
        index.postings.part(reading.terms, here.rows),
        _passages(passages, here),
        documents,
        _Texts(index.file_names, found) if index.file_names else (),
        index.document_shares[here.rows],
        index,
        reading,
    )


def _passages(whole: Passages, here: Neighbourhood) -> Passages:
    """The vectors of selected chunks and of their sentences."""
    vectors = whole.vectors[here.rows]
    if not whole.has_sentences:
        none = np.zeros(0, dtype=np.int32)
        nowhere = np.zeros(here.mentions.nnz + 1, dtype=np.int64)
        return Passages(
            vectors, whole.sentences, np.zeros(len(vectors) + 1, dtype=np.int64), nowhere, none, whole.scale
        )
    begins, ends = whole.bounds[here.rows], whole.bounds[here.rows + 1]
    counts = ends - begins
    bounds = _bounds(counts)
    mentions = here.mentions_in_whole
    starts = whole.mention_bounds[mentions].astype(np.int64)
    sizes = whole.mention_bounds[mentions + 1] - starts
    row = np.repeat(np.repeat(np.arange(len(here.rows)), np.diff(here.mentions.indptr)), sizes)
    sentence = whole.mention_sentences[ranges(starts, sizes)] - begins[row] + bounds[row]
    places = ranges(begins, counts)
    return Passages(vectors, whole.sentences, bounds, _bounds(sizes), sentence.astype(np.int32), whole.scale, places)


def _bounds(counts: Longs) -> Longs:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
