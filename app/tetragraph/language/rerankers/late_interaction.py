"""A late-interaction model, which compares the words of question and passage: answerai-colbert-small-v1 in 8 bits.

Source:
    Khattab & Zaharia (2020), ColBERT, section 3: the sum over the tokens of the question of the largest similarity with
    a token of the passage. Deviations: the mean in place of the sum, so that questions of different length compare; the
    packaged file lacks the last projection of the model, so that the hidden states themselves are compared.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.arrays import Floats, Vectors
from tetragraph.host.processors import map_on_processors
from tetragraph.language.embedders.onnx_bert import CLS, SEP, encode, load_tokenizer, open_session, run_model
from tetragraph.language.rerankers.base import MOST_QUESTION, WINDOW, OnnxReranker

_QUESTION, _PASSAGE = 1, 2
"""Ids of the tokens by which the model tells questions from passages."""


class LateInteraction(OnnxReranker):
    """A reranker whose score is a mean of cosines, -1 to 1; a passage is read once for all questions.

    Each text is a run of its own: see :class:`tetragraph.language.rerankers.cross_encoder.CrossEncoder`.
    """

    def score(self, questions: Sequence[str], passages: Sequence[str]) -> Floats:
        session = open_session(self._file)
        marks = [load_tokenizer().token_to_id(mark) for mark in string.punctuation]
        asked = [_read(session, _QUESTION, ids[:MOST_QUESTION])[2:-1] for ids in encode(questions)]

        def compare(ids: Sequence[int]) -> list[float]:
            vectors = _read(session, _PASSAGE, ids[: WINDOW - 3])
            words = np.isin([CLS, _PASSAGE, *ids[: WINDOW - 3], SEP], marks, invert=True)
            return [_late_interaction(one, vectors[words]) for one in asked]

        scores = map_on_processors(compare, list(encode(passages)))
        return np.array(scores, dtype=np.float64).reshape(len(passages), len(questions)).T


def _read(session: Any, kind: int, ids: Sequence[int]) -> Vectors:
    """``(tokens, 384)`` vectors of length 1: of the beginning, the kind, each token and the end."""
    hidden = run_model(session, np.array([[CLS, kind, *ids, SEP]]))[0]
    return np.asarray(hidden / np.linalg.norm(hidden, axis=1, keepdims=True), dtype=np.float32)


def _late_interaction(question: Vectors, passage: Vectors) -> float:
    """Mean over the tokens of a question of the largest cosine with a token of a passage; 0 without tokens."""
    if not len(question):
        return 0.0
    return float(dot_products(question[:, None], passage).max(axis=1).mean())
