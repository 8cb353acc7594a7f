"""Calls of an endpoint that speaks OpenAI's chat protocol: retried, bounded, in the words that it takes."""

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
from tetragraph.llm.responses import PartialResponse, bounded, frames
from tetragraph.llm.retries import RetryState, TransientFailure

if TYPE_CHECKING:
    from tetragraph.settings import Settings

_MAY_PASS = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_HINTS: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "check OPENAI_API_KEY",
    HTTPStatus.FORBIDDEN: "check OPENAI_API_KEY",
    HTTPStatus.NOT_FOUND: "check TETRAGRAPH_LLM and OPENAI_BASE_URL, which mostly ends in /v1",
    HTTPStatus.TOO_MANY_REQUESTS: "the account has no credit left",
}
_FIXED = (*_HINTS, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
"""Says nothing of how the request is written."""
_NO_CREDIT = "insufficient_quota"


class Transport(Protocol):
    """Whatever answers requests. Safe to share between threads."""

    @property
    def model(self) -> str:
        """Name of the model."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Said in words: in which way replies of a form are less sure than they could be."""

    def send(self, request: Request, deadline: float | None) -> Completion:
        """The whole reply; ``deadline`` is a value of ``time.monotonic``."""

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """The pieces of the reply as they come; returns the whole."""


class OpenAITransport:
    """A model behind an endpoint that speaks OpenAI's chat protocol.

    Tried again, with growing pauses, is what may pass: a lost connection, a time-out, 408, 429, 5xx, an answer that is
    not of the protocol, a reply without a choice or content. Never tried again is what would come out the same: other
    4xx, a refusal, an empty text, a stopped or overlong reply. No more requests than ``llm_concurrency`` are under way
    at a time, whoever asks; pauses do not count.

    What an endpoint refuses of the protocol (schemas, ``max_tokens``, ``temperature``, usage of streams, the number of
    ``logprobs``) is left out or written otherwise from then on, until this object is gone.

    Raises:
        InvalidInput: the address is none, or the key cannot be sent.
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
        how = "as JSON of any form" if self.structured_mode == "json" else "by the words of the prompt alone"
        return (f"the endpoint keeps replies to no schema: they were asked for {how}",)

    @property
    def structured_mode(self) -> Mode:
        """How replies are kept to a form at this endpoint, as far as it is known: see ``Dialect.mode``."""
        return self._dialect.mode

    def send(self, request: Request, deadline: float | None) -> Completion:
        """The whole reply.

        Raises:
            LlmUnavailable: no try was answered.
            LlmRefused: the endpoint refuses the request, in its words.
            UnusableReply: what came is no reply.
            DeadlineExceeded: the deadline has passed.
        """
        asked = self._asked(request, deadline, is_stream=False)
        while True:
            try:
                next(asked)
            except StopIteration as end:
                reply: Completion = end.value
                return reply

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """The pieces of the reply as they come; returns the whole.

        It is tried again as long as no piece was handed out. ``llm_timeout_s`` limits the wait for each piece.

        Raises:
            LlmUnavailable, LlmRefused, DeadlineExceeded: as for the whole.
            UnusableReply: also of a stream that broke off after its first piece; holds what came.
        """
        return self._asked(request, deadline, is_stream=True)

    def _asked(self, request: Request, deadline: float | None, *, is_stream: bool) -> Generator[str, None, Completion]:
        tries, began = RetryState(self._settings.llm_retries, self._settings.llm_pause_s, deadline), time.monotonic()
        while True:
            draft = PartialResponse(request)
            try:
                yield from self._tried(request, draft, tries, is_stream=is_stream)
                return draft.completion(time.monotonic() - began, tries.count, tries.tokens)
            except TransientFailure as failure:
                tries.spent(draft.tokens)
                broke_off = UnusableReply(f"the stream broke off: {failure}", draft.text) if draft.text else None
                error = broke_off or tries.again(failure)
            except LlmError as final:
                tries.spent(draft.tokens)
                error = final
            if error is not None:  # raised here, so that no failure of the connection below is chained to it
                error.tries, error.tokens = tries.count, tries.tokens
                raise error

    def _tried(self, request: Request, draft: PartialResponse, tries: RetryState, *, is_stream: bool) -> Generator[str]:
        """One try; what comes is put into the draft, and its texts are handed on."""
        dialect, failure = self._dialect, None
        arguments = dialect.arguments(self.model, request, is_stream=is_stream)
        tries.count += 1
        with closing(self._endpoint.blocks(arguments, tries.deadline, is_stream=is_stream)) as blocks:
            try:
                for frame in frames(bounded(blocks, request)):
                    if text := draft.add(frame):
                        yield text
            except Refusal as refusal:
                failure = self._judged(refusal, dialect, request, is_stream=is_stream)
            except TransientFailure:
                if not (draft.finish and draft.text):  # else it is all there but for its usage
                    raise
        if failure:
            raise failure
        draft.check()

    def _judged(
        self, refusal: Refusal, dialect: Dialect, request: Request, *, is_stream: bool
    ) -> TransientFailure | LlmRefused:
        words, status = self._endpoint.scrubbed(str(refusal)), refusal.status
        may_pass = status in _MAY_PASS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if may_pass and refusal.code != _NO_CREDIT:
            return TransientFailure(f"{self._endpoint.where} failed with {status}: {words}", after_s=refusal.after_s)
        simpler = None if status in _FIXED else dialect.without(words, request, is_stream=is_stream)
        if simpler:
            with self._guard:
                if self._dialect is dialect:  # else another call has learnt meanwhile, and that is tried first
                    self._dialect = simpler
            return TransientFailure(words, is_free=True)
        hint = _HINTS.get(status, "check the request's length and form")
        return LlmRefused(f"{self._endpoint.where} refuses the model {self.model!r} ({status}): {words}; {hint}")
