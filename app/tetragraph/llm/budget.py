"""What an operation may cost and has cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, LlmError
from tetragraph.llm.cost import Prices, TokenGauge, weight
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.usage_log import Account, Ledger
from tetragraph.model.usage import Budget, Usage


@dataclass(frozen=True, slots=True)
class Books:
    """What the bills of a language model share.

    Attributes:
        settled: Notified whenever a call is settled; held to look into purses.
    """

    ledger: Ledger
    gauge: TokenGauge
    prices: Prices
    settled: threading.Condition


class PaidCall:
    """A call that is under way.

    Attributes:
        deadline: Value of ``time.monotonic`` at which it has to be over; None for no limit.
        worst: What was set aside for it.
    """

    def __init__(self, bill: Bill, request: Request, worst: Worst) -> None:
        self.deadline = bill.deadline
        self.worst = worst
        self.is_settled = False
        self._bill = bill
        self._request = request

    @contextmanager
    def settled(self, reply: Completion) -> Iterator[None]:
        """Enter what came of it; what is kept inside is kept together with the entry."""
        self.is_settled = True
        with self._bill.enter(self._request, reply):
            yield


class Bill:
    """Counts calls and refuses those that do not fit into the budget.

    A call fits when what was spent, what calls under way can cost and what it can cost itself are within each limit,
    so with tokens that the endpoint counts a limit is not passed by more than the estimates of prompts under way are
    wrong. While others that will be settled are under way a call waits, as they mostly cost less than they could.
    """

    def __init__(self, books: Books, account: Account, budget: Budget, of_corpus: Sequence[Purse] = ()) -> None:
        self._books = books
        self._account = account
        self._usage = Usage()
        names = ("--budget-tokens or TETRAGRAPH_LLM_BUDGET_TOKENS", "--budget-money or TETRAGRAPH_LLM_BUDGET_MONEY")
        own = Purse("this operation", budget.tokens, budget.money, lambda: self._usage, names)
        self._purses = (own, *of_corpus)
        self._limit_s = budget.deadline_s
        self.deadline = budget.ends()

    @property
    def usage(self) -> Usage:
        """What was counted so far."""
        return self._usage

    def add_cached(self) -> None:
        """Count a reply of the cache."""
        self._add_free(Usage(cached=1))

    def add_repair(self) -> None:
        """Count a reply that has to be mended."""
        self._add_free(Usage(repairs=1))

    @contextmanager
    def paid(self, request: Request, *, settles: bool = True) -> Iterator[PaidCall]:
        """A call that is paid for, while it is under way.

        Args:
            request: What is asked.
            settles: Whether it will be over whatever others do; false for a stream, which waits for its reader.

        Raises:
            BudgetExhausted, DeadlineExceeded: it does not fit.
        """
        call = PaidCall(self, request, self._worst(request))
        self._take(call.worst, settles)
        began = time.monotonic()
        try:
            yield call
        except BaseException as error:
            if not call.is_settled:
                self._enter_failure(error, time.monotonic() - began)
            raise
        finally:
            self._give_back(call.worst, settles)

    @contextmanager
    def enter(self, request: Request, reply: Completion) -> Iterator[None]:
        """Enter a reply that was paid for."""
        usage = Usage(
            calls=1,
            retries=reply.tries - 1,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost=self._books.prices.cost(self._account.model, reply.input_tokens, reply.output_tokens),
            seconds=reply.seconds,
        )
        self._add(usage)
        is_counted = reply.is_counted and reply.tries == 1  # else its tokens are also those of tries in vain
        if is_counted:
            self._books.gauge.learn(request, reply)
        with self._books.ledger.entry(self._account, usage, weight(request), is_counted=is_counted):
            yield

    def _enter_failure(self, error: BaseException, seconds: float) -> None:
        """Enter a call without a reply, with what the endpoint told of tries in vain."""
        tries, tokens = (error.tries, error.tokens) if isinstance(error, LlmError) else (1, (0, 0))
        if not tries:
            return
        cost = self._books.prices.cost(self._account.model, *tokens)
        usage = Usage(1, 0, 1, tries - 1, 0, *tokens, cost, seconds)
        self._add(usage)
        with self._books.ledger.entry(self._account, usage):
            pass

    def _worst(self, request: Request) -> Worst:
        given = self._books.gauge.tokens(request)
        return Worst(given, request.max_tokens, self._books.prices.cost(self._account.model, given, request.max_tokens))

    def _take(self, worst: Worst, settles: bool) -> None:
        with self._books.settled:
            while True:
                self._check_deadline()
                lacking = [(purse, told) for purse in self._purses if (told := purse.refusal(worst))]
                if not lacking:
                    break
                for purse, told in lacking:
                    if not purse.under_way:
                        raise BudgetExhausted(told)
                self._books.settled.wait(None if self.deadline is None else self.deadline - time.monotonic())
            for purse in self._purses:
                purse.take(worst, settles=settles)

    def _give_back(self, worst: Worst, settles: bool) -> None:
        with self._books.settled:
            for purse in self._purses:
                purse.give_back(worst, settles=settles)
            self._books.settled.notify_all()

    def _check_deadline(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise DeadlineExceeded(
                f"the operation may ask a language model for {self._limit_s:g} s, and these are over: raise --deadline "
                "or TETRAGRAPH_LLM_DEADLINE_S; what was answered is kept, so running the same again goes on from there"
            )

    def _add_free(self, usage: Usage) -> None:
        self._add(usage)
        self._books.ledger.note(self._account, usage)

    def _add(self, usage: Usage) -> None:
        with self._books.settled:
            self._usage += usage


@dataclass(frozen=True, slots=True)
class Worst:
    """The most that a call can cost: the estimate of what is sent, and the longest reply."""

    input_tokens: int
    output_tokens: int
    money: float

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


class Purse:
    """What may be spent from one limit; whoever uses it holds the condition that its users share.

    Args:
        owner: Who has the limit, for messages.
        spent: Tells what was spent from it so far.
        names: The settings that hold its limits of tokens and money.
    """

    def __init__(
        self, owner: str, tokens: int | None, money: float | None, spent: Callable[[], Usage], names: tuple[str, str]
    ) -> None:
        self._owner = owner
        self._tokens = tokens
        self._money = money
        self._spent = spent
        self._names = names
        self._taken_tokens = 0
        self._taken_money = 0.0
        self.under_way = 0
        """Calls that will be settled whatever others do."""

    def refusal(self, worst: Worst) -> str | None:
        """Why a call does not fit now, or None."""
        if self._tokens is None and self._money is None:
            return None
        spent = self._spent()
        if self._tokens is not None and spent.tokens + self._taken_tokens + worst.tokens > self._tokens:
            could = f"{worst.tokens:,} tokens ({worst.input_tokens:,} in, up to {worst.output_tokens:,} out)"
            return self._told(could, f"{spent.tokens:,}", f"{self._tokens:,} tokens", self._names[0])
        if self._money is not None and spent.cost + self._taken_money + worst.money > self._money:
            return self._told(f"{worst.money:.6g}", f"{spent.cost:.6g}", f"{self._money:g} of money", self._names[1])
        return None

    def take(self, worst: Worst, *, settles: bool) -> None:
        """Set aside what a call can cost."""
        self._taken_tokens += worst.tokens
        self._taken_money += worst.money
        self.under_way += settles

    def give_back(self, worst: Worst, *, settles: bool) -> None:
        """The call is settled: what it did cost is among what was spent."""
        self._taken_tokens -= worst.tokens
        self._taken_money -= worst.money
        self.under_way -= settles

    def _told(self, could: str, spent: str, limit: str, name: str) -> str:
        return (
            f"the next call can cost {could}, and {self._owner} has spent {spent} of {limit}: raise {name}; what was "
            "answered is kept, so running the same again goes on from there"
        )
