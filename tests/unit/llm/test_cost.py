"""What a run would cost is told within 15 % of what it does cost, and nothing is sent for it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripted_llm import ScriptedLlm
from tetragraph import samples
from tetragraph.errors import InvalidInput
from tetragraph.llm import LanguageModel, Message, Request
from tetragraph.llm.cost import CHARACTERS, Habits, Prices, TokenGauge
from tetragraph.llm.messages import Completion
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
    """Requests about real passages, of different lengths."""
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
    told = model.estimate(requests[10:])
    assert (told.calls, told.cached, told.seconds, llm.calls) == (50, 0, None, 0)
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
    assert told.input_tokens + told.output_tokens == pytest.approx(spent.tokens, rel=0.15)
    assert told.cost == pytest.approx(spent.cost, rel=0.15)
    assert learnt.input_tokens == pytest.approx(spent.input_tokens, rel=0.05)
    assert learnt.cost == pytest.approx(spent.cost, rel=0.08)
    assert model.estimate(requests).calls == model.estimate(requests).cost == 0


def test_the_same_request_counts_once_and_a_reply_is_no_longer_than_it_may_be(model: LanguageModel) -> None:
    long, open_end = (Request((Message("user", "x" * 384),), 50, expected_tokens=expected) for expected in (80, None))
    for request in (long, open_end):
        told = model.estimate([request] * 4)
        assert (told.calls, told.input_tokens, told.output_tokens) == (1, 100, 50)
        assert told.cost == pytest.approx(0.0002)
    assert model.estimate([]).seconds == 0


def test_a_model_without_a_price_has_no_cost(llm: ScriptedLlm, tmp_path: Path) -> None:
    model = LanguageModel.open(llm.settings(Settings(home=tmp_path)))
    assert model.estimate(judged(1)).cost is None


def test_tokens_are_four_characters_until_five_calls_were_counted() -> None:
    request = Request((Message("user", "x" * 84),), 5)  # with 16 characters for the message
    gauge = TokenGauge(Habits(calls=9, counted=4, characters=400, input_tokens=200))
    assert gauge.characters == CHARACTERS
    assert gauge.tokens(request) == 25
    gauge.learn(request, Completion("…", input_tokens=0))
    assert gauge.characters == CHARACTERS
    gauge.learn(request, Completion("…", input_tokens=50))
    assert gauge.characters == 2
    assert gauge.tokens(request) == 50


def test_a_million_tokens_cost_what_the_table_says() -> None:
    prices = Prices({"m": (0.15, 0.6), "free": (0, 0)})
    assert prices.cost("m", 1_000_000, 0) == pytest.approx(0.15)
    assert prices.cost("m", 2000, 500) == pytest.approx(0.0006)
    assert prices.knows("free")
    assert not prices.knows("other")
    assert prices.cost("free", 5, 5) == prices.cost("other", 5, 5) == 0


@pytest.mark.parametrize("pair", [(-1.0, 1.0), (1.0, float("nan")), (float("inf"), 1.0)])
def test_a_price_that_is_none_is_refused(pair: tuple[float, float]) -> None:
    with pytest.raises(InvalidInput, match=r"numbers from 0, got .* for 'm'"):
        Prices({"m": pair})
