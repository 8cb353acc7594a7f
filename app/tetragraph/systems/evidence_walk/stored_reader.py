"""Reads entities, chunks and vectors from the stores as one search asks for them, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from tetragraph.language.lexicon.names import WORD, normalise_name
from tetragraph.language.lexicon.occurrences import find_sentences
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Point
from tetragraph.systems.evidence_walk.stored_names import StoredEntity, possible_names, read_text
from tetragraph.systems.evidence_walk.stored_rows import StoredChunk, to_chunks


class StoredReader:
    """Entities, chunks and vectors that one search has read of a corpus; for one thread.

    Args:
        stores: The stores of the corpus.

    Attributes:
        stores: The stores of the corpus.
        stem: Stemmer of the corpus.
    """

    def __init__(self, stores: CorpusStores) -> None:
        self.stores = stores
        self.stem = load_stemmer(stores.record.stem_languages)
        self._entities: dict[str, StoredEntity | None] = {}
        self._chunks: dict[str, StoredChunk | None] = {}
        self._points: dict[str, Point] = {}
        self._sentences: dict[str, dict[str, list[int]]] = {}
        self._frequencies: dict[str, int] = {}
        self._counts: dict[str, Counter[str]] = {}

    def entities(self, ids: Collection[str]) -> dict[str, StoredEntity]:
        """Those of some entities that the dictionary has, by id, in the given order."""
        new = sorted(set(ids) - self._entities.keys())
        if new:
            rows = self.stores.graph.read("evidence_walk/find_names", corpus=self.stores.name, ids=new)
            self._entities |= dict.fromkeys(new)
            self._entities |= {row["id"]: StoredEntity.from_row(row) for row in rows}
        return {one: entity for one in ids if (entity := self._entities[one]) is not None}

    def named_in(self, texts: Iterable[str]) -> dict[str, StoredEntity]:
        """Entities that some texts could name, by normalised name, ascending."""
        names = {content_id(name): name for text in texts for name in possible_names(read_text(text))}
        return dict(sorted((names[one], entity) for one, entity in self.entities(names).items()))

    def titles(self, chunks: Collection[str]) -> frozenset[str]:
        """Normalised names of the entities that title some chunks; ids that the corpus lacks are ignored."""
        new = sorted(set(chunks) - self._chunks.keys())
        rows = self.stores.graph.read("evidence_walk/find_titles", corpus=self.stores.name, ids=new) if new else []
        read = (self._chunks.get(one) for one in chunks)
        known = {entity for chunk in read if chunk for entity in chunk.described}
        labels = [row["name"] for row in rows] + [entity.label for entity in self.entities(known).values()]
        return frozenset(map(normalise_name, labels))

    def chunks(self, ids: Collection[str]) -> list[StoredChunk]:
        """Those of some chunks that the corpus has, in order of id; their entities are read with them."""
        new = sorted(set(ids) - self._chunks.keys())
        if new:
            rows = self.stores.graph.read("evidence_walk/find_chunks", corpus=self.stores.name, ids=new)
            found = to_chunks(rows[0])
            self._chunks |= dict.fromkeys(new)
            self._chunks |= found
            self.entities({one for chunk in found.values() for one in (*chunk.mentioned, *chunk.described)})
        return [chunk for one in sorted(set(ids)) if (chunk := self._chunks[one]) is not None]

    def points(self, ids: Collection[str]) -> Mapping[str, Point]:
        """Vectors of some chunks and of their sentences, by id; those without a vector are left out."""
        new = sorted(set(ids) - self._points.keys())
        self._points |= {point.id: point for point in self.stores.vectors.fetch(self.stores.name, "chunks", new)}
        return {one: self._points[one] for one in ids if one in self._points}

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """Number of chunks of the corpus that contain each of some terms; those that it lacks are left out."""
        new = sorted(set(terms) - self._frequencies.keys())
        if new:
            rows = self.stores.graph.read("evidence_walk/find_terms", corpus=self.stores.name, ids=new)
            self._frequencies |= dict.fromkeys(new, 0)
            self._frequencies |= {row["id"]: row["df"] for row in rows}
        return {term: df for term in terms if (df := self._frequencies[term])}

    def count_terms(self, chunk: StoredChunk) -> Mapping[str, int]:
        """Occurrences of each term in titles and text of a chunk."""
        if chunk.id not in self._counts:
            words = Counter(WORD.findall(chunk.words))
            counted: Counter[str] = Counter()
            for word, times in words.items():
                if word not in STOP_WORDS:
                    counted[self.stem(word)] += times
            self._counts[chunk.id] = counted
        return self._counts[chunk.id]

    def sentences_of(self, chunk: StoredChunk, entity: str) -> Sequence[int]:
        """Numbers of the sentences of a chunk that name an entity that it mentions."""
        if chunk.id not in self._sentences:
            mentioned = self.entities(chunk.mentioned)
            names = [normalise_name(one.label) for one in mentioned.values()]
            self._sentences[chunk.id] = dict(zip(mentioned, find_sentences(chunk.text, names), strict=True))
        return self._sentences[chunk.id][entity]
