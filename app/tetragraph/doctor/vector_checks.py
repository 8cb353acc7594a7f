"""Compares the Qdrant collections of a corpus with the contents that Neo4j requires."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tetragraph.host.batches import in_batches
from tetragraph.indexing.documents import passage_hash
from tetragraph.indexing.embedding import embed_chunks
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk, Metadata
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, Layout, Point
from tetragraph.systems.base import CheckContext, VectorSource
from tetragraph.systems.registry import BUILD_TARGETS

_BATCH = 1_024
Ids = list[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences between a collection and its expected contents, as ids in ascending order.

    Attributes:
        missing: Ids without a point.
        stale: Ids whose point was embedded from other content.
        orphaned: Ids of points without a node in Neo4j.
    """

    missing: Ids
    stale: Ids
    orphaned: Ids


class ChunkVectors:
    """The collection ``chunks``: one vector for each chunk; the only source that belongs to no build target."""

    kind: Kind = "chunks"
    follows_chunks = False

    def __init__(self, context: CheckContext) -> None:
        self._context = context

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Hash of the embedded text by chunk id."""
        return {node: passage_hash(chunk) for node, chunk in self._context.chunks.items()}

    def ids(self) -> Collection[str]:
        return self._context.chunks

    def stale(self, stored_hashes: Mapping[str, str]) -> list[str]:
        return [node for node, found in stored_hashes.items() if found != self.hashes[node]]

    def points(self, ids: Sequence[str]) -> Iterator[list[Point]]:
        for some in in_batches(ids, _BATCH):
            yield self._embed([self._context.chunks[node] for node in some])

    def _embed(self, chunks: Sequence[Chunk]) -> list[Point]:
        vectors = embed_chunks(self._context.embedder(), self._context.stores.record.sentences, chunks)
        return [
            Point(chunk.id, vectors.passages[row], passage_hash(chunk), chunk.metadata, vectors.of_sentences(row))
            for row, chunk in enumerate(chunks)
        ]


class Contents:
    """Expected contents of the collections of a corpus, read from Neo4j on first use.

    Args:
        context: Dependencies of the checks.
    """

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self._chunks = ChunkVectors(context)

    @property
    def stores(self) -> CorpusStores:
        """The stores of the corpus."""
        return self.context.stores

    @property
    def chunks(self) -> dict[str, Chunk]:
        """All chunks by id, in ascending order of id."""
        return self.context.chunks

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The collections that a corpus can have, chunks before what is computed from their vectors."""
        return ("chunks", "entities", "relations", "communities")

    @cached_property
    def _sources(self) -> dict[Kind, VectorSource]:
        built = [target for name, target in BUILD_TARGETS.items() if name in self.stores.record.graphs]
        sources = [source for target in built for source in target.vector_sources(self.context)]
        return {source.kind: source for source in (self._chunks, *sources)}

    def layout(self, kind: Kind) -> Layout:
        """The layout that the vectors of a collection must have."""
        has_sentences = kind == "chunks" and self.stores.record.sentences != "none"
        return Layout(self.stores.record.dimension, has_sentences)

    def fits(self, kind: Kind) -> bool:
        """Whether a collection can hold the corpus' vectors; True where there is none yet."""
        found, wanted = self.stores.vectors.layout(self.stores.name, kind), self.layout(kind)
        return found is None or (found.dimension == wanted.dimension and found.sentences >= wanted.sentences)

    def compare(self, kind: Kind) -> Comparison:
        """Differences between a collection and its expected contents."""
        found = self.stores.vectors.hashes(self.stores.name, kind)
        source = self._sources.get(kind)
        wanted = {*source.ids()} if source else set()
        return Comparison(
            sorted(wanted - found.keys()),
            sorted(self._stale(source, {node: found[node] for node in sorted(wanted & found.keys())})),
            sorted(found.keys() - wanted),
        )

    def with_wrong_sentences(self) -> Ids:
        """Ids of chunks with a vector whose sentences have not one each, in a corpus that stores these.

        Another version of the splitter may have divided their text differently.
        """
        if self.stores.record.sentences == "none":
            return []
        pages = self.stores.vectors.scroll_sentences(self.stores.name, "chunks")
        counts = {node: len(vectors) for page in pages for node, vectors in zip(*page, strict=True)}
        found = self.chunks.keys() & self.stores.vectors.hashes(self.stores.name, "chunks").keys()
        return sorted(node for node in found if counts.get(node) != len(sentence_spans(self.chunks[node].text)))

    def with_other_metadata(self, compared: Comparison) -> Ids:
        """Ids of chunks whose point has their text and other metadata than Neo4j.

        Args:
            compared: Comparison of the chunks: those without a point of their text are left out.
        """
        found = self.stores.vectors.metadata(self.stores.name, "chunks")
        wrong = {*compared.missing, *compared.stale}
        return [
            node
            for node, chunk in self.chunks.items()
            if node not in wrong and found.get(node) != _as_stored(chunk.metadata)
        ]

    def points(self, kind: Kind, ids: Sequence[str]) -> Iterator[list[Point]]:
        """The points of these ids, in batches; texts are embedded as a build embeds them."""
        source = self._sources.get(kind)
        if source is None or (source.follows_chunks and not self.fits("chunks")):
            return iter(())
        return source.points(ids)

    def _stale(self, source: VectorSource | None, stored_hashes: Mapping[str, str]) -> list[str]:
        if source is None or (source.follows_chunks and not self._are_chunks_right()):
            return []
        return source.stale(stored_hashes)

    def _are_chunks_right(self) -> bool:
        found = self.stores.vectors.hashes(self.stores.name, "chunks") if self.fits("chunks") else {}
        return {chunk: found.get(chunk) for chunk in self.chunks} == self._chunks.hashes


def _as_stored(metadata: Metadata) -> dict[str, Any]:
    """Metadata as a vector store returns them, which has lists and no tuples."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in metadata.items()}
