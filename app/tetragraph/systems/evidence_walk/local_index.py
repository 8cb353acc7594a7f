"""The part of a corpus that one question is about, as an index of its own that the search works on as on the whole.

What is read for a question is bounded by the constants below and by ``Reach``, however large the corpus is; only
binary searches in the lists of terms grow, with the logarithm. Where the bounds cut nothing, nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.neighbourhood import Neighbourhood, Reach, explore, ranges
from tetragraph.arrays import Floats, Longs
from tetragraph.model import Chunk
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.evidence_walk.index import EvidenceIndex, QuestionTerms
from tetragraph.systems.evidence_walk.similarity import Passages

SIMILAR = 200
"""Passages to ask the vector store for; more where more hits are wanted."""
WORDED = 100
"""Passages with the highest BM25 that are looked at."""
POSTINGS = 20_000
"""Postings read to find them."""
NAMED = 200
"""A name that is no entity and that more passages hold seeds nothing."""


@dataclass(frozen=True, slots=True)
class _Texts(Sequence[str]):
    """Some texts of a column."""

    column: Sequence[str]
    rows: Longs

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.column[int(self.rows[index])]


@dataclass(frozen=True, slots=True)
class LocalTable:
    """Some chunks of a table; see :class:`ChunkTable`."""

    ids: Sequence[str]
    _whole: ChunkTable
    _rows: Longs

    def __len__(self) -> int:
        return len(self._rows)

    def chunk(self, row: int) -> Chunk:
        """What a hit shows."""
        return self._whole.chunk(int(self._rows[row]))


@dataclass(frozen=True, slots=True)
class LocalIndex:
    """What :class:`EvidenceIndex` has, for some passages, some entities and the terms of one question.

    Attributes:
        table: Chunks; ``graph.rows`` are their rows in the corpus.
        names: Of the entities.
        labels: Of the entities.
        graph: Between these.
        postings: Of the terms; idf is that of the corpus.
        passages: Vectors.
    """

    table: LocalTable
    names: Sequence[str]
    labels: Sequence[str]
    graph: Neighbourhood
    postings: Postings
    passages: Passages
    _whole: EvidenceIndex
    _reading: QuestionTerms

    def read(self, text: str) -> QuestionTerms:
        """What a part of the question asks with, as far as the question's terms and the entities here go."""
        return self.renumbered(self._whole.read(text))

    def renumbered(self, reading: QuestionTerms) -> QuestionTerms:
        """The same in the terms and entities of this index; names that the question does not seed are left out."""
        terms = {term: number for number, term in enumerate(self._reading.terms)}
        places = np.searchsorted(self.graph.entities, reading.entities).tolist()
        known = set(self.graph.entities[[place for place in places if place < len(self.graph.entities)]].tolist())
        stems = {-1: -1, **terms}
        return replace(
            reading,
            terms=tuple(terms[term] for term in reading.terms if term in terms),
            entities=tuple(place for place, entity in zip(places, reading.entities, strict=True) if entity in known),
            rest=tuple(tuple(map(stems.__getitem__, name)) for name in reading.rest if name in self._reading.rest),
        )


Index = EvidenceIndex | LocalIndex
"""What the search works on."""
Mass = Callable[[LocalIndex, QuestionTerms, int], Floats]
"""Gives ``(passages,)`` the mass of a question's walk after some steps, 0 for the seeds alone, on a local index."""


def narrow(index: EvidenceIndex, reading: QuestionTerms, nearest: Longs, mass: Mass, *, steps: int) -> LocalIndex:
    """The part of a corpus that a question's walk can reach and its hits can come from.

    It begins with the passages nearest to the question, those with the highest BM25, those of the question's entities
    and those that hold its other names, and goes on from where the walk's mass is.

    Args:
        index: Of the corpus.
        reading: The question in the corpus' words.
        nearest: Rows of the passages most similar to the question, :data:`SIMILAR` or as many hits as are wanted.
        mass: Of the walk; vectors of sentences are not at hand.
        steps: Of the walk.
    """
    names = {stems: rows for stems in reading.rest if len(rows := _holders(index.postings, stems)) <= NAMED}
    reading = replace(reading, rest=tuple(names))
    worded = index.postings.best(reading.terms, max(WORDED, len(nearest)), POSTINGS)
    plain = index.passages.without_sentences()

    def look(here: Neighbourhood, step: int) -> Floats:
        local = _part(index, reading, here, plain)
        return mass(local, local.renumbered(reading), step)

    rows = np.concatenate([nearest, worded, *names.values()])
    entities = np.array(reading.entities, dtype=np.int64)
    here = explore(index.graph, rows, entities, look, Reach(), steps=steps)
    return _part(index, reading, here, index.passages)


def restrict_to(index: EvidenceIndex, reading: QuestionTerms, rows: Longs) -> LocalIndex:
    """Some passages of a corpus and what they name, as if there were no others.

    Args:
        index: Of the corpus.
        reading: The question in the corpus' words.
        rows: Of the passages.
    """
    here = Neighbourhood.of(index.graph, rows, np.array(reading.entities, dtype=np.int64))
    return _part(index, reading, here, index.passages)


def _holders(postings: Postings, stems: tuple[int, ...]) -> Longs:
    """Passages that a name seeds: those that hold all its stems, else those that hold its rarest."""
    known = sorted((len(postings.holders(stem)), stem) for stem in stems if stem >= 0)
    if not known:
        return np.zeros(0, dtype=np.int64)
    rarest = postings.holders(known[0][1]).astype(np.int64)
    if len(known) < len(stems) or len(rarest) > POSTINGS:
        return rarest
    holders = rarest[np.all([postings.is_held(stem, rarest) for _, stem in known], axis=0)]
    return holders if holders.size else rarest


def _part(index: EvidenceIndex, reading: QuestionTerms, here: Neighbourhood, passages: Passages) -> LocalIndex:
    return LocalIndex(
        LocalTable(_Texts(index.table.ids, here.rows), index.table, here.rows),
        _Texts(index.names, here.entities),
        _Texts(index.labels, here.entities),
        here,
        index.postings.part(reading.terms, here.rows),
        _passages(passages, here),
        index,
        reading,
    )


def _passages(whole: Passages, here: Neighbourhood) -> Passages:
    """The vectors of some passages and of their sentences."""
    vectors = whole.vectors[here.rows]
    if not whole.has_sentences:
        none = np.zeros(0, dtype=np.int32)
        nowhere = np.zeros(here.mentions.nnz + 1, dtype=np.int64)
        return Passages(
            vectors, whole.sentences, np.zeros(len(vectors) + 1, dtype=np.int64), nowhere, none, whole.scale
        )
    begins, ends = whole.bounds[here.rows], whole.bounds[here.rows + 1]
    counts = ends - begins
    bounds = _running(counts)
    mentions = here.mentions_in_whole
    starts = whole.mention_bounds[mentions].astype(np.int64)
    sizes = whole.mention_bounds[mentions + 1] - starts
    row = np.repeat(np.repeat(np.arange(len(here.rows)), np.diff(here.mentions.indptr)), sizes)
    sentence = whole.mention_sentences[ranges(starts, sizes)] - begins[row] + bounds[row]
    sentences = whole.sentences[ranges(begins, counts)]
    return Passages(vectors, sentences, bounds, _running(sizes), sentence.astype(np.int32), whole.scale)


def _running(counts: Longs) -> Longs:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
