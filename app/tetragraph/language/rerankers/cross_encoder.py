"""A cross-encoder, which reads question and passage as one text: ms-marco-MiniLM-L-12-v2 with 8-bit arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from tetragraph.arrays import Floats
from tetragraph.host.processors import map_on_processors
from tetragraph.language.embedders.onnx_bert import CLS, SEP, encode, open_session, run_model
from tetragraph.language.rerankers.base import MOST_QUESTION, WINDOW, OnnxReranker


class CrossEncoder(OnnxReranker):
    """A reranker whose score is the model's output for a pair, a logit of about -12 to 12.

    Each pair is a run of its own: arithmetic of 8 bits takes its range of values from the whole run, and a run of
    several pairs takes as long as these alone.
    """

    def score(self, questions: Sequence[str], passages: Sequence[str]) -> Floats:
        session = open_session(self._file)
        asked = [ids[:MOST_QUESTION] for ids in encode(questions)]
        pairs = list(product(asked, encode(passages)))
        scores = map_on_processors(lambda pair: _score(session, *pair), pairs)
        return np.array(scores, dtype=np.float64).reshape(len(questions), len(passages))


def _score(session: Any, question: Sequence[int], passage: Sequence[int]) -> float:
    """Score of a question and a passage, given as token ids without the special ones."""
    opening = [CLS, *question, SEP]
    closing = [*passage[: WINDOW - len(opening) - 1], SEP]
    types = np.repeat(np.array([[0, 1]]), [len(opening), len(closing)], axis=1)
    return float(run_model(session, np.array([opening + closing]), types)[0, 0])
