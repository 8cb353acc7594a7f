"""The connection to an endpoint: authentication, time limits, and messages without secrets."""

from __future__ import annotations

import base64
import socket
import sys
import threading
import time
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit, urlunsplit

from tetragraph.errors import DeadlineExceeded, InvalidInput
from tetragraph.host.addresses import connection_options
from tetragraph.llm.retries import TransientFailure, retry_after

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

    from tetragraph.settings import Settings

_CONNECT_S = 10.0
_MIN_TIMEOUT_S = 0.001
_SHOWN_CHARACTERS = 500
_MIN_SECRET_CHARACTERS = 4


class Refusal(Exception):
    """The endpoint answered with an error; never leaves this layer.

    Attributes:
        status: HTTP status.
        code: Error code of the endpoint, or empty.
        after_s: Pause that the endpoint requests; None if it requests none.
    """

    def __init__(self, status: int, words: str, code: str = "", after_s: float | None = None) -> None:
        super().__init__(words)
        self.status = status
        self.code = code
        self.after_s = after_s


@dataclass(frozen=True, slots=True)
class _Limits:
    """Time limits of one attempt.

    Attributes:
        silence_s: Longest wait for the next byte.
        ends: Value of ``time.monotonic`` at which the reply must be complete, at the latest the deadline; None for no
            limit.
        deadline: Deadline of the operation, or None.
    """

    silence_s: float
    ends: float | None
    deadline: float | None

    @classmethod
    def begin(cls, timeout_s: float, deadline: float | None, *, is_stream: bool) -> _Limits:
        """Return the limits of an attempt that begins now; each piece of a stream may take as long as a whole reply."""
        own = None if is_stream else time.monotonic() + timeout_s
        ends = min((end for end in (own, deadline) if end is not None), default=None)
        left_s = timeout_s if ends is None else ends - time.monotonic()
        return cls(max(_MIN_TIMEOUT_S, min(timeout_s, left_s)), ends, deadline)

    @property
    def is_over(self) -> bool:
        """Whether the deadline of the operation has passed."""
        return self.deadline is not None and time.monotonic() >= self.deadline


class Endpoint:
    """Client of one address with OpenAI's protocol, with a limit to the requests in progress.

    Attributes:
        address_setting: Name of the variable that gave the address, or of both that may give it; for messages.
        key_setting: The same for the key.

    Raises:
        InvalidInput: the address is not valid, or the key cannot be sent.
    """

    def __init__(self, settings: Settings) -> None:
        secret = settings.llm_api_key or settings.openai_api_key
        key = secret.get_secret_value().strip() if secret else ""
        self.address_setting = _setting("BASE_URL", settings.llm_base_url, settings.openai_base_url)
        self.key_setting = _setting("API_KEY", settings.llm_api_key, settings.openai_api_key)
        if not (key.isascii() and key.isprintable()):
            raise InvalidInput(f"the language model's key must be printable ASCII; check {self.key_setting}")
        self._key = key
        self._timeout_s = settings.llm_timeout_s
        self._address, self._login = _split(settings.llm_base_url or settings.openai_base_url, self.address_setting)
        self._secrets = _secrets(key, self._login)
        self._slots = threading.BoundedSemaphore(settings.llm_concurrency)
        self._guard = threading.Lock()
        self._client: OpenAI | None = None
        self._local = threading.local()

    @property
    def where(self) -> str:
        """Address without a login, for messages."""
        return self._address or "OpenAI"

    def scrub(self, words: str) -> str:
        """Shorten a message of the endpoint, and replace secrets in it by ``***``."""
        for secret in self._secrets:
            words = words.replace(secret, "***")
        words = " ".join(words.split())
        return words if len(words) <= _SHOWN_CHARACTERS else f"{words[:_SHOWN_CHARACTERS]}…"

    def blocks(self, arguments: dict[str, Any], deadline: float | None, *, is_stream: bool) -> Generator[bytes]:
        """Send a chat request and yield the body of its response; close the generator if it is not read to the end.

        Args:
            arguments: Parameters of the request.
            deadline: Value of ``time.monotonic`` at which the request ends; None for no limit.
            is_stream: Whether the time-out applies to each piece instead of the whole response.

        Raises:
            TransientFailure: the connection failed, or the time-out passed.
            Refusal: the endpoint answered with an error.
            DeadlineExceeded: the deadline of the operation has passed.
        """
        from openai import APIStatusError, Timeout  # imported here, as the package takes a second to import

        create: Any = self._open_client().chat.completions.with_streaming_response.create
        failure: Exception
        with self._slot(deadline), _ReplyTimeout() as watch:
            limits = _Limits.begin(self._timeout_s, deadline, is_stream=is_stream)
            watch.ends, self._local.watch = limits.ends, watch
            timeout = Timeout(limits.silence_s, connect=min(limits.silence_s, _CONNECT_S))
            try:
                with create(**arguments, timeout=timeout) as response:
                    yield from response.iter_bytes()
            except APIStatusError as error:
                failure = self._refusal(error)
            except _connection_errors() as error:
                failure = self._connection_failure(error, limits, is_late=watch.has_closed)
            else:
                return
        raise failure  # raised here, as the exceptions of openai hold the request with the key in its headers

    def _refusal(self, error: APIStatusError) -> Refusal:
        body = error.body
        message = body.get("message") or body.get("detail") if isinstance(body, dict) else None
        words = str(message or body or error.response.text)
        code = str(error.code or (body.get("type") if isinstance(body, dict) else "") or "")
        return Refusal(error.status_code, self.scrub(words), code, retry_after(error.response.headers))

    def _connection_failure(self, error: Exception, limits: _Limits, *, is_late: bool) -> Exception:
        from openai import APITimeoutError

        if limits.is_over:
            return DeadlineExceeded(f"the deadline of the operation passed while {self.where} was to reply")
        is_late = is_late or isinstance(error, APITimeoutError) or "Timeout" in type(error).__name__
        if is_late:
            return TransientFailure(
                f"{self.where} did not reply within {self._timeout_s:g} s (TETRAGRAPH_LLM_TIMEOUT_S gives more)"
            )
        reason = self.scrub(str(error.__cause__ or error)).rstrip(".")
        return TransientFailure(f"the connection to {self.where} failed: {reason}; check {self.address_setting}")

    @contextmanager
    def _slot(self, deadline: float | None) -> Iterator[None]:
        wait_s = None if deadline is None else max(0.0, deadline - time.monotonic())
        if wait_s == 0 or not self._slots.acquire(timeout=wait_s):
            raise DeadlineExceeded(f"the deadline of the operation passed before the request to {self.where} was sent")
        try:
            yield
        finally:
            self._slots.release()

    def _open_client(self) -> OpenAI:
        from openai import DefaultHttpxClient, OpenAI

        with self._guard:
            if self._client is None:
                local = self._local  # a reference to self would keep it alive for ever
                http = DefaultHttpxClient(
                    event_hooks={"response": [lambda response: local.watch.start(response)]},
                    **connection_options(self._address or ""),
                )
                weakref.finalize(self, http.close)
                self._client = OpenAI(
                    api_key=self._key or "none is needed",
                    base_url=self._address,
                    max_retries=0,
                    http_client=http,
                    default_headers={"Authorization": f"Basic {_basic(self._login)}"} if self._login else None,
                )
            return self._client


class _ReplyTimeout:
    """Closes the connection when a whole response takes too long, even if bytes keep arriving."""

    def __init__(self) -> None:
        self.ends: float | None = None
        self._guard = threading.Lock()
        self._connection: socket.socket | None = None
        self._timer: threading.Timer | None = None
        self.has_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._guard:
            self._connection = None
        if self._timer:
            self._timer.cancel()

    def start(self, response: Any) -> None:
        """Start the timer of a response whose head has arrived; until then the time-outs of the connection apply."""
        if self.ends is None:
            return
        self._connection = response.extensions["network_stream"].get_extra_info("socket")
        self._timer = threading.Timer(max(0.0, self.ends - time.monotonic()), self._close)
        self._timer.daemon = True
        self._timer.start()

    def _close(self) -> None:
        with self._guard:
            if self._connection is None:
                return
            self.has_closed = True
            try:
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)
            except OSError:  # already closed
                return


def _connection_errors() -> tuple[type[Exception], ...]:
    """Exception types of a lost connection: those of openai, and of its HTTP package while a body is read.

    The HTTP package differs between versions of openai, so it is looked up instead of imported.
    """
    from openai import APIConnectionError, DefaultHttpxClient

    http = sys.modules[DefaultHttpxClient.__bases__[0].__module__.partition(".")[0]]
    return APIConnectionError, http.RequestError, http.StreamError


def _setting(name: str, own: object, common: object) -> str:
    """Name of the variable that gave a value: that of the language model, else the one that embedders share."""
    first, second = f"TETRAGRAPH_LLM_{name}", f"OPENAI_{name}"
    if own:
        return first
    return second if common else f"{first} or {second}"


def _split(base_url: str | None, setting: str) -> tuple[str | None, str]:
    """Split an address into the address without a login, and the login: ``user:password`` or empty."""
    if not base_url:
        return None, ""
    parts = urlsplit(base_url)
    login, _, host = parts.netloc.rpartition("@")
    address = urlunsplit(parts._replace(netloc=host))
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(
            f"a language model's address must begin with http:// or https:// and name a host, got {address!r}; "
            f"check {setting}"
        )
    return address, unquote(login)


def _basic(login: str) -> str:
    return base64.b64encode(login.encode()).decode()


def _secrets(key: str, login: str) -> list[str]:
    """Texts that must not appear in messages, longest first."""
    secrets = {key, login, login.partition(":")[2], _basic(login)}
    return sorted((secret for secret in secrets if len(secret) >= _MIN_SECRET_CHARACTERS), key=len, reverse=True)
