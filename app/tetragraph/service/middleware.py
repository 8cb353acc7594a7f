"""Surroundings of every request: its id, its caller, limits, the size of its body, metrics and log lines.

Pure ASGI, so that streams pass through unchanged.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tetragraph.errors import AccessDenied, RequestTooLarge, ServiceBusy, TetragraphError
from tetragraph.host.addresses import is_loopback
from tetragraph.service import logs, problems
from tetragraph.service.config import ServiceConfig
from tetragraph.service.state import Service, service_of

logger = logging.getLogger("tetragraph")
PUBLIC: Final = ("/healthz", "/readyz", "/openapi.json")
"""Paths that need no key."""
SURFACES: list[str] = []
"""Beginnings of paths whose app recognises its callers itself, such as a page with a sign-in form."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
SECURITY: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""Headers of every response that does not set them itself."""


class Surroundings:
    """The middleware of the service.

    Args:
        app: The app inside.
        owner: The app whose state has the service.
    """

    def __init__(self, app: ASGIApp, owner: FastAPI) -> None:
        self._app = app
        self._owner = owner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await _Exchange(service_of(self._owner), self._app, scope, receive, send).run()


class _Exchange:
    """One request and its response."""

    def __init__(self, service: Service, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        self._service = service
        self._app = app
        self._scope = scope
        self._receive = receive
        self._send = send
        self._headers = Headers(scope=scope)
        self._status = 0
        self._read = 0
        self._is_body_complete = False
        self._fault: TetragraphError | None = None
        self._began = time.perf_counter()
        given = self._headers.get("x-request-id", "")
        self._id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = self._id

    async def run(self) -> None:
        """Pass the request on unless it is refused, and record what became of it."""
        self._service.metrics.active.inc()
        try:
            await self._handle()
        except TetragraphError as error:
            await self._refuse(error)
        except asyncio.CancelledError:
            if not self._service.stopping.is_set():
                raise
            await self._refuse(ServiceBusy("the service stops: repeat the request", 2.0))
        except Exception:
            logger.exception("request %s failed", self._id)
            await self._refuse(TetragraphError("the service failed"))
        finally:
            self._service.metrics.active.dec()
            self._record()

    async def _handle(self) -> None:
        check_origin(self._service.config, self._headers)
        length = self._headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._service.config.body_bytes:
            raise self._too_large()
        path = self._scope["path"]
        if path in PUBLIC or any(path.startswith(one) for one in SURFACES):
            await self._app(self._scope, self._bounded_receive, self._named_send)
            return
        caller = await self._recognise()
        self._scope["state"]["caller"] = caller
        with self._service.limits.request(caller.id):
            await self._app(self._scope, self._bounded_receive, self._named_send)

    async def _recognise(self) -> Any:
        try:
            return await self._service.admit(key_of(self._headers), self._scope)
        except AccessDenied as error:
            raise problems.unauthenticated(error) from None

    async def _bounded_receive(self) -> Message:
        """The next part of the body; a disconnection if the body is too large or does not arrive."""
        wait_s = None if self._is_body_complete else self._service.config.body_s
        try:
            async with asyncio.timeout(wait_s):
                message = await self._receive()
        except TimeoutError:
            self._fault = problems.too_slow(self._service.config.body_s)
            return {"type": "http.disconnect"}
        if message["type"] == "http.request":
            self._is_body_complete = not message.get("more_body", False)
            self._read += len(message.get("body", b""))
            if self._read > self._service.config.body_bytes:
                self._fault = self._too_large()
                return {"type": "http.disconnect"}
        return message

    async def _named_send(self, message: Message) -> None:
        if self._fault:
            await self._refuse(self._fault)
            return
        if message["type"] == "http.response.start":
            self._start(message)
        await self._send(message)

    def _start(self, message: MutableMapping[str, Any]) -> None:
        self._status = message["status"]
        headers = MutableHeaders(scope=message)
        headers["x-request-id"] = self._id
        for name, value in SECURITY.items():
            headers.setdefault(name, value)
        if "location" in headers:
            headers["location"] = within(headers["location"])
        self._service.metrics.seconds.labels(self._route).observe(time.perf_counter() - self._began)

    async def _refuse(self, error: TetragraphError) -> None:
        if self._status:
            return
        shown = (show(Request(self._scope), error) for show in self._service.refusals)
        response = next(filter(None, shown), None) or problems.respond(error, self._id)
        self._service.metrics.refused.labels(type(error).__name__.strip("_")).inc()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._start(message)
            await self._send(message)

        await response(self._scope, self._receive, send)

    def _too_large(self) -> RequestTooLarge:
        most = self._service.config.body_bytes
        return RequestTooLarge(f"a request must have at most {most:,} bytes, this one has more")

    @property
    def _route(self) -> str:
        route = self._scope.get("route")
        path: str = getattr(route, "path", logs.UNKNOWN_ROUTE)
        return path

    def _record(self) -> None:
        status = self._status or 499
        method = self._scope["method"] if self._scope["method"] in _METHODS else "other"
        self._service.metrics.requests.labels(method, self._route, str(status)).inc()
        logs.record(self._entry(status, method))

    def _entry(self, status: int, method: str) -> Mapping[str, Any]:
        state = self._scope["state"]
        caller = state.get("caller")
        return {
            "request": self._id,
            "key": caller.id if caller else "",
            "name": caller.name if caller else "",
            "method": method,
            "route": self._route,
            "corpus": self._scope.get("path_params", {}).get("corpus") or state.get("corpus", ""),
            "status": status,
            "ms": round((time.perf_counter() - self._began) * 1000, 1),
            **({"tool": state["tool"]} if "tool" in state else {}),
            **({"text": state["text"]} if self._service.config.logs_text and "text" in state else {}),
        }


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})


def key_of(headers: Headers) -> str | None:
    """The key of a request: ``Authorization: Bearer <key>`` or ``X-API-Key: <key>``; None without one."""
    kind, _, key = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key")


def within(location: str) -> str:
    """An address of the service without scheme and host: behind a proxy, those of the framework are not the caller's.

    >>> within("http://kb.example:8424/mcp?x=1"), within("http://kb.example//elsewhere"), within("/c/handbook#passage")
    ('/mcp?x=1', '/elsewhere', '/c/handbook#passage')
    """
    parts = urlsplit(location)
    return urlunsplit(("", "", "/" + parts.path.lstrip("/"), parts.query, parts.fragment))


def check_origin(config: ServiceConfig, headers: Headers) -> None:
    """Refuse what a web page of another origin sends to a server that needs no key.

    Raises:
        AccessDenied: the name of the host is none of the loopback interface, or a page of another origin asks.
    """
    if not config.is_private:
        return
    host = headers.get("host", "localhost")
    origin = headers.get("origin")
    if not is_loopback(_host_name(host)):
        raise AccessDenied("the name of the host must be localhost or an address of the loopback interface")
    if origin is not None and origin.partition("://")[2] != host:
        raise AccessDenied("a page of another origin may not use this service")


def _host_name(host: str) -> str:
    """The name of a ``Host`` header, without its port.

    >>> _host_name("[::1]:8424"), _host_name("localhost:8424")
    ('::1', 'localhost')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
