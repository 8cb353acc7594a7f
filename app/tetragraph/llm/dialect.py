"""Variants of OpenAI's protocol: the features that an endpoint accepts, learnt from its refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tetragraph.llm.messages import Request

Mode = Literal["schema", "json", "text"]
_ABOUT_FORMS = re.compile(r"response_format|json[ _]schema|json_object|structured output|grammar|guided|schema", re.I)
_ABOUT_SUPPORT = re.compile(r"not supported|unsupported|instead|unrecogni[sz]ed|unknown|unexpected|not permitted", re.I)
_LENGTH_KEYS = ("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "minimum", "maximum")
_FEW_LOGPROBS = 5
_SEED = re.compile(r"\bseed\b")
_INVALID_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """Variant of the protocol for one endpoint.

    Attributes:
        mode: Constraint on structured output: its JSON schema, any JSON, or the prompt alone.
        is_fixed: Whether the settings name the mode, so that no other is tried.
        has_lengths: Whether schemas limit the length of texts and lists; some endpoints refuse that.
        limit: Parameter name of the longest reply.
        has_temperature: Whether the endpoint accepts ``temperature``.
        has_seed: Whether the endpoint accepts ``seed``.
        has_stream_usage: Whether the endpoint accepts ``stream_options`` with the usage of a stream.
        chances: Largest number of likeliest tokens that the endpoint returns.
    """

    mode: Mode = "schema"
    is_fixed: bool = False
    has_lengths: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    has_seed: bool = True
    has_stream_usage: bool = True
    chances: int = 20

    @classmethod
    def of(cls, structured: Literal["auto", "schema", "json", "text"]) -> Dialect:
        """Return the variant of the settings: all features of the protocol, until the endpoint refuses them."""
        return cls() if structured == "auto" else cls(structured, is_fixed=True)

    def arguments(self, model: str, request: Request, *, is_stream: bool) -> dict[str, Any]:
        """Return the parameters of a chat request."""
        arguments: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": message.role, "content": replace_surrogates(message.content)} for message in request.messages
            ],
            self.limit: request.max_tokens,
        }
        if self.has_temperature:
            arguments["temperature"] = request.temperature
        if request.seed is not None and self.has_seed:
            arguments["seed"] = request.seed
        if request.schema is not None and self.mode != "text":
            arguments["response_format"] = self._form(request.schema)
        if request.logprobs and self.chances:
            arguments |= {"logprobs": True, "top_logprobs": min(request.logprobs, self.chances)}
        if is_stream:
            arguments["stream"] = True
            if self.has_stream_usage:
                arguments["stream_options"] = {"include_usage": True}
        return arguments

    def without(self, words: str, request: Request, *, is_stream: bool) -> Dialect | None:
        """Return the next simpler variant after a refusal with this message; None if there is none."""
        if request.schema is not None and _ABOUT_FORMS.search(words) and (simpler := self._simpler_form()):
            return simpler
        if self.limit == "max_tokens" and "max_completion_tokens" in words and _ABOUT_SUPPORT.search(words):
            return replace(self, limit="max_completion_tokens")
        if is_stream and self.has_stream_usage and "stream_options" in words:
            return replace(self, has_stream_usage=False)
        if request.logprobs and self.chances and "logprobs" in words:
            return replace(self, chances=_FEW_LOGPROBS if self.chances > _FEW_LOGPROBS else 0)
        if self.has_temperature and "temperature" in words:
            return replace(self, has_temperature=False)
        if request.seed is not None and self.has_seed and _SEED.search(words):
            return replace(self, has_seed=False)
        return None

    def _simpler_form(self) -> Dialect | None:
        if self.mode == "schema" and self.has_lengths:
            return replace(self, has_lengths=False)
        if self.mode == "text" or self.is_fixed:
            return None
        return replace(self, mode="json" if self.mode == "schema" else "text")

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self.mode == "json":
            return {"type": "json_object"}
        name = _INVALID_IN_NAMES.sub("_", str(schema.get("title", "reply")))[:64] or "reply"
        strict = dict(schema) if self.has_lengths else _without_lengths(schema)
        return {"type": "json_schema", "json_schema": {"name": name, "schema": strict, "strict": True}}


def replace_surrogates(text: str) -> str:
    r"""Replace lone surrogates, which no file and no request can hold, by U+FFFD.

    >>> replace_surrogates("a\ud83d b")
    'a� b'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_lengths(schema: Any, *, is_map: bool = False) -> Any:
    """Return the schema without limits of length; in ``properties`` (``is_map``) all keys are names."""
    if isinstance(schema, list):
        return [_without_lengths(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    rest = {name: value for name, value in schema.items() if is_map or name not in _LENGTH_KEYS}
    return {name: _without_lengths(value, is_map=not is_map and name == "properties") for name, value in rest.items()}
