"""Documents with their chunks and vectors, computed a batch at a time, here or by a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TypeAlias

from tetragraph.errors import EmbeddingFailed
from tetragraph.executors import Step
from tetragraph.indexing.chunking import split_many
from tetragraph.indexing.embedding import ChunkVectors, embed_chunks
from tetragraph.language.detection import find_language
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.base import OnDone
from tetragraph.language.embedders.steps import load_here
from tetragraph.model import Chunk, Document

Embedded: TypeAlias = tuple[Sequence[Chunk], ChunkVectors] | str
"""The chunks of a document and their vectors; or the reason why the document could not be embedded."""


@dataclass(frozen=True)
class EmbeddedDocument:
    """A document with its chunks and their vectors."""

    document: Document
    chunks: Sequence[Chunk]
    vectors: ChunkVectors

    @cached_property
    def language(self) -> str:
        """Code of its language; empty if unknown."""
        return find_language(self.document.text)


@dataclass(frozen=True, slots=True)
class EmbedDocuments(Step[Sequence[Document], list[Embedded]]):
    """Splits documents and embeds their chunks, with an embedder that needs no settings."""

    embedder: str
    chunk_tokens: int
    sentences: str

    def load(self) -> Callable[[Sequence[Document]], list[Embedded]]:
        model = load_here(self.embedder)
        return lambda documents: embed_documents(model, self.chunk_tokens, self.sentences, documents)


def embed_documents(
    embedder: Embedder,
    chunk_tokens: int,
    sentences: str,
    documents: Sequence[Document],
    on_split: OnDone | None = None,
    on_done: OnDone | None = None,
) -> list[Embedded]:
    """Chunks and vectors of each document, or the reason why it has none.

    All chunks are embedded together; if that fails, those of each document are.

    Args:
        embedder: Embedder of the corpus.
        chunk_tokens: Longest chunk, in tokens.
        sentences: Method of embedding sentences; see :data:`tetragraph.indexing.embedding.SENTENCES`.
        documents: Documents that can be read.
        on_split: Called with the number of chunks.
        on_done: Called with the number of further embedded chunks.
    """
    split = split_many(documents, max_tokens=chunk_tokens, count_tokens=embedder.count_tokens)
    if on_split:
        on_split(sum(map(len, split)))
    try:
        vectors = embed_chunks(embedder, sentences, [chunk for chunks in split for chunk in chunks], on_done)
    except EmbeddingFailed:
        return [_embed_one(embedder, sentences, chunks, on_done) for chunks in split]
    bounds = [0, *accumulate(len(chunks) for chunks in split)]
    return [(chunks, vectors[start:end]) for chunks, (start, end) in zip(split, pairwise(bounds), strict=True)]


def _embed_one(embedder: Embedder, sentences: str, chunks: Sequence[Chunk], on_done: OnDone | None) -> Embedded:
    try:
        return chunks, embed_chunks(embedder, sentences, chunks, on_done)
    except EmbeddingFailed as error:
        return str(error)
