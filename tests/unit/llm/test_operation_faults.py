"""Tests of ``tetragraph.llm.operation`` against a server that misbehaves: no reply lost or doubled, no secret shown."""

from __future__ import annotations

import base64
import logging
import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pydantic import BaseModel, SecretStr

import scripted_faults as faults
from scripted_llm import Reply, ScriptedLlm, last_turn
from tetragraph.errors import LlmError, LlmRefused, LlmUnavailable, UnusableReply
from tetragraph.llm import LanguageModel, Message, Operation, Request
from tetragraph.settings import Settings

Start = Callable[..., ScriptedLlm]
ALWAYS = 10_000
KEY = "sk-canary-3f9a"
LOGIN = "canary-user:canary-word"
ALL = (
    faults.busy(),
    faults.busy(is_date=True),
    faults.SERVER_ERROR,
    faults.AWAY,
    faults.BAD_GATEWAY,
    faults.DROPPED,
    faults.cut(),
    faults.slow(0.001),
    faults.BROKEN_JSON,
    faults.NOT_THE_PROTOCOL,
    faults.HTML,
    faults.EMPTY_CHOICES,
    faults.NULL_CONTENT,
    faults.NO_USAGE,
    faults.PROSE,
    faults.FENCED,
    faults.WRONG_SCHEMA,
    faults.CUT_OFF,
    faults.LONE_SURROGATE,
    faults.ECHO,
)
ENDING = (
    faults.REFUSAL,
    faults.FILTERED,
    faults.huge(9_000_000),
    faults.UNAUTHORIZED,
    faults.UNKNOWN_MODEL,
    faults.TOO_LONG,
    faults.hanging(),
    faults.failing(400, "the header {authorization} is wrong"),
)


class Doubled(BaseModel):
    """Form for the double of a number."""

    double: int


def _request(text: str) -> Request:
    return Request((Message("system", "Double it."), Message("user", text)), 30)


def _double(body: faults.Body) -> str:
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return f'{{"double": {2 * int(asked[0])}}}'


def _doubles(operation: Operation, count: int) -> list[int]:
    return list(operation.map(lambda number: operation.structured(_request(str(number)), Doubled).double, range(count)))


def _operation(llm: ScriptedLlm, settings: Settings, **changes: object) -> Operation:
    return LanguageModel.open(llm.settings(settings, **changes)).operation("test")


@pytest.mark.parametrize(
    ("refused", "mode", "notes"),
    [
        (
            "json_schema",
            "auto",
            ("the endpoint does not support JSON schemas: replies were requested as JSON of any form",),
        ),
        (
            "response_format",
            "auto",
            ("the endpoint does not support JSON schemas: replies were requested by the text of the prompt alone",),
        ),
        ("response_format", "text", ()),
        ("logprobs", "auto", ()),
    ],
)
def test_a_form_that_is_less_sure_than_it_could_be_is_said(
    scripted_llm: Start, settings: Settings, refused: str, mode: str, notes: tuple[str, ...]
) -> None:
    operation = _operation(scripted_llm(_double, refuses=[refused]), settings, llm_structured=mode)
    operation.complete(_request("20"))
    assert operation.notes == ()
    operation.structured(_request("21"), Doubled)
    assert operation.notes == notes


@pytest.mark.parametrize("fault", [faults.PROSE, faults.FENCED, faults.LONE_SURROGATE], ids=lambda fault: fault.name)
def test_a_form_is_read_out_of_what_is_round_it(scripted_llm: Start, settings: Settings, fault: faults.Fault) -> None:
    llm = scripted_llm(_double, faults=faults.first(ALWAYS, fault))
    operation = _operation(llm, settings)
    assert operation.structured(_request("21"), Doubled).double == 42
    assert (llm.calls, operation.usage.repairs) == (1, 0)


@pytest.mark.parametrize(
    "fault",
    [faults.WRONG_SCHEMA, faults.CUT_OFF, faults.saying("I cannot help with that."), faults.saying("[" * 500)],
    ids=lambda fault: fault.name,
)
def test_a_reply_of_another_form_is_repaired_once(scripted_llm: Start, settings: Settings, fault: faults.Fault) -> None:
    llm = scripted_llm(_double, faults=faults.first(1, fault))
    operation = _operation(llm, settings)
    assert operation.structured(_request("21"), Doubled).double == 42
    assert (llm.calls, operation.usage.repairs) == (2, 1)
    assert [message["role"] for message in llm.requests[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert "the reply must be a JSON object with double" in last_turn(llm.requests[1])


def test_a_second_reply_of_another_form_is_an_error_with_that_reply(scripted_llm: Start, settings: Settings) -> None:
    refusals = ["I would rather not.", "No, really."]
    llm = scripted_llm(lambda body: refusals[len(body["messages"]) // 4])
    with pytest.raises(UnusableReply, match="it holds no such object") as caught:
        _operation(llm, settings).structured(_request("21"), Doubled)
    assert (caught.value.raw, llm.calls) == (refusals[1], 2)


def test_the_error_of_a_reply_names_model_and_step_and_begins_the_reply_in_one_line(
    scripted_llm: Start, settings: Settings
) -> None:
    llm = scripted_llm(lambda body: "I’d rather\n\x1b[31mnot " + 90 * "x")
    asked = replace(_request("21"), prompt="answer 1 0123")
    beginning = "I’d rather \\x1b[31mnot " + 60 * "x" + " …"
    where = f"(model 'scripted', step 'answer', reply '{beginning}')"
    with pytest.raises(UnusableReply, match=f"it holds no such object {re.escape(where)}$"):
        _operation(llm, settings).structured(asked, Doubled)
    assert "(model" not in last_turn(llm.requests[1])


def test_the_error_of_an_empty_reply_shows_none(scripted_llm: Start, settings: Settings) -> None:
    llm = scripted_llm(lambda body: "")
    with pytest.raises(UnusableReply, match=r"and is empty \(model 'scripted'\)$"):
        _operation(llm, settings).complete(_request("21"))
    with pytest.raises(UnusableReply, match=r"and is empty \(model 'scripted'\)$"):
        list(_operation(llm, settings).stream(_request("22")))


def test_forms_are_read_from_endpoints_without_schemas(scripted_llm: Start, settings: Settings) -> None:
    llm = scripted_llm(_double, refuses=["response_format"], faults=faults.first_of_each(1, faults.FENCED))
    operation = _operation(llm, settings)
    assert [operation.structured(_request(str(number)), Doubled).double for number in range(3)] == [0, 2, 4]
    assert "response_format" not in llm.requests[-1]


def test_the_probability_of_a_word_is_that_of_the_first_token(scripted_llm: Start, settings: Settings) -> None:
    llm = scripted_llm(lambda body: Reply("Yes", chances=[{"Yes": 0.5, " yes": 0.1, "No": 0.2, "Maybe": 0.2}]))
    operation = _operation(llm, settings)
    assert operation.probability(_request("1"), "yes", "no") == pytest.approx(0.75)
    assert (llm.requests[0]["max_tokens"], llm.requests[0]["top_logprobs"]) == (1, 20)


@pytest.mark.parametrize("refuses", [[], ["logprobs"]])
def test_an_endpoint_that_tells_no_probabilities_is_said_to(
    scripted_llm: Start, settings: Settings, refuses: list[str]
) -> None:
    llm = scripted_llm(refuses=refuses, faults=faults.first(ALWAYS, faults.NO_LOGPROBS))
    with pytest.raises(UnusableReply, match="the endpoint must return the probabilities of tokens"):
        _operation(llm, settings).probability(_request("1"), "yes", "no")


def test_of_many_calls_with_faults_of_each_kind_every_result_is_there(scripted_llm: Start, settings: Settings) -> None:
    plan = faults.sometimes(0.1 / len(ALL) * 2, ALL, seed=7)
    llm = scripted_llm(_double, faults=plan)
    operation = _operation(llm, settings, llm_concurrency=8)
    assert _doubles(operation, 200) == [2 * number for number in range(200)]
    usage = operation.usage
    assert (usage.failed, usage.calls) == (0, 200 + usage.repairs)
    assert usage.calls + usage.retries == llm.calls > 220
    assert len(llm.calls_by_content) == usage.calls
    assert llm.most_at_once <= 8


def test_asked_again_nothing_is_asked_again(scripted_llm: Start, settings: Settings) -> None:
    llm = scripted_llm(_double, faults=faults.sometimes(0.02, ALL, seed=1))
    model = LanguageModel.open(llm.settings(settings))
    results = []
    for _ in range(2):
        operation = model.operation("test")
        results.append(_doubles(operation, 20))
    assert results[0] == results[1]
    assert (operation.usage.calls, operation.usage.cached) == (0, 20)


def test_what_was_answered_before_an_error_is_kept(scripted_llm: Start, settings: Settings) -> None:
    llm = scripted_llm(_double, faults=faults.at({5: faults.TOO_LONG}))
    model = LanguageModel.open(llm.settings(settings, llm_concurrency=2))
    with pytest.raises(LlmRefused):
        _doubles(model.operation("test"), 30)
    assert _doubles(model.operation("test"), 30) == [2 * number for number in range(30)]
    assert llm.calls == 31


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Callable[[], str]:
    """Function that returns all log messages, at the level DEBUG of every logger."""
    caplog.set_level(logging.DEBUG)
    for name in logging.root.manager.loggerDict:
        caplog.set_level(logging.DEBUG, logger=name)
    return lambda: caplog.text


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("login", ["", f"{LOGIN}@"], ids=["key", "login"])
@pytest.mark.parametrize("fault", [*ALL, *ENDING], ids=lambda fault: fault.name)
def test_no_secret_is_told(
    scripted_llm: Start,
    settings: Settings,
    everything_logged: Callable[[], str],
    fault: faults.Fault,
    login: str,
) -> None:
    llm = scripted_llm(_double, faults=faults.first(ALWAYS, fault))
    address = llm.base_url.replace("//", f"//{login}")
    changes = {"llm_base_url": address, "llm_api_key": SecretStr(KEY), "llm_retries": 1, "llm_timeout_s": 2.0}
    if fault.wait_s:
        changes["llm_timeout_s"] = 0.05
    operation = _operation(llm, settings, **changes)
    texts = []
    for ask in (
        lambda: operation.structured(_request("1"), Doubled),
        lambda: list(operation.stream(_request("2"))),
    ):
        try:
            texts.append(repr(ask()))
        except LlmError as error:
            texts += [line for one in _chain(error) for line in (str(one), repr(one), repr(vars(one)))]
            texts += traceback.format_exception(error)
    secrets = [KEY, "canary-word", base64.b64encode(LOGIN.encode()).decode()]
    everything = "\n".join([*texts, everything_logged(), repr(operation.usage), repr(operation.record)])
    assert [secret for secret in secrets if secret in everything] == []
    assert llm.calls >= 2


def test_a_login_in_the_address_is_sent(scripted_llm: Start, settings: Settings) -> None:
    echo = faults.failing(500, "{authorization}")
    llm = scripted_llm(faults=faults.first(ALWAYS, echo))
    scrubbed = {"llm_base_url": llm.base_url.replace("//", "//me:sesame@"), "llm_retries": 0}
    with pytest.raises(LlmUnavailable, match=r"failed with 500: Basic \*\*\*"):
        _operation(llm, settings, **scrubbed).complete(_request("1"))
