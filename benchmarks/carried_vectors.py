"""An embedder that looks up the vectors of known passages, which saves an hour of computation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from benchmarks.synthetic import Passage, rotate
from tetragraph.arrays import Vectors
from tetragraph.indexing.chunking import split_many
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.base import OnDone, Spans
from tetragraph.model import Document

NAME = "carried"
_KEPT_COPIES = 2
"""Number of turned copies that are remembered, as the passages of a copy come one after another."""


@dataclass(frozen=True, slots=True)
class Original:
    """Vectors of a real passage: ``(dimension,)``, and ``(sentences, dimension)`` for its sentences."""

    passage: Vectors
    sentences: Vectors


class CarriedVectors:
    """Vectors of synthetic passages, looked up by the text to embed; questions are embedded by the model.

    Texts of any length are accepted, so a passage is one chunk.

    Args:
        model: Embedder of the originals.
        originals: Vectors of the originals by row.
        passages: All passages that will be embedded.
    """

    name = NAME
    max_tokens = 1_000_000
    model_hash = ""

    def __init__(self, model: Embedder, originals: Sequence[Original], passages: Iterable[Passage]) -> None:
        self.dimension = model.dimension
        self._model = model
        every = np.concatenate([np.concatenate([one.passage[None], one.sentences]) for one in originals])
        self._bounds = np.cumsum([0, *(1 + len(one.sentences) for one in originals)])
        self._copy = lru_cache(_KEPT_COPIES)(partial(rotate, every))
        self._places = {_key(self._embedded(passage)): (passage.copy, passage.row) for passage in passages}

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        """See ``Embedder``."""
        if on_done:
            on_done(len(passages))
        return np.stack([self._vectors(passage)[0] for passage in passages])

    def embed_question(self, question: str) -> Vectors:
        """See ``Embedder``."""
        return self._model.embed_question(question)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of words; texts are never truncated."""
        return [len(text.split()) for text in texts]

    def _vectors(self, passage: str) -> Vectors:
        """The vector of a passage, followed by the vectors of its sentences."""
        copy, row = self._places[_key(passage)]
        begin, end = self._bounds[row : row + 2]
        return self._copy(copy)[begin:end]

    def _embedded(self, passage: Passage) -> str:
        document = Document(passage.id, passage.title, passage.text)
        [[chunk]] = split_many([document], max_tokens=self.max_tokens, count_tokens=self.count_tokens)
        return chunk.passage


class CarriedSentences(CarriedVectors):
    """An embedder with vectors of sentences, for originals that have them."""

    def embed_with_spans(
        self, passages: Sequence[str], spans: Sequence[Spans], on_done: OnDone | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        """See ``SpanEmbedder``; a surplus sentence, as other names may split differently, has its passage's vector."""
        sentences = []
        for passage, parts in zip(passages, spans, strict=True):
            found = self._vectors(passage)
            rows = [place + 1 if place + 1 < len(found) else 0 for place in range(len(parts))]
            sentences.append(found[rows])
        return self.embed(passages, on_done), sentences


def _key(passage: str) -> bytes:
    return hashlib.blake2b(passage.encode(), digest_size=16).digest()
