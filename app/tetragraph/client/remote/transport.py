"""Requests to the service: encoding, errors of our own classes, repetition, and streams of events."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

import httpx
from pydantic import ValidationError

from tetragraph import errors
from tetragraph.client.remote.replies import read_reply
from tetragraph.client.remote.values import Form, Problem, encode
from tetragraph.host.addresses import connection_options, hide_credentials

Value = TypeVar("Value")
BodyT = TypeVar("BodyT", bound=Form)
BUSY_TRIES: Final = 4
"""Largest number of times that a request is sent which the service is too busy for."""
LONGEST_PAUSE_S: Final = 10.0
CONNECT_S: Final = 10.0
READ_S: Final = 600.0
"""Seconds of silence after which a connection counts as lost; streams send a comment every 15 seconds."""
_ALIVE_S: Final = 60.0
_JSON: Final = {"Content-Type": "application/json"}
_EVENTS: Final = {"Accept": "text/event-stream"}
_KEY: Final = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event of a stream: its name, its JSON, and its id."""

    name: str
    data: str
    id: str = ""


class Transport:
    """A connection pool to one service; thread-safe.

    Args:
        address: Address of the service, ``http://…`` or ``https://…``.
        api_key: Key of the caller, whose surrounding blanks are ignored; None for a service without keys.

    Raises:
        InvalidInput: the address is not one of these, has more than scheme, host and port, or the key has characters
            that no key has.
    """

    def __init__(self, address: str, api_key: str | None) -> None:
        _check_address(address)
        headers = {} if api_key is None else {"Authorization": f"Bearer {_checked(api_key)}"}
        timeout = httpx.Timeout(READ_S, connect=CONNECT_S)
        self.address = hide_credentials(address.rstrip("/"))
        self._client = httpx.Client(base_url=address, headers=headers, timeout=timeout, **connection_options(address))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, kind: Any, path: str, **parameters: Any) -> Any:
        """The value of a class at a path."""
        return read_reply(kind, self.send("GET", path, parameters=parameters).content)

    def post(self, kind: Any, path: str, body: Form, *, is_safe: bool = True, headers: Mapping[str, str] = {}) -> Any:
        """The value of a class that a request with a body returns.

        Args:
            kind: Class of the value.
            path: Path below the address.
            body: Body of the request.
            is_safe: Whether the request can be repeated after a lost connection.
            headers: Further headers.
        """
        return read_reply(kind, self.send("POST", path, body=body, is_safe=is_safe, headers=headers).content)

    def send(
        self,
        method: str,
        path: str,
        *,
        body: Form | None = None,
        parameters: Mapping[str, Any] = {},
        is_safe: bool = True,
        headers: Mapping[str, str] = {},
    ) -> httpx.Response:
        """Send a request; repeated while the service is busy, and after a lost connection if that is safe.

        Raises:
            TetragraphError: the service refuses the request; the class is that of the local client.
            ServiceUnavailable: nothing answers.
        """
        content = None if body is None else encode(body)

        def request() -> httpx.Response:
            with self._translated():
                response = self._client.request(
                    method, path, content=content, params=dict(parameters), headers={**_JSON, **headers}
                )
            _check(response)
            return response

        return _repeat(request, is_safe=is_safe)

    def download(self, path: str, file: Path, **parameters: Any) -> Mapping[str, str]:
        """Write the body of a path to a file in parts; returns the headers.

        Repeated while the service is busy, but not after a lost connection: the body may be large.

        Raises:
            TetragraphError: the service refuses the request.
            ServiceUnavailable: nothing answers, or the connection was lost.
        """
        return _repeat(lambda: self._write_body(path, file, parameters), is_safe=False)

    def _write_body(self, path: str, file: Path, parameters: Mapping[str, Any]) -> Mapping[str, str]:
        with self._translated(), self._client.stream("GET", path, params=dict(parameters), headers=_JSON) as response:
            if not response.is_success:
                response.read()
                _check(response)
            with file.open("wb") as target:
                for part in response.iter_bytes():
                    target.write(part)
            return response.headers

    def stream(
        self, method: str, path: str, *, body: Form | None = None, headers: Mapping[str, str] = {}
    ) -> Iterator[ServerEvent]:
        """Send a request, and return the events of the response until their end.

        Repeated while the service is busy, but not after a lost connection.

        Raises:
            TetragraphError: the service refuses the request, or reports a problem in the stream.
            ServiceUnavailable: the connection was lost, or the service stops.
        """

        def begin() -> Iterator[ServerEvent]:
            events = self._receive(method, path, body, headers)
            next(events)
            return events

        return _repeat(begin, is_safe=False)

    def _receive(self, method: str, path: str, body: Form | None, headers: Mapping[str, str]) -> Iterator[ServerEvent]:
        """The events of a stream, after one of our own that it has begun: the response is closed with the iterator."""
        content = None if body is None else encode(body)
        timeout = httpx.Timeout(_ALIVE_S if method == "GET" else READ_S, connect=CONNECT_S)
        with (
            self._translated(),
            self._client.stream(
                method, path, content=content, headers={**_JSON, **_EVENTS, **headers}, timeout=timeout
            ) as response,
        ):
            if not response.is_success:
                response.read()
                _check(response)
            yield ServerEvent("open", "")
            for event in read_events(split_lines(response.iter_text())):
                if event.name == "end":
                    return
                if event.name == "problem":
                    raise error_of(parse(Problem, event))
                if event.name == "stopping":
                    break
                yield event
        raise errors.ServiceUnavailable(f"the stream of {self.address} ended early: the service stops or was lost")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        if self._client.is_closed:
            raise errors.ServiceError(f"the client of {self.address} was closed: connect again")
        try:
            yield
        except httpx.InvalidURL as error:
            raise errors.InvalidInput(
                f"the address of a service must be valid, got {self.address!r}: {error}"
            ) from error
        except httpx.HTTPError as error:
            raise errors.ServiceUnavailable(f"the service at {self.address} does not answer: {error}") from error


def split_lines(parts: Iterator[str]) -> Iterator[str]:
    """The lines of a text in parts, which end with a line feed: other separators of lines stand in texts.

    >>> list(split_lines(iter(["a", f"b{chr(10)}", f"{chr(10)}c{chr(13)}", chr(10)])))
    ['ab', '', 'c']
    """
    rest = ""
    for part in parts:
        *lines, rest = (rest + part).split("\n")
        yield from (line.removesuffix("\r") for line in lines)
    if rest:
        yield rest


def read_events(lines: Iterator[str]) -> Iterator[ServerEvent]:
    """The events of the lines of a stream."""
    fields: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in fields:
                yield ServerEvent(fields.get("event", "message"), fields["data"], fields.get("id", ""))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")


def error_of(problem: Problem, retry_after_s: float = 1.0) -> errors.TetragraphError:
    """The error that the local client would have raised, with the remedy as a note."""
    cls = getattr(errors, problem.error, None)
    error: errors.TetragraphError
    if cls is errors.UnusableReply:
        error = errors.UnusableReply(problem.detail, "")
    elif cls is errors.ServiceBusy:
        error = errors.ServiceBusy(problem.detail, retry_after_s)
    elif isinstance(cls, type) and issubclass(cls, errors.TetragraphError):
        error = cls(problem.detail)
    else:
        error = errors.ServiceError(problem.detail)
    if problem.remedy:
        request = f" (request {problem.request_id})" if problem.request_id else ""
        error.add_note(f"{problem.remedy}{request}")
    return error


def form(cls: Callable[..., BodyT], **fields: Any) -> BodyT:
    """A body of a request.

    Raises:
        InvalidInput: a value breaks its rule; nothing was sent.
    """
    for name in ("options", "filters", "parameters"):
        _check_finite(name, fields.get(name))
    try:
        return cls(**fields)
    except ValidationError as error:
        told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        raise errors.InvalidInput(f"the request breaks a rule: {'; '.join(told)}") from None


def segment(text: object, unknown: errors.TetragraphError) -> str:
    """A name as one segment of a path; an error if it is none, as the path would be that of something else.

    >>> segment("a b", errors.UnknownTheme("unknown"))
    'a%20b'
    """
    if not isinstance(text, str) or text in ("", ".", "..") or "/" in text:
        raise unknown
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:  # a surrogate by itself
        raise unknown from None


def _check_finite(name: str, value: object) -> None:
    """Raise if a number in a value is not finite: JSON has no such numbers, and would say null."""
    if isinstance(value, float) and not math.isfinite(value):
        raise errors.InvalidInput(
            f"{name} must be a finite number, got {value!r}: the service reads JSON, give another"
        )
    if isinstance(value, Mapping):
        for key, one in value.items():
            _check_finite(f"{name}.{key}", one)
    elif isinstance(value, list | tuple):
        for one in value:
            _check_finite(name, one)


def _repeat(send: Callable[[], Value], *, is_safe: bool) -> Value:
    """Send a request again while the service is busy, and after a lost connection if that is safe."""
    for attempt in range(1, BUSY_TRIES + 1):
        try:
            return send()
        except errors.ServiceBusy as error:
            if attempt == BUSY_TRIES:
                raise
            time.sleep(min(error.retry_after_s, LONGEST_PAUSE_S))
        except errors.ServiceUnavailable:
            if attempt == BUSY_TRIES or not is_safe:
                raise
            time.sleep(0.2 * 2**attempt)
    raise AssertionError("the last attempt returns or raises")


def _check_address(address: str) -> None:
    shown = hide_credentials(address)
    if not address.startswith(("http://", "https://")):
        raise errors.InvalidInput(f"the address of a service must begin with http:// or https://, got {shown!r}")
    try:
        url = httpx.URL(address)
        host = url.host
    except (httpx.InvalidURL, UnicodeError) as error:  # the latter of a host that IDNA cannot decode
        raise errors.InvalidInput(f"the address of a service must be valid, got {shown!r}: {error}") from error
    if not host:
        raise errors.InvalidInput(f"the address of a service must name a host, got {shown!r}")
    if url.path.strip("/") or "?" in address or "#" in address:
        raise errors.InvalidInput(
            f"the address of a service must have no path, query or fragment, got {shown!r}: give scheme, host and "
            "port alone"
        )


def _checked(key: str) -> str:
    """A key without surrounding blanks, as files and shells add them; no message has the key itself."""
    if not _KEY.fullmatch(key := key.strip()):
        raise errors.InvalidInput(
            "api_key must be visible ASCII characters without blanks, got others: give the key as "
            "`tetragraph keys create` printed it"
        )
    return key


def _check(response: httpx.Response) -> None:
    if response.is_success:
        return
    if (target := response.next_request) is not None:
        place = target.url.copy_with(userinfo=b"", query=None, fragment=None)
        raise errors.ServiceUnavailable(
            f"the address redirects to {place}: give that address if the service is there, and check proxies"
        )
    try:
        problem = Problem.model_validate_json(response.content)
    except ValidationError:
        raise errors.ServiceUnavailable(
            f"something else than the service answers with status {response.status_code}: check the address and proxies"
        ) from None
    wait = response.headers.get("retry-after", "1")
    raise error_of(problem, float(wait) if wait.isdecimal() else 1.0)


def parse(kind: Any, event: ServerEvent) -> Any:
    """The value of an event.

    Raises:
        ServiceError: its data are no such value.
    """
    return read_reply(kind, event.data)
