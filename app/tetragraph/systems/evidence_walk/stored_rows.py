"""Chunks and entities as the graph returns them, and the parts of an index that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from tetragraph.arrays import CSR, Longs
from tetragraph.language.lexicon.occurrences import count_occurrences, fold
from tetragraph.language.lexicon.stemming import Stem
from tetragraph.language.lexicon.words import stem
from tetragraph.systems.evidence_walk.stored_index import StoredGraph
from tetragraph.systems.evidence_walk.stored_names import StoredEntity

_COLUMNS = (
    "id",
    "document_id",
    "document_title",
    "file_name",
    "title",
    "text",
    "terms",
    "mentioned",
    "described",
)


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as the graph has it.

    Attributes:
        id: Its id.
        document_id: Id of its document.
        file_name: Name of the file of a document without another title; otherwise empty.
        text: Its text.
        words: Titles and text, folded, in one line.
        length: Number of its terms.
        mentioned: Ids of the entities that it mentions.
        described: Ids of the entities that title it.
        counts: ``(terms,)`` occurrences of the terms of the question in titles and text.
    """

    id: str
    document_id: str
    file_name: str
    text: str
    words: str
    length: int
    mentioned: Sequence[str]
    described: Sequence[str]
    counts: Longs


def to_chunks(columns: Mapping[str, Any], terms: Sequence[str] = (), stem: Stem = stem) -> dict[str, StoredChunk]:
    """Chunks by id.

    Args:
        columns: The columns of ``evidence_walk/find_chunks``.
        terms: Terms that are counted.
        stem: Stemmer of the corpus.
    """
    found: dict[str, StoredChunk] = {}
    rows = list(zip(*(columns[name] for name in _COLUMNS), strict=True))
    texts = [_all_text(row[2], row[4], row[5]) for row in rows]
    for row, words, counts in zip(rows, texts, count_occurrences(terms, texts, stem).T, strict=True):
        one, document, _, file_name, _, text, length, mentioned, described = row
        names = mentioned.split(), described.split()
        found[one] = StoredChunk(one, document, file_name, text, words, length, *names, counts)
    return found


def _all_text(document_title: str, title: str, text: str) -> str:
    """Titles and text, folded, in one line."""
    titles = dict.fromkeys(one for one in (document_title, title) if one)
    return fold("\n".join((*titles, text))).replace("\n", " ")


def make_graph(
    chunks: Sequence[StoredChunk], entities: Sequence[StoredEntity], sample: frozenset[str], corpus: int
) -> StoredGraph:
    """The graph between chunks and entities, numbered in the given order.

    Args:
        chunks: The chunks.
        entities: The entities.
        sample: Ids of the chunks that stand for those outside.
        corpus: Number of chunks of the corpus.
    """
    place = {entity.id: number for number, entity in enumerate(entities)}
    mentions = _incidence([chunk.mentioned for chunk in chunks], place)
    titles = _incidence([chunk.described for chunk in chunks], place)
    return StoredGraph(
        mentions,
        mentions.T.tocsr(),
        titles,
        titles.T.tocsr(),
        df=np.array([entity.df for entity in entities], dtype=np.int64),
        titles_of_entity=np.array([entity.titles for entity in entities], dtype=np.int64),
        titles_of_chunk=np.array([len(chunk.described) for chunk in chunks], dtype=np.int64),
        mentions_of_chunk=np.array([len(chunk.mentioned) for chunk in chunks], dtype=np.int64),
        sample=np.array([row for row, chunk in enumerate(chunks) if chunk.id in sample], dtype=np.int64),
        corpus=corpus,
    )


def _incidence(lists: Sequence[Sequence[str]], place: Mapping[str, int]) -> CSR:
    width = len(place)
    columns = np.array([place.get(one, -1) for some in lists for one in some], dtype=np.int64)
    rows = np.repeat(np.arange(len(lists)), [len(some) for some in lists])
    is_known = columns >= 0
    cells = np.sort(rows[is_known] * width + columns[is_known])
    bounds = np.searchsorted(cells, np.arange(len(lists) + 1) * width)
    columns = cells % max(width, 1)
    made: CSR = sparse.csr_array((np.ones(len(cells)), columns, bounds), shape=(len(lists), width))
    return made
