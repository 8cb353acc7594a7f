"""Embedding of texts as a step of an executor."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tetragraph.arrays import Vectors
from tetragraph.executors import LOCAL, Executor, Step
from tetragraph.language.embedders.base import Embedder
from tetragraph.language.embedders.registry import load_embedder, needs_key
from tetragraph.settings import Settings

SHARED = 512
"""Texts of one item: a multiple of the batches of every embedder, in which vectors can depend on their neighbours."""
_PROBE = ("Ada Lovelace wrote the first program in 1843.", "The Analytical Engine was never built; London, 51.5° N.")


@dataclass(frozen=True, slots=True)
class EmbedTexts(Step[Sequence[str], Vectors]):
    """Embeds texts with the embedder of a name, which needs no settings."""

    embedder: str

    def load(self) -> Callable[[Sequence[str]], Vectors]:
        return load_here(self.embedder).embed

    def probe(self) -> dict[str, str]:
        """The hash of the model, and that of the bytes of vectors: versions and processors can change them."""
        model = load_here(self.embedder)
        vectors = hashlib.sha256(model.embed(_PROBE).tobytes()).hexdigest()
        return {f"model {self.embedder}": model.model_hash or "-", f"vectors of {self.embedder}": vectors[:16]}


def load_here(name: str) -> Embedder:
    """The embedder of a name, without settings of the environment; only for one that needs no key."""
    return load_embedder(name, Settings.model_construct())


def executor_of(embedder: str, executor: Executor) -> Executor:
    """The executor that embeds: this process for a model at an endpoint, whose key no worker gets."""
    return LOCAL if needs_key(embedder) else executor
