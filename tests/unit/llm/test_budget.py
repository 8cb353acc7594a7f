"""No call begins that could pass a limit, and none is refused that would fit when others are settled."""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as searched
from hypothesis import strategies as st

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, LlmUnavailable, UnusableReply
from tetragraph.llm import LlmDatabase, Message, Request
from tetragraph.llm.budget import Bill, Books, Purse
from tetragraph.llm.cost import Habits, Prices, TokenGauge
from tetragraph.llm.messages import Completion
from tetragraph.llm.usage_log import Account, Ledger
from tetragraph.model.usage import Budget, Usage

ACCOUNT = Account("c", "build gain", "m")
PRICES = Prices({"m": (1.0, 2.0)})
Make = Callable[..., Bill]


@dataclass(frozen=True)
class Planned:
    """A call: letters sent, tokens as the endpoint counts them, longest and actual reply."""

    letters: int
    counted: int
    longest: int
    made: int


def books_on(folder: Path) -> Books:
    return Books(Ledger(LlmDatabase(folder / "llm.sqlite")), TokenGauge(Habits()), PRICES, threading.Condition())


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return books_on(tmp_path)


def ask(letters: int, longest: int) -> Request:
    return Request((Message("user", "x" * letters),), longest)


def pay(bill: Bill, request: Request, input_tokens: int, output_tokens: int) -> int:
    """A call as it should be; how many tokens of its prompt were not foreseen."""
    with bill.paid(request) as call:
        time.sleep(0.001)  # so that others are under way meanwhile
        with call.settled(Completion("…", "stop", input_tokens, output_tokens, seconds=0.5)):
            return max(0, input_tokens - call.worst.input_tokens)


CALLS = st.builds(
    lambda letters, share, longest, made: Planned(letters, round(letters * share), longest, round(longest * made)),
    st.integers(0, 400),
    st.sampled_from([0.1, 0.25, 0.3, 1.0]),
    st.integers(1, 200),
    st.sampled_from([0.0, 0.3, 1.0]),
)


@searched(max_examples=30)
@given(st.lists(CALLS, min_size=1, max_size=14), st.integers(1, 1500), st.integers(1, 5))
def test_a_token_budget_is_passed_by_wrong_estimates_alone(plan: list[Planned], limit: int, workers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        books = books_on(Path(folder))
        bill = Bill(books, ACCOUNT, Budget(tokens=limit))

        def run(call: Planned) -> int | None:
            try:
                return pay(bill, ask(call.letters, call.longest), call.counted, call.made)
            except BudgetExhausted:
                return None

        with ThreadPoolExecutor(workers) as pool:
            unforeseen = list(pool.map(run, plan))
        answered = sorted((amount for amount in unforeseen if amount is not None), reverse=True)
        assert bill.usage.tokens <= limit + sum(answered[:workers])
        assert bill.usage.calls == len(answered)
        booked = books.ledger.spent("c")
        assert (booked.calls, booked.tokens) == (bill.usage.calls, bill.usage.tokens)


def test_a_call_waits_for_those_under_way_and_is_refused_only_when_none_is(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget(tokens=130))
    may_end, began = threading.Event(), threading.Event()

    def first() -> None:
        with bill.paid(ask(24, 90)) as call:  # could cost 10 + 90, costs 30
            began.set()
            assert may_end.wait(30)
            with call.settled(Completion("…", "stop", 10, 20)):
                pass

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(first)
        assert began.wait(30)
        waiting = pool.submit(pay, bill, ask(24, 90), 10, 85)
        assert not waiting.done()
        may_end.set()
        running.result()
        waiting.result()
    assert bill.usage.tokens == 125
    with pytest.raises(BudgetExhausted):
        pay(bill, ask(0, 2), 1, 1)
    pay(bill, ask(0, 1), 4, 1)
    assert bill.usage.tokens == 130


def test_a_stream_that_waits_for_its_reader_is_not_waited_for(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget(tokens=100))
    with bill.paid(ask(24, 60), settles=False) as call:
        with pytest.raises(BudgetExhausted):
            pay(bill, ask(24, 60), 10, 60)
        with call.settled(Completion("…", "stop", 10, 5)):
            pass
    pay(bill, ask(24, 60), 10, 60)


def test_a_refusal_says_limit_spent_cost_and_what_to_do(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget(tokens=2000))
    pay(bill, ask(984, 1000), 250, 900)
    told = re.escape(
        "the next call can cost 1,250 tokens (250 in, up to 1,000 out), and this operation has spent 1,150 of 2,000 "
        "tokens: raise --budget-tokens or TETRAGRAPH_LLM_BUDGET_TOKENS; what was answered is kept"
    )
    with pytest.raises(BudgetExhausted, match=told):
        pay(bill, ask(984, 1000), 250, 900)
    money = Bill(books, ACCOUNT, Budget(money=0.001))
    with pytest.raises(
        BudgetExhausted, match=r"can cost 0.00225, and .* spent 0 of 0.001 of money: raise --budget-mon"
    ):
        pay(money, ask(984, 1000), 250, 900)


def test_a_corpus_limit_counts_other_operations_and_other_processes(books: Books, tmp_path: Path) -> None:
    names = ("TETRAGRAPH_LLM_CORPUS_TOKENS", "TETRAGRAPH_LLM_CORPUS_MONEY")
    purse = Purse("corpus 'c'", 300, None, lambda: books.ledger.spent("c"), names)
    one, two = (Bill(books, ACCOUNT, Budget(), (purse,)) for _ in range(2))
    pay(one, ask(24, 90), 10, 90)
    elsewhere = Bill(books_on(tmp_path), ACCOUNT, Budget())
    pay(elsewhere, ask(24, 90), 10, 60)
    pay(two, ask(24, 90), 10, 40)
    with pytest.raises(BudgetExhausted, match=r"corpus 'c' has spent 220 of 300 tokens: raise TETRAGRAPH_LLM_CORPUS_T"):
        pay(two, ask(24, 90), 10, 40)
    pay(Bill(books, Account("d", "ask", "m"), Budget()), ask(24, 90), 10, 40)


def test_a_call_after_the_deadline_is_not_begun_and_one_before_knows_it(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget(deadline_s=60.0))
    with bill.paid(ask(1, 1)) as call:
        assert call.deadline is not None
        assert 0 < call.deadline - time.monotonic() <= 60
        with call.settled(Completion("…")):
            pass
    late = Bill(books, ACCOUNT, Budget(deadline_s=1e-9))
    with pytest.raises(DeadlineExceeded, match=r"for 1e-09 s, and these are over: raise --deadline"):
        pay(late, ask(1, 1), 1, 1)
    assert late.usage == Usage()
    assert Bill(books, ACCOUNT, Budget()).deadline is None


def test_failed_calls_are_counted_with_what_the_endpoint_told_of_them(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget(tokens=300))
    error = UnusableReply("no text", "")
    error.tries, error.tokens = 3, (100, 50)
    with pytest.raises(UnusableReply), bill.paid(ask(1, 1)):
        raise error
    not_asked = LlmUnavailable("not begun")
    with pytest.raises(LlmUnavailable), bill.paid(ask(1, 1)):
        raise not_asked
    with pytest.raises(KeyboardInterrupt), bill.paid(ask(1, 1)):
        raise KeyboardInterrupt
    used = bill.usage
    assert (used.calls, used.failed, used.retries, used.tokens) == (2, 2, 2, 150)
    assert used.cost == pytest.approx(0.0002)
    assert books.ledger.spent("c") == used
    with pytest.raises(BudgetExhausted):
        pay(bill, ask(24, 141), 10, 1)
    pay(bill, ask(24, 140), 10, 1)


def test_prices_and_free_things_are_counted(books: Books) -> None:
    bill = Bill(books, ACCOUNT, Budget())
    pay(bill, ask(24, 90), 1_000_000, 500_000)
    bill.add_cached()
    bill.add_cached()
    bill.add_repair()
    assert bill.usage == Usage(1, 2, 0, 0, 1, 1_000_000, 500_000, 2.0, 0.5)
    assert books.ledger.totals()[0].usage == bill.usage
