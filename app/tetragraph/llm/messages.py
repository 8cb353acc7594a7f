"""What is asked of a language model, and what it answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked in one call.

    Attributes:
        messages: The conversation so far; the last turn is the user's.
        max_tokens: The longest reply, in tokens of the model.
        schema: JSON schema that the reply keeps; None for free text. Its ``title`` names it.
        logprobs: How many likeliest tokens are told at each place of the reply, 0 to 20.
        temperature: 0 for the likeliest reply.
        expected_tokens: How long the reply will be, about; for estimates alone, ``max_tokens`` when left out.
        prompt: Name and hash of the prompt that it was made from; for manifests alone.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    logprobs: int = 0
    temperature: float = 0.0
    expected_tokens: int | None = None
    prompt: str = ""

    def content(self, model: str) -> dict[str, Any]:
        """All that a reply depends on, as JSON knows it."""
        return {
            "model": model,
            "messages": [[message.role, message.content] for message in self.messages],
            "max_tokens": self.max_tokens,
            "schema": self.schema,
            "logprobs": self.logprobs,
            "temperature": self.temperature,
        }

    def key(self, model: str) -> str:
        """Names the call by its content: model, messages and parameters, 64 hex digits of SHA-256."""
        return key_of(self.content(model))

    @property
    def characters(self) -> int:
        """Length of all messages."""
        return sum(len(message.content) for message in self.messages)

    def followed_by(self, *turns: Message) -> Request:
        """The same with more turns."""
        return replace(self, messages=(*self.messages, *turns))


def key_of(content: Mapping[str, Any]) -> str:
    """The key of what :meth:`Request.content` gave."""
    written = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """A token that a model could have said at some place, with the logarithm of its probability."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        finish: Why it ended: ``stop``, ``length`` (cut off at ``max_tokens``), or another word of the endpoint.
        input_tokens: As the endpoint counted them; estimated where it did not (then ``is_counted`` is false).
        chances: For each token of the reply the likeliest ones, best first; empty where they were not asked for.
        seconds: From the first try to the last byte; of a cached one, of the call that filled the cache.
        tries: How often it was asked, failed tries and the last one.
        is_cached: Whether it came from the cache, for nothing.
    """

    text: str
    finish: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    chances: tuple[tuple[TokenLogprob, ...], ...] = ()
    seconds: float = 0.0
    tries: int = 1
    is_counted: bool = True
    is_cached: bool = False
