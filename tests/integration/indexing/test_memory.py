"""The memory of an ingest that grows with the corpus is a small part of what the corpus holds."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tetragraph import Document, Settings, Tetragraph
from tetragraph.algorithms import near_copies as copies
from tetragraph.algorithms import similarity_scale
from tetragraph.arrays import Vectors
from tetragraph.connection import Connection
from tetragraph.indexing import documents, entity_difference, near_copies
from tetragraph.indexing.publishing import Publishing
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.base import OnDone, Spans
from tetragraph.language.lexicon import analysis
from tetragraph.progress import NoProgress
from tetragraph.stores import chunk_table

DIMENSION = 384
SENTENCES = 6
BYTES_A_CHUNK = 6_500
"""Those of a chunk with its vectors are 13 kB: 1 kB of text, and 7 vectors of 384 numbers of 4 bytes."""


class _Drawn:
    """An embedder whose vectors are drawn at random from the text, as a model would take minutes."""

    name = "drawn"
    max_tokens = 1_000_000
    model_hash = ""
    dimension = DIMENSION

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        """See ``Embedder``."""
        return self._draw(len(passages), sum(map(len, passages)))

    def embed_question(self, question: str) -> Vectors:
        """See ``Embedder``."""
        return self._draw(1, len(question)).reshape(-1)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of words."""
        return [len(text.split()) for text in texts]

    def embed_with_spans(
        self, passages: Sequence[str], spans: Sequence[Spans], on_done: OnDone | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        """See ``SpanEmbedder``."""
        return self.embed(passages), [self._draw(len(parts), place) for place, parts in enumerate(spans)]

    @staticmethod
    def _draw(count: int, seed: int) -> Vectors:
        drawn = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), dtype=np.float32)


class _Connection(Connection):
    def embedder(self, name: str) -> Embedder:
        return _Drawn() if name == _Drawn.name else super().embedder(name)


def _documents(count: int) -> Iterator[Document]:
    words = ["".join(letters) for letters in itertools.product("bdfgklmn", "aeiou", "prstvz", "aeo")]
    draw = np.random.default_rng(7)
    for number in range(count):
        names = [f"{words[(number // 4 + row * row) % len(words)].title()} Halvik" for row in range(SENTENCES)]
        drawn = draw.choice(words, (SENTENCES, 20)).tolist()
        text = " ".join(f"When {name} saw {' '.join(some)}." for name, some in zip(names, drawn, strict=True))
        yield Document(f"d{number}", f"Report {number} of {names[0]}", text)


@pytest.mark.slow
def test_the_memory_of_a_publish_is_a_part_of_what_a_corpus_holds(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        (chunk_table, "_PAGE", 100),
        (chunk_table, "_FETCHED", 100),
        (entity_difference, "_PAGE", 100),
        (analysis, "_PACKED", 100),
        (analysis, "BLOCK", 10_000),
        (near_copies, "_BLOCK", 100),
        (copies, "_BLOCK", 10_000),
        (similarity_scale, "_NUMBERS", 10_000),
        (documents, "BATCH_CHARACTERS", 10_000_000),
        (documents, "BATCH_DOCUMENTS", 10_000),
        (documents, "FIRST_CHARACTERS", 10_000_000),
        (documents, "FIRST_DOCUMENTS", 10_000),
    ):
        monkeypatch.setattr(module, name, value)
    peaks: list[int] = []
    publish = Publishing.publish

    def traced(*arguments: Any, **options: Any) -> int:
        tracemalloc.start()
        try:
            return publish(*arguments, **options)
        finally:
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

    monkeypatch.setattr(Publishing, "publish", traced)
    sizes = (20, 150, 400)
    """The first loads what the first publish of a process loads."""
    with Tetragraph(_Connection.open(server_settings, NoProgress())) as client:
        for size in sizes:
            corpus = client.corpus(f"{corpus_name}-{size}")
            corpus.ingest(_documents(size), build=(), embedder=_Drawn.name, sentences="pooled")
    assert len(peaks) == len(sizes)
    assert (peaks[2] - peaks[1]) / (sizes[2] - sizes[1]) < BYTES_A_CHUNK
