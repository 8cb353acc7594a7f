"""Answers of sub-questions as a model reads them in the chunks that were found.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tetragraph.algorithms.chained_search import BeamOptions, Bridge
from tetragraph.language.extractive_qa.read_chunks import ReadChunk, read_chunks
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import ReaderWeights

Offered = Sequence[tuple[Bridge, float]]
"""Entities that a chunk offers as answers, and the logarithms of their probabilities."""


class ReadAnswers:
    """Reads the chunks that are found for sub-questions of one question.

    Args:
        index: Index of the corpus, or of a part of it.
        beam: Constants of the beam search: the number of chunks that are read, and the weight of their scores.
        options: Weights of what is read.
    """

    def __init__(self, index: Index, beam: BeamOptions, options: ReaderWeights) -> None:
        self._index = index
        self._beam = beam
        self._options = options
        self._read: dict[str, dict[int, ReadChunk]] = {}

    def rank(self, text: str, rows: Sequence[int], scores: Sequence[float]) -> tuple[list[int], list[float]]:
        """Add what is read in the best chunks to their scores; the others are taken to answer no better than the worst.

        Args:
            text: Sub-question with the answers that it needs.
            rows: Chunks found for it, best first.
            scores: Their scores.

        Returns:
            Chunks and scores, best first.
        """
        read = self._read_best(text, rows)
        lowest = min((one.best for one in read.values()), default=0.0)
        weight = self._options.answer / self._beam.sharpness
        added = {row: score + weight * _best(read.get(row), lowest) for row, score in zip(rows, scores, strict=True)}
        ranked = sorted(added, key=lambda row: (-added[row], row))
        return ranked, [added[row] for row in ranked]

    def order(self, text: str, row: int, offered: Offered) -> Offered:
        """The likeliest entities that a chunk offers, by the search and by what is read; unchanged if it was not read.

        Args:
            text: Sub-question with the answers that it needs, whose chunks were ranked before.
            row: The chunk.
            offered: Its entities.
        """
        read = self._read[text].get(row)
        most = self._options.bridges
        if read is None:
            return offered[:most]
        logs = np.array([self._options.search * log + self._score(read, bridge) for bridge, log in offered])
        logs -= np.logaddexp.reduce(logs)
        best = np.argsort(-logs, kind="stable")[:most].tolist()
        return [(offered[place][0], float(logs[place])) for place in best]

    def _read_best(self, text: str, rows: Sequence[int]) -> dict[int, ReadChunk]:
        if text not in self._read:
            best = list(rows[: self._beam.passages])
            self._read[text] = dict(zip(best, read_chunks(text, self._index.table.chunks_of(best)), strict=True))
        return self._read[text]

    def _score(self, read: ReadChunk, bridge: Bridge) -> float:
        return 0.0 if bridge is None else read.score_name(self._index.labels[bridge])


def _best(read: ReadChunk | None, lowest: float) -> float:
    return lowest if read is None else read.best
