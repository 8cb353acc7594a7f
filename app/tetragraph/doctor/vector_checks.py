"""The collections of a corpus: what Qdrant should hold, by what Neo4j holds, and how it is made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tetragraph.indexing.documents import passage_hash
from tetragraph.indexing.embedding import embed_chunks
from tetragraph.language.embedders import Embedder
from tetragraph.model import Chunk
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, Layout, Point, Vectors, checked
from tetragraph.systems import bipartite_graph, encoding_tree
from tetragraph.systems.bipartite_graph import BipartiteGraph
from tetragraph.systems.bipartite_graph.vectors import WITHOUT, text_hash

ALIKE = 1e-3
"""Vectors that differ by less in each number are the same: Qdrant makes them of length 1 once more."""
_PAGE = 5_000
_BATCH = 1_024
Ids = list[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a collection differs from what it should hold; ids in order.

    Attributes:
        missing, stale, orphaned: Without a point; with a point of something else; points of nothing.
    """

    missing: Ids
    stale: Ids
    orphaned: Ids


@dataclass(frozen=True)
class Contents:
    """What the collections of a corpus should hold, read from Neo4j when it is first asked for.

    Attributes:
        stores: Of the corpus.
        embedder: Gives the corpus' own; loaded when it is first needed.
        progress: Told of every text that is embedded.
    """

    stores: CorpusStores
    embedder: Callable[[], Embedder]
    progress: Progress

    @cached_property
    def chunks(self) -> dict[str, Chunk]:
        """By id, in order of it."""
        return {chunk.id: chunk for chunk in chunk_table.find_chunks(self.stores)}

    @cached_property
    def _passages(self) -> dict[str, str]:
        """Hash of what a chunk's vector is made from, by id."""
        return {node: passage_hash(chunk) for node, chunk in self.chunks.items()}

    @cached_property
    def facts(self) -> dict[str, str]:
        """Texts by id of the relation."""
        return self._texts("doctor/find_facts") if self._has("bipartite") else {}

    @cached_property
    def names(self) -> dict[str, str]:
        """What entities are called in Neo4j, by id; a vector may be of another form of the name."""
        return self._texts("doctor/find_names", without=sorted(WITHOUT)) if self._has("bipartite") else {}

    @cached_property
    def communities(self) -> list[str]:
        """Ids of the tree's communities."""
        if not self._has("tree"):
            return []
        pages = self.stores.graph.pages("doctor/find_communities", by="last", corpus=self.stores.name, limit=_PAGE)
        return [node for page in pages for node in page["ids"]]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The collections that a corpus can have, chunks before what is made of their vectors."""
        return ("chunks", "entities", "relations", "communities")

    def layout(self, kind: Kind) -> Layout:
        """What the vectors of a collection have to be."""
        has_sentences = kind == "chunks" and self.stores.record.sentences != "none"
        return Layout(self.stores.record.dimension, has_sentences)

    def fits(self, kind: Kind) -> bool:
        """Whether a collection can take the corpus' vectors; also where there is none yet."""
        found, wanted = self.stores.vectors.layout(self.stores.name, kind), self.layout(kind)
        return found is None or (found.dimension == wanted.dimension and found.sentences >= wanted.sentences)

    def compare(self, kind: Kind) -> Comparison:
        """How a collection differs from what it should hold.

        Vectors of communities are told to be stale by the vectors of chunks: while these differ, none is.
        """
        found = self.stores.vectors.hashes(self.stores.name, kind)
        wanted = self._ids(kind)
        here = [node for node in wanted if node in found]
        return Comparison(
            sorted(wanted.keys() - found.keys()),
            sorted(self._stale(kind, here, found)),
            sorted(found.keys() - wanted.keys()),
        )

    def without_sentences(self) -> Ids:
        """Ids of chunks with a vector and without those of their sentences, in a corpus that keeps these."""
        if self.stores.record.sentences == "none":
            return []
        pages = self.stores.vectors.scroll_sentences(self.stores.name, "chunks")
        having = {chunk for ids, _ in pages for chunk in ids}
        found = self.stores.vectors.hashes(self.stores.name, "chunks")
        return sorted((self.chunks.keys() & found.keys()) - having)

    def points(self, kind: Kind, ids: Sequence[str]) -> Iterator[list[Point]]:
        """The points of some nodes, in batches; a text is embedded as a build would do it."""
        if kind == "communities":
            wanted = {*ids}
            yield [point for point in self._community_points() if point.id in wanted]
            return
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            yield self._chunk_points(some) if kind == "chunks" else self._text_points(kind, some)

    def _ids(self, kind: Kind) -> Mapping[str, object]:
        if kind == "chunks":
            return self.chunks
        if kind == "communities":
            return dict.fromkeys(self.communities)
        return self.facts if kind == "relations" else self.names

    def _stale(self, kind: Kind, ids: Ids, found: Mapping[str, str]) -> Ids:
        if kind == "chunks":
            return [node for node in ids if found[node] != self._passages[node]]
        if kind == "relations":
            return [node for node in ids if found[node] != text_hash(self.facts[node])]
        if kind == "communities":
            return self._stale_communities(ids)
        suspects = [node for node in ids if found[node] != text_hash(self.names[node])]
        known = self._written_names if suspects else frozenset()
        return [node for node in suspects if found[node] not in known]

    @cached_property
    def _written_names(self) -> frozenset[str]:
        """Hashes of all forms in which facts write names: an entity's vector is of the most frequent of its own."""
        return frozenset(map(text_hash, bipartite_graph.written_names(self.stores)))

    def _stale_communities(self, ids: Ids) -> Ids:
        """Those whose vector is not that of their chunks, whose own are right."""
        found = self.stores.vectors.hashes(self.stores.name, "chunks") if self.fits("chunks") else {}
        if {chunk: found.get(chunk) for chunk in self.chunks} != self._passages:
            return []
        wanted = {point.id: point.vector for point in self._community_points()}
        stored = self.stores.vectors.get(self.stores.name, "communities", ids)
        return [
            node
            for node in ids
            if node in wanted and not np.allclose(_unit(stored[node]), _unit(wanted[node]), rtol=0, atol=ALIKE)
        ]

    def _community_points(self) -> list[Point]:
        """None while a chunk has no vector, as those of communities are made from them."""
        rows = {chunk: row for row, chunk in enumerate(self.chunks)}
        if not rows or not self._has("tree") or not self.fits("chunks"):
            return []
        vectors, missing = self.stores.vectors_by_row("chunks", rows)
        return [] if missing else encoding_tree.derive(self.stores, rows, vectors)

    def _chunk_points(self, ids: Sequence[str]) -> list[Point]:
        chunks = [self.chunks[node] for node in ids]
        vectors = embed_chunks(self.embedder(), self.stores.record.sentences, chunks)
        return [
            Point(chunk.id, vectors.passages[row], passage_hash(chunk), chunk.metadata, vectors.of_sentences(row))
            for row, chunk in enumerate(chunks)
        ]

    def _text_points(self, kind: Kind, ids: Sequence[str]) -> list[Point]:
        texts = [self._text(kind, node) for node in ids]
        vectors = checked(self.embedder().embed(texts), self.embedder().dimension, texts)
        return [Point(node, vectors[row], text_hash(texts[row])) for row, node in enumerate(ids)]

    def _text(self, kind: Kind, node: str) -> str:
        if kind == "relations":
            return self.facts[node]
        derived = self._derived.entities.get(node)
        return derived.name if derived else self.names[node]

    @cached_property
    def _derived(self) -> BipartiteGraph:
        return bipartite_graph.derive(self.stores, list(self.chunks.values()), self.embedder(), self.progress)

    def _has(self, graph: str) -> bool:
        return graph in self.stores.record.graphs

    def _texts(self, query: str, **parameters: Any) -> dict[str, str]:
        """A page is one row of columns, as reading many rows takes longer than what is in them."""
        pages = self.stores.graph.pages(query, by="last", corpus=self.stores.name, limit=_PAGE, **parameters)
        return {node: text for page in pages for node, text in zip(page["ids"], page["texts"], strict=True)}


def differing(embedded: Vectors, stored: Sequence[Vectors]) -> int:
    """How many of ``(n, dimension)`` vectors are not those that were stored."""
    pairs = zip(embedded, stored, strict=True)
    return sum(not np.allclose(_unit(one), _unit(other), rtol=0, atol=ALIKE) for one, other in pairs)


def _unit(vector: Vectors) -> Vectors:
    return vector / (np.linalg.norm(vector) or 1.0)
