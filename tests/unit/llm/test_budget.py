"""Tests of ``tetragraph.llm.budget``: no limit is exceeded, and no call is refused that fits after others end."""

from __future__ import annotations

import re
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as searched
from hypothesis import strategies as st

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, LlmUnavailable, UnusableReply
from tetragraph.llm import LlmDatabase, Message, Request
from tetragraph.llm.budget import Limit, Meter
from tetragraph.llm.cost import CostModel
from tetragraph.llm.messages import Completion
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, UNLIMITED, Budget, Total, Usage

BUILD = Total("build gain", "c", "m", NOTHING)
PRICES = {"m": (1.0, 2.0)}
LIMIT_NAMES = ("TETRAGRAPH_LLM_CORPUS_TOKENS", "TETRAGRAPH_LLM_CORPUS_MONEY")


@dataclass(frozen=True)
class Planned:
    """A call: characters sent, tokens counted by the endpoint, longest and actual reply."""

    letters: int
    counted: int
    longest: int
    written: int


class MeteredModel:
    """A usage log with its cost model, and meters on them that share limits."""

    def __init__(self, folder: Path) -> None:
        self.log = UsageLog(LlmDatabase(folder / "llm.sqlite"))
        self.costs = CostModel("m", PRICES, self.log)
        self.settled = threading.Condition()

    def meter(self, budget: Budget = UNLIMITED, *limits: Limit, operation: Total = BUILD) -> Meter:
        return Meter(operation, budget, costs=self.costs, log=self.log, settled=self.settled, corpus_limits=limits)


@pytest.fixture
def metered(tmp_path: Path) -> MeteredModel:
    return MeteredModel(tmp_path)


def ask(letters: int, longest: int) -> Request:
    return Request((Message("user", "x" * letters),), longest)


def pay(meter: Meter, request: Request, input_tokens: int, output_tokens: int) -> int:
    """Make a call; returns by how many tokens its prompt exceeded the estimate."""
    estimated = meter.reservation(request).input_tokens
    with meter.call(request) as record:
        time.sleep(0.001)  # so that others are in progress meanwhile
        with record(Completion("…", "stop", input_tokens, output_tokens, seconds=0.5)):
            return max(0, input_tokens - estimated)


CALLS = st.builds(
    lambda letters, share, longest, written: Planned(
        letters, round(letters * share), longest, round(longest * written)
    ),
    st.integers(0, 400),
    st.sampled_from([0.1, 0.25, 0.3, 1.0]),
    st.integers(1, 200),
    st.sampled_from([0.0, 0.3, 1.0]),
)


@searched(max_examples=30)
@given(st.lists(CALLS, min_size=1, max_size=14), st.integers(1, 1500), st.integers(1, 5))
def test_a_token_budget_is_passed_by_wrong_estimates_alone(plan: list[Planned], limit: int, workers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        metered = MeteredModel(Path(folder))
        meter = metered.meter(Budget(tokens=limit))

        def run(call: Planned) -> int | None:
            try:
                return pay(meter, ask(call.letters, call.longest), call.counted, call.written)
            except BudgetExhausted:
                return None

        with ThreadPoolExecutor(workers) as pool:
            unforeseen = list(pool.map(run, plan))
        answered = sorted((amount for amount in unforeseen if amount is not None), reverse=True)
        assert meter.usage.tokens <= limit + sum(answered[:workers])
        assert meter.usage.calls == len(answered)
        recorded = metered.log.spent("c")
        assert (recorded.calls, recorded.tokens) == (meter.usage.calls, meter.usage.tokens)


def test_a_call_waits_for_those_under_way_and_is_refused_only_when_none_is(metered: MeteredModel) -> None:
    meter = metered.meter(Budget(tokens=130))
    may_end, began = threading.Event(), threading.Event()

    def first() -> None:
        with meter.call(ask(24, 90)) as record:  # could cost 10 + 90, costs 30
            began.set()
            assert may_end.wait(30)
            with record(Completion("…", "stop", 10, 20)):
                pass

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(first)
        assert began.wait(30)
        waiting = pool.submit(pay, meter, ask(24, 90), 10, 85)
        assert not waiting.done()
        may_end.set()
        running.result()
        waiting.result()
    assert meter.usage.tokens == 125
    with pytest.raises(BudgetExhausted):
        pay(meter, ask(0, 2), 1, 1)
    pay(meter, ask(0, 1), 4, 1)
    assert meter.usage.tokens == 130


def test_a_stream_that_waits_for_its_reader_is_not_waited_for(metered: MeteredModel) -> None:
    meter = metered.meter(Budget(tokens=100))
    with meter.call(ask(24, 60), ends=False) as record:
        with pytest.raises(BudgetExhausted):
            pay(meter, ask(24, 60), 10, 60)
        with record(Completion("…", "stop", 10, 5)):
            pass
    pay(meter, ask(24, 60), 10, 60)


def test_a_refusal_says_limit_spent_cost_and_what_to_do(metered: MeteredModel) -> None:
    meter = metered.meter(Budget(tokens=2000))
    pay(meter, ask(984, 1000), 250, 900)
    message = re.escape(
        "the next call can cost 1,250 tokens (250 in, up to 1,000 out), and this operation has spent 1,150 of 2,000 "
        "tokens: raise --budget-tokens or TETRAGRAPH_LLM_BUDGET_TOKENS; earlier replies are cached"
    )
    with pytest.raises(BudgetExhausted, match=message):
        pay(meter, ask(984, 1000), 250, 900)
    money = metered.meter(Budget(money=0.001))
    with pytest.raises(
        BudgetExhausted, match=r"can cost 0.00225, and .* spent 0 of 0.001 of money: raise --budget-mon"
    ):
        pay(money, ask(984, 1000), 250, 900)


def test_a_corpus_limit_counts_other_operations_and_other_processes(metered: MeteredModel, tmp_path: Path) -> None:
    limit = Limit("corpus 'c'", 300, None, lambda: metered.log.spent("c"), LIMIT_NAMES)
    one, two = (metered.meter(UNLIMITED, limit) for _ in range(2))
    pay(one, ask(24, 90), 10, 90)
    elsewhere = MeteredModel(tmp_path).meter()
    pay(elsewhere, ask(24, 90), 10, 60)
    pay(two, ask(24, 90), 10, 40)
    with pytest.raises(BudgetExhausted, match=r"corpus 'c' has spent 220 of 300 tokens: raise TETRAGRAPH_LLM_CORPUS_T"):
        pay(two, ask(24, 90), 10, 40)
    pay(metered.meter(operation=Total("ask", "d", "m", NOTHING)), ask(24, 90), 10, 40)


def test_a_call_after_the_deadline_is_not_begun_and_one_before_knows_it(metered: MeteredModel) -> None:
    meter = metered.meter(Budget(deadline_s=60.0))
    with meter.call(ask(1, 1)) as record:
        assert meter.deadline is not None
        assert 0 < meter.deadline - time.monotonic() <= 60
        with record(Completion("…")):
            pass
    late = metered.meter(Budget(deadline_s=1e-9))
    with pytest.raises(DeadlineExceeded, match=r"for 1e-09 s, and these are over: raise --deadline"):
        pay(late, ask(1, 1), 1, 1)
    assert late.usage == Usage()
    assert metered.meter().deadline is None


def test_failed_calls_are_counted_with_what_the_endpoint_told_of_them(metered: MeteredModel) -> None:
    meter = metered.meter(Budget(tokens=300))
    error = UnusableReply("no text", "")
    error.tries, error.tokens = 3, (100, 50)
    with pytest.raises(UnusableReply), meter.call(ask(1, 1)):
        raise error
    not_asked = LlmUnavailable("not begun")
    with pytest.raises(LlmUnavailable), meter.call(ask(1, 1)):
        raise not_asked
    with pytest.raises(KeyboardInterrupt), meter.call(ask(1, 1)):
        raise KeyboardInterrupt
    used = meter.usage
    assert (used.calls, used.failed, used.retries, used.tokens) == (2, 2, 2, 150)
    assert used.cost == pytest.approx(0.0002)
    assert metered.log.spent("c") == used
    with pytest.raises(BudgetExhausted):
        pay(meter, ask(24, 141), 10, 1)
    pay(meter, ask(24, 140), 10, 1)


def test_prices_and_free_things_are_counted(metered: MeteredModel) -> None:
    meter = metered.meter()
    pay(meter, ask(24, 90), 1_000_000, 500_000)
    meter.add_cached()
    meter.add_cached()
    meter.add_repair()
    assert meter.usage == Usage(1, 2, 0, 0, 1, 1_000_000, 500_000, 2.0, 0.5)
    assert metered.log.totals()[0].usage == meter.usage


def test_fifty_threads_of_ten_operations_stay_within_the_limit_of_their_corpus(metered: MeteredModel) -> None:
    limit = Limit("corpus 'c'", 3_000, 0.5, lambda: metered.log.spent("c"), LIMIT_NAMES)
    meters = [
        metered.meter(Budget(tokens=400), limit, operation=Total(f"ask {number}", "c", "m", NOTHING))
        for number in range(10)
    ]
    everybody = threading.Barrier(50)

    def run(number: int) -> int:
        everybody.wait(30)
        paid = 0
        for _ in range(10):
            try:
                pay(meters[number % 10], ask(24, 40), 10, 15)  # reserves 10 + 40, costs 10 + 15
            except BudgetExhausted:
                break
            paid += 1
        return paid

    with ThreadPoolExecutor(50) as pool:
        paid = sum(pool.map(run, range(50)))
    spent = metered.log.spent("c")
    assert spent.calls == paid == sum(meter.usage.calls for meter in meters)
    assert spent.tokens == 25 * paid
    assert 3_000 - 50 < spent.tokens <= 3_000
    assert max(meter.usage.tokens for meter in meters) <= 400
    totals = metered.log.totals("c")
    assert sum((total.usage for total in totals), NOTHING).tokens == spent.tokens
    assert {total.operation: total.usage.tokens for total in totals} == {
        f"ask {number}": meter.usage.tokens for number, meter in enumerate(meters) if meter.usage.calls
    }
