"""What an endpoint takes of OpenAI's protocol, learnt from what it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tetragraph.llm.messages import Request

Mode = Literal["schema", "json", "text"]
_OF_FORMS = re.compile(r"response_format|json[ _]schema|json_object|structured output|grammar|guided|schema", re.I)
_OF_LIMITS = re.compile(r"not supported|unsupported|instead|unrecogni[sz]ed|unknown|unexpected|not permitted", re.I)
_LENGTHS = ("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "minimum", "maximum")
_FEW_CHANCES = 5
_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How requests are written for an endpoint.

    Attributes:
        mode: How replies are kept to a form: by its JSON schema, as any JSON, by the prompt alone.
        is_fixed: Whether the settings name the mode, so that nothing else is tried.
        has_lengths: Whether schemas say how long texts and lists may be; some endpoints refuse that.
        limit: What the endpoint calls the longest reply.
        chances: How many likeliest tokens it tells at most.
    """

    mode: Mode = "schema"
    is_fixed: bool = False
    has_lengths: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    has_stream_usage: bool = True
    chances: int = 20

    @classmethod
    def of(cls, structured: Literal["auto", "schema", "json", "text"]) -> Dialect:
        """As the settings have it: all that the protocol knows, until the endpoint refuses it."""
        return cls() if structured == "auto" else cls(structured, is_fixed=True)

    def arguments(self, model: str, request: Request, *, is_stream: bool) -> dict[str, Any]:
        """What is sent for a request."""
        given: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": whole(message.content)} for message in request.messages],
            self.limit: request.max_tokens,
        }
        if self.has_temperature:
            given["temperature"] = request.temperature
        if request.schema is not None and self.mode != "text":
            given["response_format"] = self._form(request.schema)
        if request.logprobs and self.chances:
            given |= {"logprobs": True, "top_logprobs": min(request.logprobs, self.chances)}
        if is_stream:
            given["stream"] = True
            if self.has_stream_usage:
                given["stream_options"] = {"include_usage": True}
        return given

    def without(self, words: str, request: Request, *, is_stream: bool) -> Dialect | None:
        """The next simpler way to write a request that was refused with these words; None where there is none."""
        if request.schema is not None and _OF_FORMS.search(words) and (simpler := self._simpler_form()):
            return simpler
        if self.limit == "max_tokens" and "max_completion_tokens" in words and _OF_LIMITS.search(words):
            return replace(self, limit="max_completion_tokens")
        if is_stream and self.has_stream_usage and "stream_options" in words:
            return replace(self, has_stream_usage=False)
        if request.logprobs and self.chances and "logprobs" in words:
            return replace(self, chances=_FEW_CHANCES if self.chances > _FEW_CHANCES else 0)
        if self.has_temperature and "temperature" in words:
            return replace(self, has_temperature=False)
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
        name = _NO_NAME.sub("_", str(schema.get("title", "reply")))[:64] or "reply"
        sent = dict(schema) if self.has_lengths else _without_lengths(schema)
        return {"type": "json_schema", "json_schema": {"name": name, "schema": sent, "strict": True}}


def whole(text: str) -> str:
    r"""The text with U+FFFD for halves of characters (lone surrogates), which no file and no request can hold.

    >>> whole("a\ud83d b")
    'a� b'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_lengths(schema: Any, *, is_map: bool = False) -> Any:
    """The schema without limits; in ``properties`` (``is_map``) the keys are names, whatever they are."""
    if isinstance(schema, list):
        return [_without_lengths(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: value for name, value in schema.items() if is_map or name not in _LENGTHS}
    return {name: _without_lengths(value, is_map=not is_map and name == "properties") for name, value in kept.items()}
