"""Faults of a scripted language model, and plans of when they occur."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A received request.

    Attributes:
        number: Number in the order of arrival, from 0.
        attempt: Number of earlier requests with the same content.
        key: Key of the content.
    """

    number: int
    attempt: int
    key: str
    body: Body


@dataclass(frozen=True)
class Fault:
    """A fault of a response.

    Attributes:
        status: HTTP status instead of 200.
        content: Body instead of the reply; ``{authorization}`` is replaced by that header of the request.
        retry_after_s: Seconds in the header ``Retry-After``.
        is_date: Whether ``Retry-After`` is a date of HTTP instead of seconds.
        wait_s: Pause before the first byte.
        pause_s: Pause before each piece: events of a stream, sixteenths of a body.
        sent: Share of the pieces that are sent before the connection is closed.
        change: Converts the right completion to a wrong one; for a stream, before it is split into pieces.
    """

    name: str
    status: int = 200
    content: str | None = None
    retry_after_s: float | None = None
    is_date: bool = False
    wait_s: float = 0.0
    pause_s: float = 0.0
    sent: float = 1.0
    change: Callable[[Body], Body] | None = field(default=None, compare=False)


Plan = Callable[[Call], Fault | None]


def at(faults: Mapping[int, Fault]) -> Plan:
    """Faults by the number of the call, from 0."""
    return lambda call: faults.get(call.number)


def first(count: int, fault: Fault) -> Plan:
    """The same fault for the first calls."""
    return lambda call: fault if call.number < count else None


def first_of_each(count: int, fault: Fault) -> Plan:
    """The same fault for the first attempts of each content."""
    return lambda call: fault if call.attempt < count else None


def sometimes(share: float, faults: Sequence[Fault], seed: int = 0) -> Plan:
    """Each of the faults for a share of calls, drawn by content and attempt, independently of the order of threads."""

    def drawn(call: Call) -> Fault | None:
        mark = hashlib.sha256(f"{seed} {call.key} {call.attempt}".encode()).digest()
        place = int.from_bytes(mark[:8]) / 2**64 / share
        return faults[int(place)] if place < len(faults) else None

    return drawn


def failing(status: int, message: str = "the server failed", name: str = "", **error: Any) -> Fault:
    """A status with an error in OpenAI's format; ``error`` has further fields."""
    content = json.dumps({"error": {"message": message, "type": "error", "param": None, "code": None} | error})
    return Fault(name or str(status), status, content)


def hanging(seconds: float = 60.0) -> Fault:
    """No byte for some seconds."""
    return Fault("hang", wait_s=seconds)


def slow(pause_s: float) -> Fault:
    """A pause before each piece."""
    return Fault("slow", pause_s=pause_s)


def cut(sent: float = 0.5) -> Fault:
    """The connection is closed in the middle of the body or stream."""
    return Fault("cut", sent=sent)


def busy(seconds: float = 0.0, *, is_date: bool = False) -> Fault:
    """429 with Retry-After."""
    return replace(failing(429, "rate limit reached"), retry_after_s=seconds, is_date=is_date)


def saying(text: str, finish: str = "stop", name: str = "says another thing") -> Fault:
    """Another text instead of the right one."""
    return Fault(name, change=lambda reply: _message(reply, finish, content=text))


def wrapped(before: str, after: str, name: str) -> Fault:
    """The right text between two other texts."""
    return Fault(name, change=lambda reply: _message(reply, content=f"{before}{_text(reply)}{after}"))


def huge(size: int = 30_000_000) -> Fault:
    """A text with a number of characters."""
    return Fault("huge", change=lambda reply: _message(reply, content="so " * (size // 3)))


def _text(reply: Body) -> str:
    return str(reply["choices"][0]["message"]["content"])


def _message(reply: Body, finish: str | None = None, **changes: Any) -> Body:
    choice = reply["choices"][0]
    changed = choice | {"message": choice["message"] | changes, "finish_reason": finish or choice["finish_reason"]}
    return reply | {"choices": [changed]}


def _first_half(reply: Body) -> Body:
    text = _text(reply)
    return _message(reply, "length", content=text[: len(text) // 2])


SERVER_ERROR = failing(500)
AWAY = failing(503, "the model is being loaded")
DROPPED = Fault("dropped", sent=0.0)
BROKEN_JSON = Fault("broken JSON", content='{"id": "1", "choices": [{"mess')
NOT_THE_PROTOCOL = Fault("not the protocol", content='["it works"]')
HTML = Fault("HTML", content="<!doctype html><html><body><h1>It works</h1></body></html>")
BAD_GATEWAY = Fault("502 with HTML", 502, "<html><body><h1>502 Bad Gateway</h1></body></html>")
PROSE = wrapped("Of course! Here is what you asked for:\n\n", "\n\nTell me if you need more.", "prose round JSON")
FENCED = wrapped("```json\n", "\n```", "fenced JSON")
WRONG_SCHEMA = saying('{"colour": "blue", "weight": [1, 2]}', name="wrong schema")
LONE_SURROGATE = wrapped("\ud83d ", " \udc00", "lone surrogates")
EMPTY_CHOICES = Fault("empty choices", change=lambda reply: reply | {"choices": []})
NULL_CONTENT = Fault("null content", change=lambda reply: _message(reply, content=None))
REFUSAL = Fault("refusal", change=lambda reply: _message(reply, content=None, refusal="I cannot help with that."))
FILTERED = Fault("content filter", change=lambda reply: _message(reply, "content_filter", content=""))
CUT_OFF = Fault("length", change=_first_half)
NO_USAGE = Fault("no usage", change=lambda reply: {name: reply[name] for name in reply if name != "usage"})
NO_LOGPROBS = Fault("no logprobs", change=lambda reply: reply | {"choices": [reply["choices"][0] | {"logprobs": None}]})
UNAUTHORIZED = failing(401, "Incorrect API key provided: {authorization}", code="invalid_api_key")
ECHO = failing(500, "could not handle a request with the header {authorization}", "echo of the key")
UNKNOWN_MODEL = failing(404, "The model `scripted` does not exist", code="model_not_found")
TOO_LONG = failing(400, "This model's maximum context length is 4096 tokens", code="context_length_exceeded")
