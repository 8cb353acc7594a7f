"""Any model that fastembed supports; it downloads the file on first use and stores it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbeddingFailed
from tetragraph.language.embedders.base import OnDone, import_package, unit_length

_BATCH = 32
_SPECIAL = 2


class FastembedModel:
    """An embedder named ``fastembed:<model>``. A text longer than the model's window is truncated.

    Vectors of models with 8-bit arithmetic depend slightly on which texts share a batch of 32; the given order is
    preserved, so that the same chunks in the same order give the same bytes.
    """

    def __init__(self, model: str, name: str | None = None) -> None:
        self._name = name or f"fastembed:{model}"
        self._model = model
        self._loading = threading.Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return int(self._ready().embedding_size)

    @property
    def max_tokens(self) -> int:
        return int(self._ready().model.tokenizer.truncation["max_length"]) - _SPECIAL

    @property
    def model_hash(self) -> str:
        return ""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        rows: list[NDArray[np.floating]] = []
        for row in self._ready().passage_embed(list(passages), batch_size=_BATCH):
            rows.append(row)
            if on_done:
                on_done(1)
        return unit_length(np.array(rows).reshape(len(rows), self.dimension), self.dimension, passages)

    def embed_question(self, question: str) -> Vectors:
        rows = np.array(list(self._ready().query_embed([question])))
        return np.asarray(unit_length(rows, self.dimension, [question])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        tokenizer = import_package("tokenizers", "fastembed").Tokenizer.from_str(self._ready().model.tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return [len(encoding.ids) for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def _ready(self) -> Any:
        with self._loading:
            if self._loaded is None:
                library = import_package("fastembed", "fastembed")
                try:
                    self._loaded = library.TextEmbedding(self._model)
                except (OSError, ValueError) as error:
                    raise EmbeddingFailed(
                        f"fastembed cannot load the model {self._model!r}: {error}; it must be one of those that "
                        "fastembed lists, and its hub must be reachable at the first use"
                    ) from error
            return self._loaded
