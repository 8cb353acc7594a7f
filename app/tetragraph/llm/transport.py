"""Transport of requests to an endpoint with OpenAI's chat protocol: retries, limits and protocol variants."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

from tetragraph.errors import LlmError, LlmRefused, UnusableReply
from tetragraph.llm.dialect import Dialect, Mode
from tetragraph.llm.endpoint import Endpoint, Refusal
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.responses import PartialResponse, limit_size, read_frames
from tetragraph.llm.retries import RetryState, TransientFailure

if TYPE_CHECKING:
    from tetragraph.settings import Settings

_TRANSIENT = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_HINTS: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "check {endpoint.key_setting}",
    HTTPStatus.FORBIDDEN: "check {endpoint.key_setting}",
    HTTPStatus.NOT_FOUND: "check TETRAGRAPH_LLM and {endpoint.address_setting}, an address that usually ends in /v1",
    HTTPStatus.TOO_MANY_REQUESTS: "the account has no credit left",
}
_NOT_ABOUT_DIALECT = (*_HINTS, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
"""Statuses that do not depend on the variant of the protocol."""
_NO_CREDIT = "insufficient_quota"


class Transport(Protocol):
    """Sends requests to a model. Safe to share between threads."""

    @property
    def model(self) -> str:
        """Name of the model."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Result notes: limitations that make structured replies less reliable."""

    def send(self, request: Request, deadline: float | None) -> Completion:
        """Return the whole reply; ``deadline`` is a value of ``time.monotonic``."""

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """Yield the pieces of the reply as they arrive; returns the whole reply."""


class OpenAITransport:
    """A model at an endpoint with OpenAI's chat protocol.

    Transient failures are retried with growing pauses: a lost connection, a time-out, 408, 429, 5xx, a response that
    violates the protocol, a reply without a choice or content. Failures that would repeat are not: other 4xx, a
    refusal, an empty text, a stopped or overlong reply. At most ``llm_concurrency`` requests are in progress at a time,
    over all callers; pauses do not count.

    Features of the protocol that an endpoint refuses (schemas, ``max_tokens``, ``temperature``, usage of streams, the
    number of ``logprobs``) are omitted or written differently from then on, for the lifetime of this object.

    Raises:
        InvalidInput: the address is not valid, or the key cannot be sent.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        self._model = model
        self._settings = settings
        self._endpoint = Endpoint(settings)
        self._dialect = Dialect.of(settings.llm_structured)
        self._guard = threading.Lock()

    @property
    def model(self) -> str:
        return self._model

    @property
    def notes(self) -> tuple[str, ...]:
        if self._settings.llm_structured != "auto" or self.structured_mode == "schema":
            return ()
        how = "as JSON of any form" if self.structured_mode == "json" else "by the text of the prompt alone"
        return (f"the endpoint does not support JSON schemas: replies were requested {how}",)

    @property
    def structured_mode(self) -> Mode:
        """Constraint on structured output at this endpoint, as learnt so far; see ``Dialect.mode``."""
        return self._dialect.mode

    def send(self, request: Request, deadline: float | None) -> Completion:
        """Return the whole reply.

        Raises:
            LlmUnavailable: all attempts failed.
            LlmRefused: the endpoint refused the request; the message quotes its reason.
            UnusableReply: the response is not a usable reply.
            DeadlineExceeded: the deadline has passed.
        """
        pieces = self._send(request, deadline, is_stream=False)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                reply: Completion = end.value
                return reply

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """Yield the pieces of the reply as they arrive; returns the whole reply.

        Attempts are repeated before the first piece only. ``llm_timeout_s`` limits the wait for each piece.

        Raises:
            LlmUnavailable, LlmRefused, DeadlineExceeded: as :meth:`send`.
            UnusableReply: as :meth:`send`, or the stream broke off after its first piece; carries the text so far.
        """
        return self._send(request, deadline, is_stream=True)

    def _send(self, request: Request, deadline: float | None, *, is_stream: bool) -> Generator[str, None, Completion]:
        attempts, began = RetryState(self._settings.llm_retries, self._settings.llm_pause_s, deadline), time.monotonic()
        while True:
            partial = PartialResponse(request, self._endpoint.address_setting)
            try:
                yield from self._attempt(request, partial, attempts, is_stream=is_stream)
                return partial.completion(time.monotonic() - began, attempts.count, attempts.tokens)
            except TransientFailure as failure:
                attempts.add_tokens(partial.tokens)
                broke_off = UnusableReply(f"the stream broke off: {failure}", partial.text) if partial.text else None
                error = broke_off or attempts.wait(failure)
            except LlmError as final:
                attempts.add_tokens(partial.tokens)
                error = final
            if error is not None:  # raised here, so that no connection failure is chained to it
                error.tries, error.tokens = attempts.count, attempts.tokens
                raise error

    def _attempt(
        self, request: Request, partial: PartialResponse, attempts: RetryState, *, is_stream: bool
    ) -> Generator[str]:
        """Make one attempt: add the frames to the partial response, and yield their texts."""
        dialect, failure = self._dialect, None
        arguments = dialect.arguments(self.model, request, is_stream=is_stream)
        attempts.count += 1
        with closing(self._endpoint.blocks(arguments, attempts.deadline, is_stream=is_stream)) as blocks:
            try:
                for frame in read_frames(limit_size(blocks, request)):
                    if text := partial.add(frame):
                        yield text
            except Refusal as refusal:
                failure = self._classify(refusal, dialect, request, is_stream=is_stream)
            except TransientFailure:
                if not (partial.finish and partial.text):  # otherwise only the usage is missing
                    raise
        if failure:
            raise failure
        partial.check()

    def _classify(
        self, refusal: Refusal, dialect: Dialect, request: Request, *, is_stream: bool
    ) -> TransientFailure | LlmRefused:
        words, status = self._endpoint.scrub(str(refusal)), refusal.status
        is_transient = status in _TRANSIENT or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if is_transient and refusal.code != _NO_CREDIT:
            return TransientFailure(f"{self._endpoint.where} failed with {status}: {words}", after_s=refusal.after_s)
        simpler = None if status in _NOT_ABOUT_DIALECT else dialect.without(words, request, is_stream=is_stream)
        if simpler:
            with self._guard:
                if self._dialect is dialect:  # otherwise another call has replaced it, and that variant is tried first
                    self._dialect = simpler
            return TransientFailure(words, is_free=True)
        hint = _HINTS.get(status, "check the request's length and form").format(endpoint=self._endpoint)
        return LlmRefused(f"{self._endpoint.where} refuses the model {self.model!r} ({status}): {words}; {hint}")
