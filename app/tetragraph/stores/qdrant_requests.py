"""Requests to a Qdrant server: further attempts, pauses, and the driver's exceptions as errors of tetragraph."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

from pydantic import ValidationError
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from tetragraph.errors import QueryFailed, StoreDenied, StoreError, StoreUnavailable
from tetragraph.llm.retries import pause, retry_after

Result = TypeVar("Result")
RETRIES = 3
FIRST_PAUSE_S = 0.25
_RAISED = (ApiException, QdrantException, json.JSONDecodeError, UnicodeDecodeError, AssertionError)
"""Everything that the client raises; it asserts that JSON of another service has a result."""
_LATER = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_TOO_LARGE = b"larger than allowed"


@dataclass(frozen=True, slots=True)
class _Failure:
    """A failed attempt.

    Attributes:
        error: Error to raise if it was the last attempt.
        is_transient: Whether another attempt may succeed.
        after_s: Pause that the server requests, in seconds; None if it requests none.
    """

    error: StoreError
    is_transient: bool = False
    after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Requests:
    """Sends requests, each of which may be repeated: every one leaves the server as a single attempt would.

    A lost connection, 408, 429, 502, 503 and 504 are repeated. A server that accepted the request and stays silent
    until the timeout is not asked again.

    Attributes:
        url: Address of the server, for messages.
        retries: Number of attempts that may follow the first.
        pause_s: Pause before the second attempt, in seconds; doubled before each further one. ``Retry-After`` is
            obeyed up to two minutes.
    """

    url: str
    retries: int = RETRIES
    pause_s: float = FIRST_PAUSE_S

    def send(self, request: Callable[[], Result]) -> Result:
        """The result of the request.

        Raises:
            StoreUnavailable: nothing, or something that is not Qdrant, answers, or it has too much to do.
            StoreDenied: the key is wrong, or does not allow the request.
            QueryFailed: the server refused the request.
        """
        failed = 0
        while True:
            try:
                return request()
            except _RAISED as raised:
                failure = self._describe(raised)
                failed += 1
                if not failure.is_transient or failed > self.retries:
                    raise failure.error from raised
            share = random.random()  # noqa: S311 - not a secret
            time.sleep(pause(failed, self.pause_s, failure.after_s, share))

    def _describe(self, raised: Exception) -> _Failure:
        if isinstance(raised, ResponseHandlingException):
            return self._without_response(raised)
        if isinstance(raised, ResourceExhaustedResponse):
            later = f"Qdrant has too much to do ({raised.message}): try again in {raised.retry_after_s} s"
            return _Failure(StoreUnavailable(later), is_transient=True, after_s=float(raised.retry_after_s))
        if isinstance(raised, QdrantException):  # 429 with another Retry-After than a number
            busy = f"Qdrant has too much to do ({raised}): try again later"
            return _Failure(StoreUnavailable(busy), is_transient=True)
        if isinstance(raised, UnexpectedResponse):
            return self._refusal(raised)
        return self._stranger(f"it answers without a result in JSON: {raised}")

    def _without_response(self, raised: ResponseHandlingException) -> _Failure:
        source = raised.source
        if isinstance(source, ValidationError):
            return self._stranger(f"it answers in another form, with {source.error_count()} differences")
        error = StoreUnavailable(
            f"Qdrant does not answer at {self.url} ({source or type(source).__name__}): check that it runs and that "
            f"QDRANT_URL is its address"
        )
        is_slow = type(source).__name__.endswith("Timeout")  # httpx is a dependency of the driver, not of tetragraph
        return _Failure(error, is_transient=not is_slow)

    def _refusal(self, raised: UnexpectedResponse) -> _Failure:
        reason = f"{raised.status_code} {raised.reason_phrase}: {raised.content.decode(errors='replace')[:300]}"
        status = raised.status_code or 0
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            needed = "set QDRANT_API_KEY to one that may read and write"
            return _Failure(StoreDenied(f"Qdrant refused the key ({reason}): {needed}"))
        if status in _LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            later = f"Qdrant cannot answer now ({reason}): try again later, or look into its log"
            return _Failure(StoreUnavailable(later), status in _LATER, retry_after(raised.headers))
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _TOO_LARGE in raised.content:
            return _Failure(
                QueryFailed(
                    f"a request was larger than Qdrant, or the proxy in front of it, allows ({reason}): raise "
                    f"QDRANT__SERVICE__MAX_REQUEST_SIZE_MB there, or the proxy's limit, to 32 MB or more"
                )
            )
        if not _is_of_qdrant(raised.content):
            return self._stranger(reason)
        return _Failure(QueryFailed(f"Qdrant refused a request ({reason})"))

    def _stranger(self, reason: str) -> _Failure:
        return _Failure(
            StoreUnavailable(
                f"what answers at {self.url} is not Qdrant ({reason}): set QDRANT_URL to the address of its REST "
                f"interface, port 6333 unless it was changed"
            )
        )


def status_of(error: StoreError) -> int | None:
    """HTTP status of the response that an error was made from; None where there was none."""
    cause = error.__cause__
    return cause.status_code if isinstance(cause, UnexpectedResponse) else None


def _is_of_qdrant(content: bytes) -> bool:
    try:
        body = json.loads(content)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    return isinstance(body, dict) and "status" in body
