"""What a model's endpoint offers, found out by asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel

from tetragraph.errors import InvalidInput, LlmRefused, UnusableReply
from tetragraph.llm.model import Message, Request
from tetragraph.llm.transport import OpenAITransport

if TYPE_CHECKING:
    from tetragraph.llm.operation import Operation
    from tetragraph.llm.transport import Transport
    from tetragraph.model.usage import Usage

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
