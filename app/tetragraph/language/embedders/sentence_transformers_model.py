"""Any model that sentence-transformers loads: from a hub, or from a folder."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbeddingFailed
from tetragraph.language.embedders.base import OnDone, import_package, unit_length

_BATCH = 32
_AT_ONCE = 512
_SPECIAL = 2
_USUAL_WINDOW = 512


class SentenceTransformersModel:
    """An embedder named ``sentence-transformers:<model>``. A text longer than the model's window is truncated.

    Texts share batches, so the last bits of a vector depend on the other texts.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._loading = threading.Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        return f"sentence-transformers:{self._model}"

    @property
    def dimension(self) -> int:
        return int(self._ready().get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        return int(self._ready().max_seq_length or _USUAL_WINDOW) - _SPECIAL

    @property
    def model_hash(self) -> str:
        return ""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        model, vectors = self._ready(), np.empty((len(passages), self.dimension), dtype=np.float32)
        for start in range(0, len(passages), _AT_ONCE):
            batch = list(passages[start : start + _AT_ONCE])
            vectors[start : start + len(batch)] = model.encode_document(
                batch, batch_size=_BATCH, show_progress_bar=False
            )
            if on_done:
                on_done(len(batch))
        return unit_length(vectors, self.dimension, passages)

    def embed_question(self, question: str) -> Vectors:
        rows = np.asarray(self._ready().encode_query([question], show_progress_bar=False))
        return np.asarray(unit_length(rows, self.dimension, [question])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        encode = self._ready().tokenizer
        return [len(encode(text, add_special_tokens=False, truncation=False)["input_ids"]) for text in texts]

    def _ready(self) -> Any:
        with self._loading:
            if self._loaded is None:
                library = import_package("sentence_transformers", "'sentence-transformers>=5.4'")
                try:
                    self._loaded = library.SentenceTransformer(self._model)
                except (OSError, ValueError) as error:
                    raise EmbeddingFailed(
                        f"sentence-transformers cannot load the model {self._model!r}: {error}; it must be a folder "
                        "or a model of a hub that is reachable at the first use"
                    ) from error
            return self._loaded
