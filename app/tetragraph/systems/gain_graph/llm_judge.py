"""Judge that asks a language model how much one chunk adds to another."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tetragraph.algorithms.quantise import MIDDLES
from tetragraph.arrays import Floats, Rows
from tetragraph.errors import LlmError, UnusableReply
from tetragraph.language.llm_steps import gain
from tetragraph.language.llm_steps.gain import Judgements, Way
from tetragraph.llm import Operation, Request
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.edge_diff import by_first
from tetragraph.systems.gain_graph.judge import GainJudge

_DECIMALS = 6
_FEW = 10
_SHARE = 0.1
"""Tolerated share of requested pairs without a usable reply; a few are always tolerated."""


@dataclass(frozen=True, slots=True)
class JudgePrompting:
    """Converts pairs of chunks to requests to a model.

    Candidates of a base are requested in order, ``batch`` at a time, so equal pairs lead to equal requests. In a batch
    of several, the other candidates may influence a judgement, which may so change in an update. With a batch of 1, or
    the judge ``same``, every pair is judged on its own.

    Attributes:
        table: All chunks of the corpus.
        way: Kind of judgement that is requested.
        batch: Largest number of candidates of a base in one request.
    """

    table: ChunkTable
    way: Way
    batch: int

    def batches(self, base: Rows, other: Rows) -> Iterator[tuple[int, list[int]]]:
        """Yield the row of a base and rows of candidates for each request; pairs as in :class:`GainJudge`."""
        size = 1 if self.way == "same" else self.batch
        for row, places in by_first(base):
            for start in range(0, len(places), size):
                yield row, other[places[start : start + size]].tolist()

    def texts(self, batch: tuple[int, Sequence[int]]) -> tuple[str, list[str]]:
        """Return the texts of a base and of its candidates for the prompt."""
        base, others = batch
        return self.table.chunk(base).passage, [self.table.chunk(row).passage for row in others]

    def requests(self, base: Rows, other: Rows) -> Iterator[Request]:
        """Yield the requests that judge these pairs if every reply is well formed."""
        return (gain.request(self.way, *self.texts(batch)) for batch in self.batches(base, other))


class LlmJudge:
    """Judges a base and some of its candidates in one request (see :class:`JudgePrompting`).

    Attributes:
        name: Kind of judgement, model, and the prompt with its version and hash.
        dropped: Number of judgements in replies for no candidate, or for one that was already judged.
        unusable: Number of pairs without a usable reply, also after a second request: a model may refuse a chunk.
        twin: Judge for these pairs, created on first use.

    Source:
        iG²RAG (2025), section 3.1 and algorithm 1; ``levels``, ``score`` and ``binary`` are the prompts of its
        appendix A.1, reworded. Deviations: a model that is asked for a level names it, in the paper it answers with a
        number in the level's interval; ``same`` is not in the paper, it is for small models, whose numbers are
        unreliable.
    """

    def __init__(self, operation: Operation, asking: JudgePrompting, make_twin: Callable[[], GainJudge]) -> None:
        self.name = f"{asking.way} {operation.model} {gain.prompt_of(asking.way).identity}"
        self.dropped = self.unusable = 0
        self._make_twin = make_twin
        self._operation = operation
        self._asking = asking
        self._judged = 0
        self._guard = threading.Lock()

    @cached_property
    def twin(self) -> GainJudge:
        return self._make_twin()

    def judge(self, base: Rows, other: Rows) -> Iterator[Floats]:
        """See :class:`GainJudge`; several requests run concurrently. A pair without a usable reply gets NaN.

        Raises:
            UnusableReply: too many pairs have no usable reply.
            LlmError: any other error of the operation, with a note on the progress; all replies are cached.
        """
        try:
            yield from self._operation.map(self._judge_batch, self._asking.batches(base, other))
        except (LlmError, KeyboardInterrupt) as error:
            error.add_note(
                f"{self._judged:,} of {len(base):,} pairs judged, all kept; the graph is as it was. Run the same "
                f"command again, and it goes on from there."
            )
            raise

    def _judge_batch(self, batch: tuple[int, list[int]]) -> Floats:
        try:
            found = gain.judge(self._operation, self._asking.way, *self._asking.texts(batch))
        except UnusableReply as error:
            found = Judgements((math.nan,) * len(batch[1]), error=error)
        with self._guard:
            self._judged += len(found.values)
            self.dropped += found.dropped
            self.unusable += sum(map(math.isnan, found.values))
            is_too_much = self.unusable > max(_FEW, _SHARE * self._judged)
        if found.error and is_too_much:
            base, *others = (self._asking.table.ids[row] for row in (batch[0], *batch[1]))
            found.error.add_note(
                f"{self.unusable:,} of {self._judged:,} pairs have no usable reply, the last of them when it was asked "
                f"what chunks {', '.join(others)} add to chunk {base}."
            )
            raise found.error
        if self._asking.way == "levels":
            middles = [math.nan if math.isnan(place) else MIDDLES[int(place)] for place in found.values]
            return np.array(middles)
        return np.array(found.values).round(_DECIMALS)
