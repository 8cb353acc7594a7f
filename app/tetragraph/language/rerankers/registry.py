"""Rerankers by their names in the option ``rerank``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tetragraph.language.rerankers.base import Reranker
from tetragraph.language.rerankers.cross_encoder import cross_encoder
from tetragraph.language.rerankers.late_interaction import late_interaction

RERANKERS: Final[Mapping[str, Callable[[], Reranker]]] = {
    "cross-encoder": cross_encoder,
    "late-interaction": late_interaction,
}


def load_reranker(name: str) -> Reranker:
    """Return the reranker of a name in ``RERANKERS``; packages and the model's file are loaded on its first use.

    Raises:
        MissingDependency: the model is not installed; the message has the command that installs it.
    """
    return RERANKERS[name]()
