"""Collects from the stores what a search needs to know of a few chunks and entities, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.evidence_walk import WalkOptions
from tetragraph.arrays import CSR, Floats, Longs, Rows, Vectors
from tetragraph.language.lexicon.occurrences import find_sentences
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.model import Filters
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.generation_memory import GenerationMemory
from tetragraph.stores.stored_chunks import StoredTable, find_allowed
from tetragraph.systems.evidence_walk.documents import number_documents
from tetragraph.systems.evidence_walk.stored_index import StoredGraph, StoredIndex, StoredPassages
from tetragraph.systems.evidence_walk.stored_names import StoredEntity, StoredTerms, names_of
from tetragraph.systems.evidence_walk.stored_reach import Holders, find_reached
from tetragraph.systems.evidence_walk.stored_rows import StoredChunk, make_graph, to_chunks

_SAMPLES: Final[GenerationMemory[frozenset[str]]] = GenerationMemory()
_COLUMNS = ("id", "name", "df", "titles", "small", "titled", "mentioning")


@dataclass
class Surroundings:
    """Chunks and entities around a question, which grow step by step.

    Attributes:
        stores: The stores of the corpus.
        terms: Terms of the question.
        texts: ``(texts, dimension)`` vectors of the question and of its parts.
        filters: Filters of the search; None for none.
        most: Largest number of chunks of an entity that adds its chunks.
    """

    stores: CorpusStores
    terms: StoredTerms
    texts: Vectors
    filters: Filters | None
    most: int
    chunks: dict[str, StoredChunk] = field(default_factory=dict)
    entities: dict[str, StoredEntity] = field(default_factory=dict)
    allowed: set[str] = field(default_factory=set)
    _cosines: dict[str, Floats] = field(default_factory=dict)
    _holders: dict[str, Holders] = field(default_factory=dict)
    _sample: frozenset[str] = frozenset()

    def add_sample(self, count: int) -> list[str]:
        """Ids of chunks from everywhere in the corpus; ids are hashes, so equal distances between them are fair."""

        def read(stores: CorpusStores) -> frozenset[str]:
            beginnings = [f"{place * 16**8 // count:08x}" for place in range(count)]
            rows = stores.graph.read("evidence_walk/find_sample", corpus=stores.name, beginnings=beginnings)
            return frozenset(row["id"] for row in rows)

        known = _SAMPLES.recall(self.stores, read)
        self._sample = read(self.stores) if known is None else known
        return sorted(self._sample)

    def add_entities(self, ids: Iterable[str]) -> None:
        """Read entities and which chunks they have."""
        new = sorted(set(ids) - self.entities.keys())
        if not new:
            return
        rows = self.stores.graph.read("evidence_walk/find_entities", corpus=self.stores.name, ids=new, most=self.most)
        for *fact, titled, mentioning in zip(*(rows[0][name] for name in _COLUMNS), strict=True):
            entity = StoredEntity(*fact)
            self.entities[entity.id] = entity
            self._holders[entity.id] = Holders(titled.split(), mentioning.split())

    def holders_of(self, ids: Iterable[str]) -> list[str]:
        """Ids of the chunks of some entities that were read, but of frequent entities none."""
        found = (self._holders[one] for one in ids if one in self._holders)
        return [chunk for holders in found for chunk in (*holders.titled, *holders.mentioning)]

    def find_reached(self, frontier: Mapping[str, float], options: WalkOptions) -> list[str]:
        """Ids of the chunks that are not here, pass the filters, and that mass moves to, most mass first.

        Args:
            frontier: Mass of the chunks that it moves from, by id; their entities were read.
            options: Constants of the walk.
        """
        chunks = [(self.chunks[one], mass) for one, mass in frontier.items()]
        reached = find_reached(chunks, self.entities, self._holders, self.stores.record.chunks or 0, options)
        new = [one for one in reached if one not in self.chunks]
        allowed = find_allowed(self.stores, new, self.filters)
        return [one for one in new if one in allowed]

    def add_chunks(self, ids: Iterable[str]) -> None:
        """Read chunks and compare their vectors with the texts; a chunk without a vector is left out."""
        new = sorted(set(ids) - self.chunks.keys())
        if not new:
            return
        with ThreadPoolExecutor(1) as pool:  # Qdrant and Neo4j answer at the same time
            compared = pool.submit(self.stores.vectors.compare, self.stores.name, "chunks", self.texts, new)
            rows = self.stores.graph.read("evidence_walk/find_chunks", corpus=self.stores.name, ids=new)
            found = to_chunks(rows[0], self.terms.terms, load_stemmer(self.stores.record.stem_languages))
        columns = zip(new, compared.result().T, strict=True)
        near = {one: column for one, column in columns if not np.isnan(column).any()}
        chunks = {one: chunk for one, chunk in found.items() if one in near}
        self.chunks |= chunks
        self._cosines |= {one: near[one] for one in chunks}
        self.allowed |= find_allowed(self.stores, list(chunks), self.filters)

    def index(self, known: Collection[str] = (), *, sentences: bool = False) -> StoredIndex:
        """An index of all chunks and entities so far.

        Args:
            known: Ids of the chunks whose sentences are compared one by one.
            sentences: Whether sentences are compared at all.
        """
        ids = sorted(self.chunks)
        chunks = [self.chunks[one] for one in ids]
        entities = [self.entities[one] for one in sorted(self.entities)]
        graph = make_graph(chunks, entities, self._sample, self.stores.record.chunks or 0)
        names = {chunk.document_id: chunk.file_name for chunk in chunks if chunk.file_name}
        return StoredIndex(
            StoredTable(ids, self.stores),
            entities,
            graph,
            self._postings(chunks),
            self._passages(chunks, entities, graph, known, sentences=sentences),
            *number_documents([chunk.document_id for chunk in chunks], names),
            self.terms.terms,
            lambda: self._document_shares(chunks),
        )

    def _document_shares(self, chunks: Sequence[StoredChunk]) -> Floats:
        """``(chunks,)`` shares of the documents; one of which a single chunk is here counts as that chunk."""
        here = Counter(chunk.document_id for chunk in chunks)
        several = sorted(one for one, count in here.items() if count > 1)
        rows = (
            self.stores.graph.read("evidence_walk/count_chunks", corpus=self.stores.name, ids=several)
            if several
            else ()
        )
        sizes = {row["id"]: row["chunks"] for row in rows}
        return np.array([sizes.get(chunk.document_id, 1) for chunk in chunks]) / max(self.stores.record.chunks or 0, 1)

    def _postings(self, chunks: Sequence[StoredChunk]) -> Postings:
        counts = np.array([chunk.counts for chunk in chunks], dtype=np.int64).reshape(len(chunks), -1).T
        lengths = np.array([chunk.length for chunk in chunks], dtype=np.int64)
        record = self.stores.record
        return Postings.of_counts(counts, self.terms.df, lengths, record.mean_terms or 0.0, record.chunks or 0)

    def _passages(
        self,
        chunks: Sequence[StoredChunk],
        entities: Sequence[StoredEntity],
        graph: StoredGraph,
        known: Collection[str],
        *,
        sentences: bool,
    ) -> StoredPassages:
        ids = [chunk.id for chunk in chunks]
        source = _Source(self.stores, ids, self.texts, np.array([self._cosines[one] for one in ids]).T)
        scale = self.stores.record.similarity_scale or 1.0
        empty = np.zeros((0, self.texts.shape[1]), dtype=np.float32)
        if not sentences:
            none = np.zeros(0, dtype=np.int64)
            return StoredPassages(
                empty, empty, none, none, none.astype(np.int32), scale, cosines=source.compare, get=source.vectors
            )
        vectors = self.stores.vectors.get_sentences(self.stores.name, "chunks", sorted(known))
        rows = np.array([row for row, one in enumerate(ids) if one in vectors], dtype=np.int64)
        counts = np.ones(len(ids), dtype=np.int64)
        counts[rows] = [len(vectors[ids[row]]) for row in rows]
        bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        groups = _mention_sentences(chunks, names_of(entities), graph.mentions, bounds, rows)
        return StoredPassages(
            empty,
            np.concatenate([empty, *(vectors[ids[row]] for row in rows)]),
            bounds,
            np.concatenate([[0], np.cumsum([len(group) for group in groups])]).astype(np.int64),
            np.array([sentence for group in groups for sentence in group], dtype=np.int32),
            scale,
            known=rows,
            cosines=source.compare,
            best_cosines=source.compare_sentences,
            get=source.vectors,
            stores_sentences=True,
        )


class _Source:
    """Cosines of the chunks of an index; those with the texts of the question are at hand."""

    def __init__(self, stores: CorpusStores, ids: Sequence[str], texts: Vectors, cosines: Floats) -> None:
        self._stores = stores
        self._ids = ids
        self._texts = texts
        self._whole: dict[bytes, Floats] = {text.tobytes(): row for text, row in zip(texts, cosines, strict=True)}

    def compare(self, vector: Vectors) -> Floats:
        """``(n,)`` cosines of the chunks with a text."""
        key = vector.tobytes()
        if key not in self._whole:
            (self._whole[key],) = self._stores.vectors.compare(self._stores.name, "chunks", vector[None], self._ids)
        return self._whole[key]

    def compare_sentences(self, vector: Vectors, rows: Rows) -> Floats:
        """``(rows,)`` highest cosine of a sentence of chosen chunks with a text; NaN for one without sentences."""
        ids = [self._ids[row] for row in rows.tolist()]
        found: Floats = self._stores.vectors.compare_sentences(self._stores.name, "chunks", vector[None], ids)[0]
        return found

    def vectors(self, rows: Rows) -> Vectors:
        """``(rows, dimension)`` vectors of chosen chunks."""
        ids = [self._ids[row] for row in rows.tolist()]
        found = self._stores.vectors.get(self._stores.name, "chunks", ids)
        nothing = np.zeros(self._texts.shape[1], dtype=np.float32)
        return np.array([found.get(one, nothing) for one in ids], dtype=np.float32).reshape(len(ids), -1)


def _mention_sentences(
    chunks: Sequence[StoredChunk], names: Sequence[str], mentions: CSR, bounds: Longs, known: Rows
) -> list[list[int]]:
    """Sentences of each mention in the order of ``mentions``; of a chunk without sentences here its only one."""
    groups: list[list[int]] = []
    is_known = np.zeros(len(chunks), dtype=bool)
    is_known[known] = True
    for row, chunk in enumerate(chunks):
        entities = mentions.indices[mentions.indptr[row] : mentions.indptr[row + 1]].tolist()
        start, end = int(bounds[row]), int(bounds[row + 1])
        if is_known[row] and entities:
            found = find_sentences(chunk.text, [names[entity] for entity in entities])
            groups += [[start + place for place in group if start + place < end] or [start] for group in found]
        else:
            groups += [[start]] * len(entities)
    return groups
