"""Requests to a language model and its replies."""

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
    """Request for one reply.

    Attributes:
        messages: Conversation so far; the last turn is the user's.
        max_tokens: Largest length of the reply, in tokens of the model.
        schema: JSON schema of the reply; None for free text. Its ``title`` is its name.
        logprobs: Number of likeliest tokens returned for each place of the reply, 0 to 20.
        temperature: Sampling temperature; 0 for the likeliest reply.
        seed: Seed of the sampling, which tells several replies to one conversation apart; None for none.
        expected_tokens: Approximate length of the reply; used by estimates only, which otherwise use ``max_tokens``.
        prompt: Name and hash of the prompt; used by manifests only.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    logprobs: int = 0
    temperature: float = 0.0
    seed: int | None = None
    expected_tokens: int | None = None
    prompt: str = ""

    def content(self, model: str) -> dict[str, Any]:
        """Return everything that the reply depends on, as JSON values."""
        content = {
            "model": model,
            "messages": [[message.role, message.content] for message in self.messages],
            "max_tokens": self.max_tokens,
            "schema": self.schema,
            "logprobs": self.logprobs,
            "temperature": self.temperature,
        }
        return content if self.seed is None else {**content, "seed": self.seed}

    def key(self, model: str) -> str:
        """Return the cache key: SHA-256 of model, messages and parameters, 64 hexadecimal digits."""
        return key_of(self.content(model))

    @property
    def characters(self) -> int:
        """Total length of the messages."""
        return sum(len(message.content) for message in self.messages)

    def followed_by(self, *turns: Message) -> Request:
        """Return the request with further turns."""
        return replace(self, messages=(*self.messages, *turns))


def key_of(content: Mapping[str, Any]) -> str:
    """Return the cache key of the result of :meth:`Request.content`."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """Candidate token at one place of a reply, with the logarithm of its probability."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Completion:
    """Reply of a language model.

    Attributes:
        finish: Reason for its end: ``stop``, ``length`` (cut off at ``max_tokens``), or another word of the endpoint.
        input_tokens: Tokens counted by the endpoint; estimated if it did not count (then ``is_counted`` is false).
        chances: Likeliest tokens for each token of the reply, best first; empty if they were not requested.
        seconds: Time from the first attempt to the last byte; of a cached reply, that of the original call.
        tries: Number of attempts, including the last one.
        is_cached: Whether the reply came from the cache, without cost.
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
