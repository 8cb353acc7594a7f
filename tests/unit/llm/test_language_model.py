"""Tests of ``tetragraph.llm.language_model``: limits of the settings, the usage log, and secrecy of the key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from scripted_faults import DROPPED, ECHO, REFUSAL, SERVER_ERROR, UNAUTHORIZED, WRONG_SCHEMA, sometimes
from scripted_llm import ScriptedLlm
from tetragraph import llm
from tetragraph.errors import BudgetExhausted, DeadlineExceeded, InvalidInput, LlmError, LlmNotConfigured
from tetragraph.llm import LanguageModel, LlmDatabase, Message, Request, cache, recording
from tetragraph.model.usage import Budget
from tetragraph.settings import Settings

CANARY = "sk-canary-5b1f0c"
Open = Callable[..., LanguageModel]


class Score(BaseModel):
    """Form of a reply."""

    score: int


def ask(text: object, longest: int = 20) -> Request:
    return Request((Message("user", str(text)),), longest)


@pytest.fixture
def server(scripted_llm: Callable[..., ScriptedLlm]) -> ScriptedLlm:
    return scripted_llm(lambda body: '{"score": 3}')


@pytest.fixture
def opened(server: ScriptedLlm, tmp_path: Path) -> Iterator[Open]:
    """Function that opens the model with changed settings."""
    models: list[LanguageModel] = []

    def start(**changes: object) -> LanguageModel:
        models.append(LanguageModel.open(server.settings(Settings(home=tmp_path), **changes)))
        return models[-1]

    yield start
    for model in models:
        model.close()


def test_a_second_run_pays_for_nothing_also_with_a_model_opened_anew(opened: Open, server: ScriptedLlm) -> None:
    for run in range(2):
        model = opened()
        operation = model.operation("build gain", corpus="c")
        assert [reply.text for reply in operation.map(operation.complete, map(ask, range(9)))] == ['{"score": 3}'] * 9
        assert (operation.usage.calls, operation.usage.cached) == ((9, 0), (0, 9))[run]
        model.close()
    assert server.calls == 9
    (total,) = opened().totals("c")
    assert (total.operation, total.model, total.usage.calls, total.usage.cached) == ("build gain", "scripted", 9, 9)
    assert total.usage.input_tokens == server.input_tokens
    assert total.usage.output_tokens == server.output_tokens
    assert opened().totals("another") == []


def test_a_run_that_ran_out_of_budget_goes_on_where_it_stopped(opened: Open, server: ScriptedLlm) -> None:
    requests = [ask(number) for number in range(30)]
    for _ in range(20):
        operation = opened().operation("build gain", budget=Budget(tokens=70))
        try:
            list(operation.map(operation.complete, requests))
        except BudgetExhausted:
            assert 0 < operation.usage.tokens <= 70
        else:
            break
    assert operation.usage.cached + operation.usage.calls == 30
    assert set(server.calls_by_content.values()) == {1}
    assert server.calls == 30


def test_limits_of_the_settings_hold_where_the_operation_has_none(opened: Open) -> None:
    limited = opened(llm_budget_tokens=20, llm_deadline_s=1e-9)
    with pytest.raises(DeadlineExceeded):
        limited.operation("ask").complete(ask("?"))
    with pytest.raises(BudgetExhausted, match="0 of 20 tokens"):
        limited.operation("ask", budget=Budget(deadline_s=60)).complete(ask("?"))
    limited.operation("ask", budget=Budget(tokens=200, deadline_s=60)).complete(ask("?"))
    by_price = opened(llm_prices={"scripted": (1.0, 1.0)}, llm_budget_money=1e-5)
    with pytest.raises(BudgetExhausted, match="0 of 1e-05 of money"):
        by_price.operation("ask").complete(ask("!"))


def test_a_budget_of_money_for_a_model_without_price_is_refused_at_the_beginning(opened: Open) -> None:
    with pytest.raises(InvalidInput, match=r"needs the price of 'scripted'.*\{\"scripted\": \[IN, OUT\]\}"):
        opened().operation("ask", budget=Budget(money=1))
    with pytest.raises(InvalidInput, match="TETRAGRAPH_LLM_PRICES"):
        opened(llm_corpus_money=1).operation("ask", corpus="c")
    opened(llm_prices={"scripted": (0, 0)}).operation("ask", budget=Budget(money=1)).complete(ask("?"))


def test_a_corpus_has_one_limit_for_all_operations(opened: Open) -> None:
    model = opened(llm_corpus_tokens=80)
    for name in ("build gain", "ask"):
        model.operation(name, corpus="c").complete(ask(f"first of {name}"))
    third = model.operation("ask", corpus="c")
    with pytest.raises(BudgetExhausted, match=r"corpus 'c' has spent \d+ of 80 tokens"):
        list(third.map(third.complete, map(ask, range(5))))
    model.operation("ask", corpus="d").complete(ask("another corpus"))


def test_a_repaired_reply_is_counted_and_kept(opened: Open, server: ScriptedLlm) -> None:
    server.answer = lambda body: '{"score": 3}' if len(body["messages"]) > 1 else "I would say three"
    model = opened()
    for cached in (0, 2):
        operation = model.operation("build gain", corpus="c")
        assert operation.structured(ask("How much?"), Score).score == 3
        assert (operation.usage.repairs, operation.usage.cached) == (1, cached)
    assert server.calls == 2
    assert model.totals("c")[0].usage.repairs == 2


def test_a_reply_of_free_text_can_be_asked_for_again(opened: Open, server: ScriptedLlm) -> None:
    server.answer = lambda body: "Better." if len(body["messages"]) > 1 else "Bad."
    model = opened()
    for cached in (0, 2):
        operation = model.operation("search", corpus="c")
        first = operation.complete(ask("How?")).text
        assert operation.complete_again(ask("How?"), first, "That was bad.").text == "Better."
        assert (operation.usage.repairs, operation.usage.cached) == (1, cached)
    assert [message["content"] for message in server.requests[1]["messages"]] == ["How?", "Bad.", "That was bad."]


def test_a_check_tells_what_an_endpoint_offers(opened: Open, server: ScriptedLlm) -> None:
    server.answer = lambda body: '{"colour": "green"}' if "colour" in str(body["messages"]) else "Yes, it is so."
    offer = opened().check()
    assert (offer.model, offer.structured, offer.logprobs, offer.streams) == ("scripted", "schema", True, True)
    assert offer.usage.calls == server.calls == 4
    server.refuses = ("response_format", "logprobs")
    offer = opened(llm_structured="auto").check()
    assert (offer.structured, offer.logprobs) == ("text", False)
    assert cache.count(LlmDatabase.of(server.settings(Settings()))) == 0


def test_without_a_model_it_is_told_how_to_name_one(tmp_path: Path) -> None:
    with pytest.raises(LlmNotConfigured, match="TETRAGRAPH_LLM"):
        LanguageModel.open(Settings(home=tmp_path))


def test_a_key_is_in_no_file_no_status_and_no_error(server: ScriptedLlm, opened: Open, tmp_path: Path) -> None:
    server.faults = sometimes(0.1, (UNAUTHORIZED, ECHO, SERVER_ERROR, WRONG_SCHEMA, DROPPED, REFUSAL))
    address = server.base_url.replace("http://", f"http://user:{CANARY}@")
    settings = {"llm_api_key": SecretStr(CANARY), "llm_base_url": address, "llm_timeout_s": 0.2, "llm_retries": 0}
    model = opened(**settings)
    operation = model.operation("build gain", corpus="c", budget=Budget(deadline_s=30))
    texts: list[str] = []
    for number in range(60):
        try:
            operation.structured(ask(number), Score)
        except LlmError as error:
            texts += [str(error), repr(error), str(error.__cause__), str(error.__context__)]
    assert texts
    assert operation.usage.calls > operation.usage.failed > 0
    found = llm.status(server.settings(Settings(home=tmp_path), **settings))
    assert found.endpoint == server.base_url
    texts += [repr(found), repr(model.totals())]
    with suppress(LlmError):
        texts.append(repr(model.check()))
    recording.write(cache.export_replies(LlmDatabase(found.file)), tmp_path / "export.jsonl")
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert {file.name for file in files} >= {"llm.sqlite", "llm.sqlite-wal", "export.jsonl"}
    assert not [file.name for file in files if CANARY.encode() in file.read_bytes()]
    assert not [text for text in texts if CANARY in text]
