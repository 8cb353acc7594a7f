"""What an operation may cost and has cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tetragraph.llm.model import Completion, Request
from tetragraph.spending import UNLIMITED, Budget, Usage


@dataclass(slots=True)
class PaidCall:
    """A call that is under way.

    Attributes:
        deadline: Value of ``time.monotonic`` at which it has to be over; None for no limit.
    """

    deadline: float | None
    reply: Completion | None = field(default=None, init=False)

    def settle(self, reply: Completion) -> None:
        """Say what came of it."""
        self.reply = reply


class Bill:
    """Counts calls and refuses those that do not fit into the budget."""

    def __init__(self, budget: Budget = UNLIMITED) -> None:
        self._budget = budget
        self._began = time.monotonic()
        self._usage = Usage()
        self._guard = threading.Lock()

    @property
    def usage(self) -> Usage:
        """What was counted so far."""
        return self._usage

    def add_cached(self, reply: Completion) -> None:
        """Count a reply of the cache."""
        self._add(Usage(cached=1))

    def add_repair(self) -> None:
        """Count a reply that has to be mended."""
        self._add(Usage(repairs=1))

    @contextmanager
    def paid(self, request: Request) -> Iterator[PaidCall]:
        """A call that is paid for, while it is under way.

        Raises:
            BudgetExhausted, DeadlineExceeded: it does not fit.
        """
        limit = self._budget.deadline_s
        call = PaidCall(None if limit is None else self._began + limit)
        try:
            yield call
        finally:
            reply = call.reply
            self._add(
                Usage(
                    calls=1,
                    failed=int(reply is None),
                    retries=reply.tries - 1 if reply else 0,
                    input_tokens=reply.input_tokens if reply else 0,
                    output_tokens=reply.output_tokens if reply else 0,
                    seconds=reply.seconds if reply else 0.0,
                )
            )

    def _add(self, usage: Usage) -> None:
        with self._guard:
            self._usage += usage
