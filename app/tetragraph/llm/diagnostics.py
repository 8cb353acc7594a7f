"""What a model's endpoint offers, found out by asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel

from tetragraph.errors import InvalidInput, LlmRefused, UnusableReply
from tetragraph.llm.messages import Message, Request
from tetragraph.llm.recording import PREFIX
from tetragraph.llm.transport import OpenAITransport

if TYPE_CHECKING:
    from tetragraph.llm.operation import Operation
    from tetragraph.llm.transport import Transport
    from tetragraph.model.usage import Usage
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tetragraph.llm import cache
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, Total, Usage

if TYPE_CHECKING:
    from tetragraph.settings import Settings


_SHORT = 40


class _Colour(BaseModel):
    colour: str


@dataclass(frozen=True, slots=True)
class EndpointCapabilities:
    """What an endpoint offers.

    Attributes:
        seconds: Until the reply to a question of a few words was there.
        structured: How replies are kept to a form: ``schema``, ``json`` or ``text``; None where a reply could not be
            read.
        logprobs: Whether it tells how likely tokens are.
        streams: Whether a reply comes in pieces.
        usage: What asking cost.
    """

    model: str
    seconds: float
    structured: str | None
    logprobs: bool
    streams: bool
    usage: Usage


def check(transport: Transport, operation: Operation) -> EndpointCapabilities:
    """Ask four short questions, past the kept replies.

    Raises:
        InvalidInput: a recording is replayed; there is nobody to ask.
        LlmUnavailable, LlmRefused: the model does not answer.
    """
    if not isinstance(transport, OpenAITransport):
        raise InvalidInput(f"a recording of {transport.model!r} is replayed: there is no endpoint to check")
    first = operation.complete(_ask("Say yes."))
    return EndpointCapabilities(
        model=transport.model,
        seconds=first.seconds,
        structured=transport.structured_mode if _keeps_a_form(operation) else None,
        logprobs=_tells_chances(operation),
        streams=_streams(operation),
        usage=operation.usage,
    )


def _ask(text: str) -> Request:
    return Request((Message("user", text),), _SHORT)


def _keeps_a_form(operation: Operation) -> bool:
    try:
        operation.structured(_ask('Which colour has grass? Answer as JSON, such as {"colour": "red"}.'), _Colour)
    except UnusableReply:
        return False
    return True


def _tells_chances(operation: Operation) -> bool:
    try:
        operation.probability(_ask("Is grass green? Answer Yes or No."), "Yes", "No")
    except (UnusableReply, LlmRefused):
        return False
    return True


def _streams(operation: Operation) -> bool:
    try:
        return len(list(operation.stream(_ask("Count from one to five in words.")))) > 1
    except (UnusableReply, LlmRefused):
        return False


_OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class LlmStatus:
    """The language model of the settings, and the file of replies.

    Attributes:
        model: Of the settings; None where none is set.
        endpoint: Its address without user, password and query; None without a model or with one that is replayed.
        replies: Kept ones, of all models.
        file_mb: MB are 10^6 bytes.
        usage: Of all operations.
        totals: By operation, corpus and model.
    """

    model: str | None
    endpoint: str | None
    file: Path
    replies: int
    file_mb: float
    usage: Usage
    totals: tuple[Total, ...]


def status(settings: Settings) -> LlmStatus:
    """Look at settings and file; asks nobody.

    Raises:
        UnusableCache: the file cannot be used.
    """
    file = LlmDatabase.of(settings)
    try:
        totals = UsageLog(file).totals()
        replies = cache.count(file)
    finally:
        file.close()
    usage = sum((total.usage for total in totals), NOTHING)
    return LlmStatus(
        settings.llm or None, _endpoint(settings), file.path, replies, file.size_bytes / 1e6, usage, tuple(totals)
    )


def _endpoint(settings: Settings) -> str | None:
    if not settings.llm or settings.llm.startswith(PREFIX):
        return None
    return without_secrets(settings.llm_base_url or _OPENAI)


def without_secrets(address: str) -> str:
    """An address as it may be shown.

    >>> without_secrets("https://me:secret@llm.example:8443/v1?key=abc#there")
    'https://llm.example:8443/v1'
    """
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
