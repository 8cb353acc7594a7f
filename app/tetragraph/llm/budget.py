"""Counts the usage of an operation, and refuses calls that its limits do not allow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, LlmError
from tetragraph.llm.cost import CostModel, weight
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, Budget, Total, Usage

Record = Callable[[Completion], AbstractContextManager[None]]
"""Records the reply of a call, in one transaction with the changes of the database inside the context."""


class Limit:
    """A limit of tokens and money, with the reservations of calls in progress.

    Not safe by itself: all meters that share a limit hold the same condition while they use it.

    Args:
        owner: Owner of the limit, for messages.
        tokens: Largest number of tokens, input and output; None for no limit.
        money: Largest cost; None for no limit.
        spent: Returns the usage so far.
        settings: Names of the settings of both limits, for messages.
    """

    def __init__(
        self, owner: str, tokens: int | None, money: float | None, spent: Callable[[], Usage], settings: tuple[str, str]
    ) -> None:
        self._owner = owner
        self._tokens = tokens
        self._money = money
        self._spent = spent
        self._settings = settings
        self._reserved = NOTHING
        self.in_progress = 0
        """Number of calls that will end without the help of their reader."""

    def refusal(self, reservation: Usage) -> str | None:
        """Reason why a call does not fit now, or None if it fits."""
        if self._tokens is None and self._money is None:
            return None
        spent, needed = self._spent(), reservation
        if self._tokens is not None and spent.tokens + self._reserved.tokens + needed.tokens > self._tokens:
            cost = f"{needed.tokens:,} tokens ({needed.input_tokens:,} in, up to {needed.output_tokens:,} out)"
            return self._message(cost, f"{spent.tokens:,}", f"{self._tokens:,} tokens", self._settings[0])
        if self._money is not None and spent.cost + self._reserved.cost + needed.cost > self._money:
            return self._message(
                f"{needed.cost:.6g}", f"{spent.cost:.6g}", f"{self._money:g} of money", self._settings[1]
            )
        return None

    def reserve(self, reservation: Usage, *, ends: bool) -> None:
        """Set aside the upper bounds of a call; ``ends`` as in :meth:`Meter.call`."""
        self._reserved += reservation
        self.in_progress += ends

    def release(self, reservation: Usage, *, ends: bool) -> None:
        """Drop the reservation of a call whose usage is recorded."""
        self._reserved -= reservation
        self.in_progress -= ends

    def _message(self, cost: str, spent: str, limit: str, setting: str) -> str:
        return (
            f"the next call can cost {cost}, and {self._owner} has spent {spent} of {limit}: raise {setting}; earlier "
            "replies are cached, so running the same again continues from there"
        )


class Meter:
    """Counts the calls of one operation, and refuses those that do not fit into its limits.

    A call fits if, for each limit, the usage so far, the upper bounds of the calls in progress and its own upper bounds
    stay within it. So with an endpoint that counts tokens, a limit is exceeded at most by the error of the estimated
    prompts in progress. A call that does not fit waits while others are in progress, as most cost less than their
    bounds.

    Args:
        operation: Operation, corpus and model; its usage is where counting starts.
        budget: Limits of the operation.
        costs: Cost model of the language model.
        log: Log of all calls.
        settled: Notified whenever a call ends; shared by all meters that share a limit.
        corpus_limits: Limits that the operation shares with others.
    """

    def __init__(
        self,
        operation: Total,
        budget: Budget,
        *,
        costs: CostModel,
        log: UsageLog,
        settled: threading.Condition,
        corpus_limits: Sequence[Limit] = (),
    ) -> None:
        self._total = operation
        self._costs = costs
        self._log = log
        self._settled = settled
        settings = ("--budget-tokens or TETRAGRAPH_LLM_BUDGET_TOKENS", "--budget-money or TETRAGRAPH_LLM_BUDGET_MONEY")
        own = Limit("this operation", budget.tokens, budget.money, lambda: self.usage, settings)
        self._limits = (own, *corpus_limits)
        self._deadline_s = budget.deadline_s
        self.deadline = budget.ends()
        """Value of ``time.monotonic`` at which the operation ends; None for no limit."""

    @property
    def usage(self) -> Usage:
        """Usage so far."""
        return self._total.usage

    def add_cached(self) -> None:
        """Count a cached reply."""
        self._add_free(Usage(cached=1))

    def add_repair(self) -> None:
        """Count a repair request."""
        self._add_free(Usage(repairs=1))

    @contextmanager
    def call(self, request: Request, *, ends: bool = True) -> Iterator[Record]:
        """Reserve the cost of a call while the context is open; yields the function that records the reply.

        An exception before the reply is recorded counts as a failed call.

        Args:
            request: The request that is sent.
            ends: Whether the call ends by itself; false for a stream, which waits for its reader.

        Raises:
            BudgetExhausted, DeadlineExceeded: the call does not fit.
        """
        reservation = self.reservation(request)
        self._reserve(reservation, ends=ends)
        began, is_recorded = time.monotonic(), False

        @contextmanager
        def record(reply: Completion) -> Iterator[None]:
            nonlocal is_recorded
            is_recorded = True
            with self._record(request, reply):
                yield

        try:
            yield record
        except BaseException as error:
            if not is_recorded:
                self._record_failure(error, time.monotonic() - began)
            raise
        finally:
            self._release(reservation, ends=ends)

    def reservation(self, request: Request) -> Usage:
        """Upper bounds of a call: the estimated prompt, and the longest reply."""
        tokens = self._costs.tokens(request)
        cost = self._costs.price(tokens, request.max_tokens)
        return Usage(input_tokens=tokens, output_tokens=request.max_tokens, cost=cost)

    @contextmanager
    def _record(self, request: Request, reply: Completion) -> Iterator[None]:
        usage = Usage(
            calls=1,
            retries=reply.tries - 1,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost=self._costs.price(reply.input_tokens, reply.output_tokens),
            seconds=reply.seconds,
        )
        self._add(usage)
        is_counted = reply.is_counted and reply.tries == 1  # otherwise the count includes failed attempts
        if is_counted:
            self._costs.learn(request, reply)
        with self._log.entry(replace(self._total, usage=usage), weight(request), is_counted=is_counted):
            yield

    def _record_failure(self, error: BaseException, seconds: float) -> None:
        """Record a call without a reply, with the tokens that the endpoint counted for its attempts."""
        tries, tokens = (error.tries, error.tokens) if isinstance(error, LlmError) else (1, (0, 0))
        if not tries:
            return
        usage = Usage(1, 0, 1, tries - 1, 0, *tokens, self._costs.price(*tokens), seconds)
        self._add(usage)
        with self._log.entry(replace(self._total, usage=usage)):
            pass

    def _reserve(self, reservation: Usage, *, ends: bool) -> None:
        with self._settled:
            while True:
                self._check_deadline()
                refusals = [(limit, reason) for limit in self._limits if (reason := limit.refusal(reservation))]
                if not refusals:
                    break
                for limit, reason in refusals:
                    if not limit.in_progress:
                        raise BudgetExhausted(reason)
                self._settled.wait(None if self.deadline is None else self.deadline - time.monotonic())
            for limit in self._limits:
                limit.reserve(reservation, ends=ends)

    def _release(self, reservation: Usage, *, ends: bool) -> None:
        with self._settled:
            for limit in self._limits:
                limit.release(reservation, ends=ends)
            self._settled.notify_all()

    def _check_deadline(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise DeadlineExceeded(
                f"the operation may use a language model for {self._deadline_s:g} s, and these are over: raise "
                "--deadline or TETRAGRAPH_LLM_DEADLINE_S; earlier replies are cached, so running the same again "
                "continues from there"
            )

    def _add_free(self, usage: Usage) -> None:
        self._add(usage)
        self._log.add(replace(self._total, usage=usage))

    def _add(self, usage: Usage) -> None:
        with self._settled:
            self._total = replace(self._total, usage=self._total.usage + usage)
