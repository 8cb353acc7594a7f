"""An embedder without a model, for measurements that need many vectors: sums of vectors that belong to the words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tetragraph import Tetragraph
from tetragraph.arrays import Vectors
from tetragraph.connection import Connection
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.base import OnDone
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings

NAME = "words"
DIMENSION = 384
_WORD = re.compile(r"\w+")


class WordVectors:
    """Texts with the same words are similar, which is enough for graphs of a realistic size."""

    name = NAME
    dimension = DIMENSION
    max_tokens = 512
    model_hash = ""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        """See ``Embedder``."""
        if on_done:
            on_done(len(passages))
        return (
            np.stack([_sum_up(passage) for passage in passages]) if passages else np.zeros((0, DIMENSION), np.float32)
        )

    def embed_question(self, question: str) -> Vectors:
        """See ``Embedder``."""
        return _sum_up(question)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of words."""
        return [len(_WORD.findall(text)) for text in texts]


def _sum_up(text: str) -> Vectors:
    words = _WORD.findall(text.lower()) or [""]
    total = np.sum([_vector(word) for word in words], axis=0, dtype=np.float32)
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32)


@lru_cache(200_000)
def _vector(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSION, dtype=np.float32)


class WordConnection(Connection):
    """A connection that has this embedder, too."""

    def embedder(self, name: str) -> Embedder:
        return WordVectors() if name == NAME else super().embedder(name)


def connect(settings: Settings) -> Tetragraph:
    """A client that can embed with it."""
    return Tetragraph(WordConnection.open(settings, NoProgress()))
