"""A language model says how much one chunk adds to another."""

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
"""Pairs without a usable reply that a build puts up with: a few, and this share of those asked about."""


@dataclass(frozen=True, slots=True)
class JudgePrompting:
    """How pairs of chunks become questions to a model.

    Candidates of a base are asked about in their order, ``batch`` at a time, so the same pairs make the same calls.
    In a batch of several, what stands beside a candidate may sway the model: among other pairs, such as those of an
    update, it may be judged otherwise. With a batch of 1 every pair is judged by itself, and so it is by ``same``.

    Attributes:
        table: The chunks.
        way: What is asked for.
        batch: Candidates of a base in one call, at the most.
    """

    table: ChunkTable
    way: Way
    batch: int

    def batches(self, base: Rows, other: Rows) -> Iterator[tuple[int, list[int]]]:
        """Rows of a base with those of its candidates, one for each call; pairs as :class:`GainJudge` takes them."""
        size = 1 if self.way == "same" else self.batch
        for row, places in by_first(base):
            for start in range(0, len(places), size):
                yield row, other[places[start : start + size]].tolist()

    def texts(self, batch: tuple[int, Sequence[int]]) -> tuple[str, list[str]]:
        """Texts of a base and of its candidates for the prompt."""
        base, others = batch
        return self.table.chunk(base).passage, [self.table.chunk(row).passage for row in others]

    def requests(self, base: Rows, other: Rows) -> Iterator[Request]:
        """The calls that judging these pairs makes if every reply is as it should be."""
        return (gain.request(self.way, *self.texts(batch)) for batch in self.batches(base, other))


class LlmJudge:
    """Judges by asking about a base and some of its candidates in one call (see :class:`JudgePrompting`).

    Attributes:
        name: Way, model, and the prompt with its version and hash.
        dropped: Judgements in replies that belong to no candidate, or to one that was judged already.
        unusable: Pairs of which no reply could be used, not when asked again either: a model may refuse a passage.
        twin: Judges these; made when it is first needed.

    Source:
        iG²RAG (2025), section 3.1 and algorithm 1; ``levels``, ``score`` and ``binary`` are the prompts of its
        appendix A.1, in words of our own. Deviations: a model that is asked for a level names it, the paper's
        answers with a number of the level's interval; ``same`` is not the paper's, it is for small models, whose
        numbers say nothing.
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
        """See :class:`GainJudge`; several calls are under way at a time. A pair without a usable reply gets NaN.

        Raises:
            UnusableReply: too many pairs have none.
            LlmError: what else the operation raises, with a note of how much is done; all replies are kept.
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
