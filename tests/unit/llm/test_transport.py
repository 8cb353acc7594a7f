"""Tests of ``tetragraph.llm.transport`` against a server that misbehaves: retries, limits, protocol variants."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr

import scripted_faults as faults
from scripted_llm import Reply, ScriptedLlm, count_input, tokens_of
from tetragraph.errors import DeadlineExceeded, InvalidInput, LlmError, LlmRefused, LlmUnavailable, UnusableReply
from tetragraph.llm import Completion, Message, Request
from tetragraph.llm.transport import OpenAITransport
from tetragraph.settings import Settings

TEXT = "It rains in spring, it snows in winter."
REQUEST = Request((Message("system", "Be brief."), Message("user", "What is the weather?")), 100)
SCHEMA = {"title": "Score of it", "type": "object", "properties": {"score": {"type": "string", "maxLength": 3}}}
ALWAYS = 1_000
Start = Callable[..., ScriptedLlm]
Asked = Callable[[OpenAITransport, Request, float | None], Completion]


def _sent(transport: OpenAITransport, request: Request, deadline: float | None = None) -> Completion:
    return transport.send(request, deadline)


def _streamed(transport: OpenAITransport, request: Request, deadline: float | None = None) -> Completion:
    pieces, reply = _drained(transport.stream(request, deadline))
    assert "".join(pieces) == reply.text
    return reply


def _drained(stream: Generator[str, None, Completion]) -> tuple[list[str], Completion]:
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value


both = pytest.mark.parametrize("ask", [_sent, _streamed])


@pytest.fixture
def transport(scripted_llm: Start, settings: Settings) -> Callable[..., tuple[ScriptedLlm, OpenAITransport]]:
    """Function that starts a server and a transport to it: ``transport(plan, refuses=…, llm_retries=…)``."""

    def start(
        plan: faults.Plan = lambda call: None, answer: Any = lambda body: TEXT, refuses: Any = (), **changes: Any
    ) -> tuple[ScriptedLlm, OpenAITransport]:
        llm = scripted_llm(answer, faults=plan, refuses=refuses)
        return llm, OpenAITransport(llm.model, llm.settings(settings, **changes))

    return start


Made = Callable[..., tuple[ScriptedLlm, OpenAITransport]]


@both
def test_a_reply_comes_with_its_tokens_as_the_endpoint_counts_them(transport: Made, ask: Asked) -> None:
    llm, model = transport()
    reply = ask(model, REQUEST, None)
    assert (reply.text, reply.finish, reply.tries, reply.is_counted) == (TEXT, "stop", 1, True)
    assert (reply.input_tokens, reply.output_tokens) == (count_input(llm.requests[0]), len(tokens_of(TEXT)))
    assert llm.requests[0]["max_tokens"] == 100
    assert llm.requests[0]["temperature"] == 0


@both
@pytest.mark.parametrize(
    "fault",
    [
        faults.busy(),
        faults.busy(is_date=True),
        faults.SERVER_ERROR,
        faults.AWAY,
        faults.BAD_GATEWAY,
        faults.DROPPED,
        faults.BROKEN_JSON,
        faults.NOT_THE_PROTOCOL,
        faults.HTML,
        faults.EMPTY_CHOICES,
        faults.ECHO,
        faults.failing(408),
        faults.Fault("an error with status 200", content='{"error": {"message": "overloaded", "code": 503}}'),
    ],
    ids=lambda fault: fault.name,
)
def test_what_may_pass_is_tried_again(transport: Made, ask: Asked, fault: faults.Fault) -> None:
    llm, model = transport(faults.first(2, fault))
    reply = ask(model, REQUEST, None)
    assert (reply.text, reply.tries, llm.calls) == (TEXT, 3, 3)


def test_a_cut_body_and_a_reply_without_content_are_tried_again(transport: Made) -> None:
    llm, model = transport(faults.at({0: faults.cut(), 1: faults.NULL_CONTENT, 2: faults.cut(0.9)}))
    reply = model.send(REQUEST, None)
    assert (reply.text, llm.calls) == (TEXT, 4)
    assert reply.input_tokens == 2 * count_input(llm.requests[0])  # includes the reply without content


@both
@pytest.mark.parametrize("fault", [faults.hanging(), faults.slow(0.09)], ids=lambda fault: fault.name)
def test_a_try_that_takes_too_long_is_given_up(transport: Made, ask: Asked, fault: faults.Fault) -> None:
    late = replace(fault, pause_s=60.0) if ask is _streamed else fault
    _, model = transport(faults.first(ALWAYS, late), llm_timeout_s=0.1, llm_retries=0)
    with pytest.raises(LlmUnavailable, match=r"did not reply within 0.1 s .*tried once"):
        ask(model, REQUEST, None)


@both
def test_the_last_failure_is_told_when_no_try_is_left(transport: Made, ask: Asked) -> None:
    llm, model = transport(faults.first(ALWAYS, faults.AWAY), llm_retries=2)
    with pytest.raises(LlmUnavailable, match=r"failed with 503: the model is being loaded; tried 3 times") as caught:
        ask(model, REQUEST, None)
    assert caught.value.tries == llm.calls == 3


def test_an_address_without_a_server_is_unavailable(scripted_llm: Start, settings: Settings) -> None:
    with ScriptedLlm() as gone:
        known = gone.settings(settings, llm_retries=1)
    with pytest.raises(LlmUnavailable, match="check TETRAGRAPH_LLM_BASE_URL; tried 2 times"):
        OpenAITransport("scripted", known).send(REQUEST, None)


@both
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (faults.UNAUTHORIZED, r"\(401\): Incorrect API key provided: Bearer \*\*\*; check TETRAGRAPH_LLM_API_KEY"),
        (faults.UNKNOWN_MODEL, "does not exist; check TETRAGRAPH_LLM and TETRAGRAPH_LLM_BASE_URL, an"),
        (faults.TOO_LONG, "maximum context length is 4096 tokens"),
        (faults.failing(429, "no money", code="insufficient_quota"), "no money; the account has no credit left"),
        (faults.Fault("plain", 403, "not you"), r"\(403\): not you"),
        (faults.Fault("detail", 422, '{"detail": [{"loc": ["body", "n"]}]}'), r"\(422\): .*body"),
    ],
)
def test_what_the_endpoint_refuses_is_not_tried_again(
    transport: Made, ask: Asked, fault: faults.Fault, words: str
) -> None:
    llm, model = transport(faults.first(ALWAYS, fault))
    with pytest.raises(LlmRefused, match=words):
        ask(model, REQUEST, None)
    assert llm.calls == 1


@both
@pytest.mark.parametrize(
    ("fault", "raw"),
    [
        (faults.REFUSAL, "I cannot help with that."),
        (faults.FILTERED, ""),
        (faults.saying(""), ""),
        (faults.saying("", "length"), ""),
    ],
)
def test_a_reply_without_a_word_is_unusable_and_not_asked_for_again(
    transport: Made, ask: Asked, fault: faults.Fault, raw: str
) -> None:
    llm, model = transport(faults.first(ALWAYS, fault))
    with pytest.raises(UnusableReply) as caught:
        ask(model, REQUEST, None)
    assert (caught.value.raw, llm.calls) == (raw, 1)
    assert caught.value.tokens == (count_input(llm.requests[0]), len(tokens_of(TEXT)))


def test_replies_without_content_end_as_unusable(transport: Made) -> None:
    for fault in (faults.EMPTY_CHOICES, faults.NULL_CONTENT):
        llm, model = transport(faults.first(ALWAYS, fault), llm_retries=1)
        with pytest.raises(UnusableReply, match="requested 2 times"):
            model.send(REQUEST, None)
        assert llm.calls == 2


@both
def test_a_huge_reply_is_not_eaten(transport: Made, ask: Asked) -> None:
    llm, model = transport(faults.first(ALWAYS, faults.huge(12_000_000)))
    with pytest.raises(UnusableReply, match=r"must be shorter than 8,100,000 bytes") as caught:
        ask(model, REQUEST, None)
    assert 0 < len(caught.value.raw) <= 2_000
    assert llm.calls == 1


@both
def test_halves_of_characters_do_not_get_in_or_out(transport: Made, ask: Asked) -> None:
    llm, model = transport(faults.first(1, faults.LONE_SURROGATE))
    asked = Request((Message("user", "half: \ud83d, whole: \U0001f600"),), 100)
    assert ask(model, asked, None).text == f"\ufffd {TEXT} \ufffd"
    assert llm.requests[0]["messages"][0]["content"] == "half: \ufffd, whole: \U0001f600"


@both
def test_tokens_that_are_not_told_are_estimated(transport: Made, ask: Asked) -> None:
    _, model = transport(faults.first(1, faults.NO_USAGE))
    reply = ask(model, REQUEST, None)
    assert not reply.is_counted
    assert (reply.input_tokens, reply.output_tokens) == (8, 10)  # 29 and 39 characters


@both
def test_a_reply_that_was_cut_at_its_limit_says_so(transport: Made, ask: Asked) -> None:
    _, model = transport()
    reply = ask(model, replace(REQUEST, max_tokens=3), None)
    assert (reply.text, reply.finish) == ("It rains in", "length")


@both
def test_the_likeliest_tokens_are_told_best_first(transport: Made, ask: Asked) -> None:
    _, model = transport(answer=lambda body: Reply("Yes", chances=[{"No": 0.2, "Yes": 0.7, " yes": 0.1}]))
    reply = ask(model, replace(REQUEST, logprobs=2), None)
    assert [[chance.token for chance in place] for place in reply.chances] == [["Yes", "No"]]


def test_a_stream_hands_out_pieces_as_they_come(transport: Made) -> None:
    llm, model = transport(faults.first(1, faults.slow(0.05)))
    stream = model.stream(REQUEST, None)
    assert next(stream) == "It"
    assert llm.at_once == 1  # the rest of the stream is pending
    stream.close()
    pieces, _ = _drained(model.stream(REQUEST, None))
    assert pieces == tokens_of(TEXT)
    assert llm.requests[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("fault", [faults.cut(0.5), replace(faults.slow(0.02), sent=0.5)], ids=["cut", "slow and cut"])
def test_a_stream_that_breaks_off_keeps_what_came(transport: Made, fault: faults.Fault) -> None:
    llm, model = transport(faults.first(ALWAYS, fault))
    with pytest.raises(UnusableReply, match="the stream broke off") as caught:
        _drained(model.stream(REQUEST, None))
    assert caught.value.raw == "It rains in spring, it snows"
    assert llm.calls == 1


def test_a_stream_that_breaks_off_before_its_first_piece_is_tried_again(transport: Made) -> None:
    llm, model = transport(faults.first(1, faults.cut(0.05)))
    assert _streamed(model, REQUEST).text == TEXT
    assert llm.calls == 2


def test_a_stream_that_lacks_only_its_usage_is_whole(transport: Made) -> None:
    llm, model = transport(faults.first(1, faults.cut(0.78)))
    reply = _streamed(model, REQUEST)
    assert (reply.text, reply.is_counted, llm.calls) == (TEXT, False, 1)


def test_an_endpoint_that_does_not_stream_is_one_piece(transport: Made) -> None:
    whole = '{"choices": [{"message": {"content": "So."}, "finish_reason": "stop"}]}'
    _, model = transport(faults.first(1, faults.Fault("whole", content=whole)))
    pieces, reply = _drained(model.stream(REQUEST, None))
    assert (pieces, reply.text) == (["So."], "So.")


def test_a_stream_that_is_left_frees_its_place(transport: Made) -> None:
    _, model = transport(llm_concurrency=1)
    stream = model.stream(REQUEST, None)
    next(stream)
    stream.close()
    assert model.send(REQUEST, time.monotonic() + 10).text == TEXT


@both
@pytest.mark.parametrize(
    "fault",
    [faults.hanging(), faults.slow(0.02), replace(faults.SERVER_ERROR, pause_s=0.02), faults.busy(30.0)],
    ids=["hang", "trickle", "trickling error", "long Retry-After"],
)
def test_all_ends_at_the_deadline(transport: Made, ask: Asked, fault: faults.Fault) -> None:
    llm, model = transport(lambda call: fault if call.number else None)
    model.send(REQUEST, None)  # opens the connection, so that the deadline measures the reply alone
    with pytest.raises(DeadlineExceeded, match="the deadline of the operation"):
        ask(model, REQUEST, time.monotonic() + 0.15)
    assert llm.calls <= 2


def test_nothing_is_sent_after_the_deadline(transport: Made) -> None:
    llm, model = transport()
    with pytest.raises(DeadlineExceeded):
        model.send(REQUEST, time.monotonic() - 1)
    assert llm.calls == 0


def test_no_more_requests_are_under_way_than_the_settings_allow(transport: Made) -> None:
    llm, model = transport(faults.first(ALWAYS, replace(faults.slow(0.0), wait_s=0.01)), llm_concurrency=3)
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda _: model.send(REQUEST, None), range(24)))
    assert len(replies) == llm.calls == 24
    assert llm.most_at_once <= 3


def test_who_waits_for_a_place_gives_up_at_the_deadline(transport: Made) -> None:
    llm, model = transport(llm_concurrency=1)
    stream = model.stream(REQUEST, None)
    next(stream)
    with pytest.raises(DeadlineExceeded, match=r"before the request to .* was sent"):
        model.send(REQUEST, time.monotonic() + 0.05)
    stream.close()
    assert llm.calls == 1


def test_replies_are_kept_to_a_schema_where_the_endpoint_can(transport: Made) -> None:
    llm, model = transport()
    model.send(replace(REQUEST, schema=SCHEMA), None)
    form = llm.requests[0]["response_format"]
    assert form == {
        "type": "json_schema",
        "json_schema": {"name": "Score_of_it", "schema": SCHEMA, "strict": True},
    }
    assert model.structured_mode == "schema"


@both
@pytest.mark.parametrize(
    ("refused", "mode", "kinds"),
    [
        ("json_schema", "json", ["json_schema", "json_schema", "json_object", "json_object"]),
        ("response_format", "text", ["json_schema", "json_schema", "json_object", None, None]),
    ],
)
def test_what_an_endpoint_cannot_do_with_forms_is_learnt_once(
    transport: Made, ask: Asked, refused: str, mode: str, kinds: list[str | None]
) -> None:
    llm, model = transport(refuses=[refused], llm_retries=0)
    for _ in range(2):
        assert ask(model, replace(REQUEST, schema=SCHEMA), None).text == TEXT
    assert [body.get("response_format", {}).get("type") for body in llm.requests] == kinds
    assert model.structured_mode == mode


def test_an_endpoint_that_refuses_limits_in_schemas_gets_them_without(transport: Made) -> None:
    complaint = faults.failing(400, "Invalid schema for response_format 'Score': 'maxLength' is not permitted")
    llm, model = transport(faults.first(1, complaint))
    model.send(replace(REQUEST, schema=SCHEMA), None)
    sent = llm.requests[1]["response_format"]["json_schema"]["schema"]
    assert sent["properties"] == {"score": {"type": "string"}}
    assert model.structured_mode == "schema"


@pytest.mark.parametrize(("mode", "kind"), [("schema", "json_schema"), ("json", "json_object"), ("text", None)])
def test_a_mode_of_the_settings_is_kept_to(transport: Made, mode: str, kind: str | None) -> None:
    llm, model = transport(refuses=["response_format"], llm_structured=mode)
    if kind is None:
        assert model.send(replace(REQUEST, schema=SCHEMA), None).text == TEXT
    else:
        with pytest.raises(LlmRefused, match="response_format"):
            model.send(replace(REQUEST, schema=SCHEMA), None)
    assert {body.get("response_format", {}).get("type") for body in llm.requests} == {kind}
    assert model.structured_mode == mode


@both
def test_other_names_and_limits_of_an_endpoint_are_learnt_once(transport: Made, ask: Asked) -> None:
    llm, model = transport(refuses=["max_tokens", "temperature", "logprobs", "stream_options"], llm_retries=0)
    for _ in range(2):
        assert ask(model, replace(REQUEST, logprobs=20), None).chances == ()
    sent = llm.requests[-1]
    assert sent["max_completion_tokens"] == 100
    assert not {"max_tokens", "temperature", "logprobs", "stream_options"} & set(sent)
    assert llm.calls == (7 if ask is _streamed else 6)


def test_threads_that_learn_at_the_same_time_learn_the_same(transport: Made) -> None:
    _, model = transport(refuses=["response_format", "max_tokens"], llm_concurrency=8, llm_retries=0)
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: model.send(replace(REQUEST, schema=SCHEMA), None), range(8)))
    assert {reply.text for reply in replies} == {TEXT}
    assert model.structured_mode == "text"


def test_a_text_that_is_too_long_teaches_nothing(transport: Made) -> None:
    words = "max_tokens or max_completion_tokens is too large: 5000; maximum context length is 4096 tokens"
    llm, model = transport(faults.first(1, faults.failing(400, words)))
    with pytest.raises(LlmRefused, match="too large: 5000"):
        model.send(REQUEST, None)
    model.send(REQUEST, None)
    assert "max_tokens" in llm.requests[1]


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (faults.UNAUTHORIZED, "api_key"),
        (faults.UNKNOWN_MODEL, "base_url"),
        (faults.Fault("list", 200, "[1]"), "base_url"),
    ],
)
def test_errors_name_the_variable_that_is_in_use(
    transport: Made, settings: Settings, fault: faults.Fault, name: str
) -> None:
    llm, _ = transport(faults.first(ALWAYS, fault))
    known = llm.settings(settings, llm_retries=0)
    own, shared = f"TETRAGRAPH_LLM_{name.upper()}", f"OPENAI_{name.upper()}"
    given = getattr(known, f"llm_{name}")
    for places, found in (((given, given), [own]), ((None, given), [shared])):
        changes = dict(zip((f"llm_{name}", f"openai_{name}"), places, strict=True))
        with pytest.raises(LlmError) as caught:
            OpenAITransport(llm.model, known.model_copy(update=changes)).send(REQUEST, None)
        assert re.findall(r"\w+_(?:API_KEY|BASE_URL)", str(caught.value)) == found


def test_a_missing_key_is_looked_for_in_both_places(transport: Made, settings: Settings) -> None:
    llm, _ = transport(faults.first(ALWAYS, faults.UNAUTHORIZED))
    known = llm.settings(settings, llm_api_key=None, openai_api_key=None)
    with pytest.raises(LlmRefused, match=r"check TETRAGRAPH_LLM_API_KEY or OPENAI_API_KEY$"):
        OpenAITransport(llm.model, known).send(REQUEST, None)


@pytest.mark.parametrize("address", ["localhost:8080/v1", "ftp://user:sesame@host/v1", "http:///v1"])
def test_an_address_that_is_none_is_told_at_once(settings: Settings, address: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with http:// or https://") as caught:
        OpenAITransport("m", settings.model_copy(update={"openai_base_url": address}))
    assert str(caught.value).endswith("; check OPENAI_BASE_URL")
    assert "sesame" not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_told_at_once(settings: Settings) -> None:
    for key in ("sk-ké", "sk-\x00y"):
        with pytest.raises(InvalidInput, match="must be printable ASCII") as caught:
            OpenAITransport("m", settings.model_copy(update={"llm_api_key": SecretStr(key)}))
        assert key not in str(caught.value)


def test_errors_carry_nothing_of_the_connection(transport: Made) -> None:
    for fault in (faults.SERVER_ERROR, faults.DROPPED, faults.cut(), faults.UNAUTHORIZED, faults.HTML):
        _, model = transport(faults.first(ALWAYS, fault), llm_retries=1)
        with pytest.raises(LlmError) as caught:
            model.send(REQUEST, None)
        assert caught.value.__context__ is None
        assert caught.value.__cause__ is None
