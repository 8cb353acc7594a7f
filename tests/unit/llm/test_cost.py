"""Tests of ``tetragraph.llm.cost``: estimates are within 15 % of the usage, and nothing is sent for them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripted_llm import ScriptedLlm
from tetragraph import samples
from tetragraph.errors import InvalidInput
from tetragraph.llm import LanguageModel, LlmDatabase, Message, Request
from tetragraph.llm.cost import CHARACTERS, CostModel
from tetragraph.llm.messages import Completion
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import Total, Usage
from tetragraph.settings import Settings

Start = Callable[..., ScriptedLlm]
REPLY = "The second text adds who founded the school, and when; nothing else of it is new."


@pytest.fixture
def llm(scripted_llm: Start) -> ScriptedLlm:
    return scripted_llm(lambda body: REPLY)


@pytest.fixture
def model(llm: ScriptedLlm, tmp_path: Path) -> Iterator[LanguageModel]:
    settings = llm.settings(Settings(home=tmp_path), llm_prices={"scripted": (1.0, 2.0)})
    model = LanguageModel.open(settings)
    yield model
    model.close()


def judged(count: int) -> list[Request]:
    """Return requests on real chunks of different lengths."""
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file][:count]
    system = Message("system", "You compare two texts and say what the second adds to the first.")
    return [
        Request((system, Message("user", f"First: {texts[place - 1]}\nSecond: {text}")), 200, expected_tokens=20)
        for place, text in enumerate(texts)
    ]


def test_an_estimate_is_within_15_percent_before_the_first_call_and_closer_after_some(
    llm: ScriptedLlm, model: LanguageModel
) -> None:
    requests = judged(60)
    estimate = model.estimate(requests[10:])
    assert (estimate.calls, estimate.cached, estimate.seconds, llm.calls) == (50, 0, None, 0)
    operation = model.operation("handful")
    list(operation.map(operation.complete, requests[:10]))
    learnt = model.estimate(requests)
    assert (learnt.calls, learnt.cached) == (50, 10)
    assert learnt.seconds is not None
    assert learnt.seconds > 0
    run = model.operation("run")
    list(run.map(run.complete, requests))
    spent = run.usage
    assert (spent.calls, spent.cached) == (50, 10)
    assert estimate.input_tokens + estimate.output_tokens == pytest.approx(spent.tokens, rel=0.15)
    assert estimate.cost == pytest.approx(spent.cost, rel=0.15)
    assert learnt.input_tokens == pytest.approx(spent.input_tokens, rel=0.05)
    assert learnt.cost == pytest.approx(spent.cost, rel=0.08)
    assert model.estimate(requests).calls == model.estimate(requests).cost == 0


def test_the_same_request_counts_once_and_a_reply_is_no_longer_than_it_may_be(model: LanguageModel) -> None:
    long, open_end = (Request((Message("user", "x" * 384),), 50, expected_tokens=expected) for expected in (80, None))
    for request in (long, open_end):
        estimate = model.estimate([request] * 4)
        assert (estimate.calls, estimate.input_tokens, estimate.output_tokens) == (1, 100, 50)
        assert estimate.cost == pytest.approx(0.0002)
    assert model.estimate([]).seconds == 0


def test_a_model_without_a_price_has_no_cost(llm: ScriptedLlm, tmp_path: Path) -> None:
    model = LanguageModel.open(llm.settings(Settings(home=tmp_path)))
    assert model.estimate(judged(1)).cost is None


@pytest.fixture
def log(tmp_path: Path) -> UsageLog:
    return UsageLog(LlmDatabase(tmp_path / "llm.sqlite"))


def test_a_token_has_four_characters_until_five_calls_were_counted(log: UsageLog) -> None:
    for _ in range(4):
        with log.entry(Total("ask", "c", "m", Usage(calls=1, input_tokens=50)), 100, is_counted=True):
            pass
    request = Request((Message("user", "x" * 84),), 5)  # with 16 characters for the message
    costs = CostModel("m", {}, log)
    assert costs.characters_per_token == CHARACTERS
    assert costs.tokens(request) == 25
    costs.learn(request, Completion("…", input_tokens=0))
    assert costs.characters_per_token == CHARACTERS
    costs.learn(request, Completion("…", input_tokens=50))
    assert costs.characters_per_token == 2
    assert costs.tokens(request) == 50


def test_the_price_of_a_million_tokens_is_that_of_the_table(log: UsageLog) -> None:
    prices = {"m": (0.15, 0.6), "free": (0.0, 0.0)}
    costs, free, other = (CostModel(name, prices, log) for name in ("m", "free", "other"))
    assert costs.price(1_000_000, 0) == pytest.approx(0.15)
    assert costs.price(2000, 500) == pytest.approx(0.0006)
    assert free.has_price
    assert not other.has_price
    assert free.price(5, 5) == other.price(5, 5) == 0


def test_calls_take_the_mean_time_of_the_latest_so_many_at_once(log: UsageLog) -> None:
    costs = CostModel("m", {}, log)
    assert (costs.seconds(0, 4), costs.seconds(9, 4)) == (0.0, None)
    for seconds in (1.0, 3.0):
        with log.entry(Total("ask", "c", "m", Usage(calls=1, seconds=seconds))):
            pass
    assert costs.seconds(9, 4) == 6.0


@pytest.mark.parametrize("pair", [(-1.0, 1.0), (1.0, float("nan")), (float("inf"), 1.0)])
def test_an_invalid_price_is_refused(pair: tuple[float, float], log: UsageLog) -> None:
    with pytest.raises(InvalidInput, match=r"numbers from 0, got .* for 'm'"):
        CostModel("another", {"m": pair}, log)
