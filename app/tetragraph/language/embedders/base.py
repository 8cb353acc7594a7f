"""Protocol of embedders, and the checks that all adapters share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbeddingFailed
from tetragraph.host import optional_imports

OnDone: TypeAlias = Callable[[int], None]
"""Progress callback: receives the number of chunks embedded since the previous call."""
Spans: TypeAlias = Sequence[tuple[int, int]]
"""Parts of a text, such as its sentences: start and end of each, in characters."""


class Embedder(Protocol):
    """Converts texts to vectors of length 1, whose dot product is their cosine similarity.

    A text longer than the model's window is truncated silently: chunking keeps chunks below ``max_tokens``. The same
    text gives the same vector, independently of the other texts, unless the adapter documents otherwise. Safe to share
    between threads.
    """

    @property
    def name(self) -> str:
        """Name in the settings and in the record of a corpus: ``minilm``, ``openai:<model>``, and so on."""

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""

    @property
    def max_tokens(self) -> int:
        """Largest number of tokens of a text that the model reads, as counted by ``count_tokens``."""

    @property
    def model_hash(self) -> str:
        """SHA-256 of the model's file; empty if there is no such file."""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        """``(n, dimension)`` vectors of the chunks, in their order.

        Raises:
            EmbeddingFailed: the model returned no usable vector.
            MissingDependency: a package that the model needs is not installed.
        """

    def embed_question(self, question: str) -> Vectors:
        """``(dimension,)`` vector of a question, which some models embed unlike a chunk; raises as ``embed``."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in tokens of the model, without special tokens and without truncation."""


@runtime_checkable
class SpanEmbedder(Protocol):
    """An :class:`Embedder` that also computes vectors for parts of a chunk, in the same pass as for the chunk."""

    def embed_with_spans(
        self, passages: Sequence[str], spans: Sequence[Spans], on_done: OnDone | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        """Embed chunks and spans of them; the chunk vectors are byte-identical to those of ``embed``.

        The vector of a span is the mean of the contextual vectors of the tokens that begin in it, scaled to length 1.
        A span without a token inside the window of the model gets the vector of its chunk.

        Args:
            passages: ``n`` texts of chunks.
            spans: Spans of each chunk to embed.
            on_done: Called with the number of chunks embedded since the previous call.

        Returns:
            ``(n, dimension)`` vectors of the chunks, and ``(spans, dimension)`` vectors for each chunk.

        Raises:
            EmbeddingFailed, MissingDependency: as ``embed``.
        """


def unit_length(vectors: NDArray[np.floating], dimension: int, texts: Sequence[str]) -> Vectors:
    """Scale vectors to length 1.

    Args:
        vectors: ``(n, dimension)`` as returned by the model.
        dimension: Required length of each vector.
        texts: Texts of the vectors, for the message.

    Raises:
        EmbeddingFailed: wrong shape, a value that is not finite, or a vector of length 0; the message shows the first
            text with such a vector.
    """
    if vectors.shape != (len(texts), dimension):
        raise EmbeddingFailed(
            f"the model must give {len(texts)} vectors of {dimension} numbers, got an array of shape {vectors.shape}"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)))
    if bad.size:
        raise EmbeddingFailed(
            f"a vector must hold finite numbers and not only zeros; {bad.size} do not, the first is that of "
            f"{texts[int(bad[0])][:80]!r}"
        )
    return np.asarray(vectors / lengths, dtype=np.float32)


def import_package(module: str, install: str) -> ModuleType:
    """Import an optional package when it is needed.

    Args:
        module: Import name of the package.
        install: Argument of ``pip install``.

    Raises:
        MissingDependency: the package is not installed; the message has the command that installs it.
    """
    missing = "this embedder needs the package {package}, which is not installed: pip install "
    return optional_imports.required(module, f"{missing}{install}")
