"""Vectors of chunks and, where the corpus stores them, of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch, InvalidInput
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders import Embedder, SpanEmbedder
from tetragraph.language.embedders.base import OnDone, Spans
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk
from tetragraph.stores.vectors import check_vectors

SENTENCES = ("pooled", "separate", "none")
"""Methods of embedding sentences: pooled from the forward pass of the chunk, each embedded separately, or none."""


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """Vectors of ``n`` chunks.

    Attributes:
        passages: ``(n, dimension)`` vectors of the chunks.
        sentences: For each chunk the ``(sentences, dimension)`` vectors of its sentences, a row for each of
            ``sentence_spans(chunk.text)``; None in a corpus without.
    """

    passages: Vectors
    sentences: list[Vectors] | None

    def __getitem__(self, rows: slice) -> ChunkVectors:
        """The vectors of a range of the chunks."""
        return ChunkVectors(self.passages[rows], None if self.sentences is None else self.sentences[rows])

    def of_sentences(self, row: int) -> Vectors | None:
        """The vectors of the sentences of one chunk."""
        return None if self.sentences is None else self.sentences[row]


def choose_sentences(embedder: Embedder, wanted: str | None) -> str:
    """The method by which a new corpus embeds sentences.

    Args:
        embedder: Embedder of the corpus.
        wanted: Requested method; None for ``separate`` where the embedder runs on this machine and can pool,
            otherwise for ``none``, as every sentence would be paid for.

    Raises:
        InvalidInput: the method is unknown, or the embedder does not support it.
    """
    can_pool = isinstance(embedder, SpanEmbedder)
    if wanted is None:
        return "separate" if can_pool else "none"
    if wanted not in SENTENCES:
        raise InvalidInput(f"sentences must be one of {', '.join(SENTENCES)}, got {wanted!r}")
    if wanted == "pooled" and not can_pool:
        raise InvalidInput(
            f"the embedder {embedder.name!r} gives no vectors of sentences along with those of passages, got sentences "
            "'pooled': choose 'separate', which embeds each sentence by itself, or 'none'"
        )
    return wanted


def embed_chunks(
    embedder: Embedder, sentences: str, chunks: Sequence[Chunk], on_done: OnDone | None = None
) -> ChunkVectors:
    """Vectors of chunks.

    Args:
        embedder: Embedder of the corpus.
        sentences: One of ``SENTENCES``.
        chunks: ``n`` chunks.
        on_done: Called with the number of further embedded chunks.

    Raises:
        EmbeddingFailed: the model returned no usable vector.
        EmbedderMismatch: sentences are to be pooled, and the embedder cannot pool.
    """
    if not chunks:
        empty = np.zeros((0, embedder.dimension), dtype=np.float32)
        return ChunkVectors(empty, None if sentences == "none" else [])
    passages = [chunk.passage for chunk in chunks]
    names = [chunk.document_id for chunk in chunks]
    if sentences == "pooled":
        vectors, pooled = _require_pooling(embedder).embed_with_spans(
            passages, [_spans(chunk) for chunk in chunks], on_done
        )
        return ChunkVectors(check_vectors(vectors, embedder.dimension, names), pooled)
    vectors = check_vectors(embedder.embed(passages, on_done), embedder.dimension, names)
    return ChunkVectors(vectors, _embed_separately(embedder, chunks) if sentences == "separate" else None)


def _require_pooling(embedder: Embedder) -> SpanEmbedder:
    """Check that the embedder can pool: it may be installed in another variant than when the corpus was created."""
    if not isinstance(embedder, SpanEmbedder):
        raise EmbedderMismatch(
            f"the corpus has vectors of sentences that {embedder.name!r} gave along with those of passages, and as it "
            f"is installed here it gives none: {install_command('local')}"
        )
    return embedder


def _spans(chunk: Chunk) -> Spans:
    """The spans of a chunk's sentences in its passage."""
    lead = len(chunk.passage) - len(chunk.text)
    return [(lead + start, lead + end) for start, end in sentence_spans(chunk.text)]


def _with_titles(chunk: Chunk, start: int, end: int) -> str:
    """A sentence preceded by the titles of its chunk, without which its subject is often unclear."""
    titles = chunk.passage.removesuffix(chunk.text).removesuffix(". ")
    sentence = chunk.text[start:end]
    return f"{titles}: {sentence}" if titles else sentence


def _embed_separately(embedder: Embedder, chunks: Sequence[Chunk]) -> list[Vectors]:
    """For each chunk the vectors of its sentences, each embedded separately after the titles, and equal ones once."""
    texts = [[_with_titles(chunk, *span) for span in sentence_spans(chunk.text)] for chunk in chunks]
    distinct = list(dict.fromkeys(text for of_chunk in texts for text in of_chunk))
    rows = {text: row for row, text in enumerate(distinct)}
    vectors = check_vectors(embedder.embed(distinct), embedder.dimension, distinct)
    return [vectors[[rows[text] for text in of_chunk]] for of_chunk in texts]
