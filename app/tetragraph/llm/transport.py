"""One call to an endpoint that speaks OpenAI's chat protocol."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Protocol

from tetragraph.errors import LlmUnavailable, UnusableReply
from tetragraph.llm.model import Chance, Completion, Request

if TYPE_CHECKING:
    from openai import OpenAI

    from tetragraph.settings import Settings


class Transport(Protocol):
    """Whatever answers requests. Safe to share between threads."""

    @property
    def model(self) -> str:
        """Name of the model."""

    def send(self, request: Request, deadline: float | None) -> Completion:
        """The whole reply; ``deadline`` is a value of ``time.monotonic``."""

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """The pieces of the reply as they come; returns the whole."""


class OpenAITransport:
    """A model behind an endpoint that speaks OpenAI's chat protocol."""

    def __init__(self, model: str, settings: Settings) -> None:
        self._model = model
        self._settings = settings
        self._client: OpenAI | None = None

    @property
    def model(self) -> str:
        return self._model

    def send(self, request: Request, deadline: float | None) -> Completion:
        from openai import OpenAIError

        began = time.monotonic()
        try:
            reply = self._connected().chat.completions.create(**self._arguments(request))
        except OpenAIError as error:
            raise LlmUnavailable(f"the model {self.model!r} gave no reply: {error}") from error
        if not reply.choices or not reply.choices[0].message.content:
            raise UnusableReply("the reply has no text", "")
        choice = reply.choices[0]
        usage = reply.usage
        tokens = choice.logprobs.content if choice.logprobs and choice.logprobs.content else []
        return Completion(
            choice.message.content or "",
            choice.finish_reason or "stop",
            usage.prompt_tokens if usage else 0,
            usage.completion_tokens if usage else 0,
            tuple(tuple(Chance(one.token, one.logprob) for one in token.top_logprobs) for token in tokens),
            time.monotonic() - began,
        )

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        reply = self.send(request, deadline)
        yield reply.text
        return reply

    def _arguments(self, request: Request) -> dict[str, Any]:
        given: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
        }
        if request.schema is not None:
            name = request.schema.get("title", "reply")
            form = {"name": name, "schema": dict(request.schema), "strict": True}
            given["response_format"] = {"type": "json_schema", "json_schema": form}
        if request.logprobs:
            given |= {"logprobs": True, "top_logprobs": request.logprobs}
        return given

    def _connected(self) -> OpenAI:
        from openai import OpenAI

        if self._client is None:
            key = self._settings.llm_api_key
            self._client = OpenAI(
                api_key=key.get_secret_value() if key else "none is needed",
                base_url=self._settings.llm_base_url,
                max_retries=0,
                timeout=self._settings.llm_timeout_s,
            )
        return self._client
