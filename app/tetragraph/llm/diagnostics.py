"""Checks of an endpoint, and the state of the language model's settings, cache and usage log."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel

from tetragraph.errors import InvalidInput, LlmRefused, UnusableReply
from tetragraph.llm import cache
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.messages import Message, Request
from tetragraph.llm.recording import PREFIX
from tetragraph.llm.transport import OpenAITransport
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, Total, Usage

if TYPE_CHECKING:
    from tetragraph.llm.operation import Operation
    from tetragraph.llm.transport import Transport
    from tetragraph.settings import Settings

_MAX_TOKENS = 40
_OPENAI = "https://api.openai.com/v1"


class _Colour(BaseModel):
    colour: str


@dataclass(frozen=True, slots=True)
class EndpointCapabilities:
    """Capabilities of an endpoint.

    Attributes:
        seconds: Duration of the reply to a question of a few words.
        structured: How structured output is requested: ``schema``, ``json`` or ``text``; None if the reply could not be
            read.
        logprobs: Whether the endpoint returns probabilities of tokens.
        streams: Whether a reply arrives in pieces.
        usage: Usage of the check.
    """

    model: str
    seconds: float
    structured: str | None
    logprobs: bool
    streams: bool
    usage: Usage


def check(transport: Transport, operation: Operation) -> EndpointCapabilities:
    """Send four short questions; the operation must not use the reply cache.

    Raises:
        InvalidInput: a recording is replayed, which has no endpoint.
        LlmUnavailable, LlmRefused: the model does not answer.
    """
    if not isinstance(transport, OpenAITransport):
        raise InvalidInput(f"a recording of {transport.model!r} is replayed: there is no endpoint to check")
    first = operation.complete(_question("Say yes."))
    return EndpointCapabilities(
        model=transport.model,
        seconds=first.seconds,
        structured=transport.structured_mode if _has_structured_output(operation) else None,
        logprobs=_has_logprobs(operation),
        streams=_has_streams(operation),
        usage=operation.usage,
    )


def _question(text: str) -> Request:
    return Request((Message("user", text),), _MAX_TOKENS)


def _has_structured_output(operation: Operation) -> bool:
    try:
        operation.structured(_question('Which colour has grass? Answer as JSON, such as {"colour": "red"}.'), _Colour)
    except UnusableReply:
        return False
    return True


def _has_logprobs(operation: Operation) -> bool:
    try:
        operation.probability(_question("Is grass green? Answer Yes or No."), "Yes", "No")
    except (UnusableReply, LlmRefused):
        return False
    return True


def _has_streams(operation: Operation) -> bool:
    try:
        return len(list(operation.stream(_question("Count from one to five in words.")))) > 1
    except (UnusableReply, LlmRefused):
        return False


@dataclass(frozen=True, slots=True)
class LlmStatus:
    """The language model of the settings, and its database.

    Attributes:
        model: Name of the model; None if none is set.
        endpoint: Address without user, password and query; None without a model or with one that is replayed.
        file: Path of the database.
        replies: Number of cached replies, of all models.
        file_mb: Size of the database in MB (10^6 bytes).
        usage: Usage of all operations.
        totals: Usage by operation, corpus and model.
    """

    model: str | None
    endpoint: str | None
    file: Path
    replies: int
    file_mb: float
    usage: Usage
    totals: tuple[Total, ...]


def status(settings: Settings) -> LlmStatus:
    """Read settings and database; sends nothing.

    Raises:
        UnusableCache: the database cannot be used.
    """
    database = LlmDatabase.of(settings)
    try:
        totals = UsageLog(database).totals()
        replies = cache.count(database)
    finally:
        database.close()
    usage = sum((total.usage for total in totals), NOTHING)
    return LlmStatus(
        model=settings.llm or None,
        endpoint=_endpoint(settings),
        file=database.path,
        replies=replies,
        file_mb=database.size_bytes / 1e6,
        usage=usage,
        totals=tuple(totals),
    )


def _endpoint(settings: Settings) -> str | None:
    if not settings.llm or settings.llm.startswith(PREFIX):
        return None
    return without_secrets(settings.llm_base_url or settings.openai_base_url or _OPENAI)


def without_secrets(address: str) -> str:
    """Return an address as it may be shown.

    >>> without_secrets("https://me:secret@llm.example:8443/v1?key=abc#there")
    'https://llm.example:8443/v1'
    """
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
