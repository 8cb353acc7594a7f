"""Lets browsers in: the key of a sign-in cookie, redirects to the sign-in form, and headers of every page."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "tetragraph_key"
COOKIE_S: Final = 12 * 3600
"""Seconds after which a browser forgets the key."""
SIGN_IN: Final = "/sign-in"
ASSETS: Final = "/assets/"
OTHERS: Final = ("/v1", "/mcp", "/healthz", "/readyz", "/metrics", "/openapi.json")
"""Beginnings of paths that are no pages: no cookie opens them."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",  # without a referrer, browsers send forms with an origin of null
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_UNAUTHORIZED: Final = 401


class PageGate:
    """The outermost middleware; it acts on pages only.

    The cookie counts for pages, which refuse forms of other sites, and not for the API.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or not is_page(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["method"] not in _SAFE and not _is_own(Headers(scope=scope)):
            await PlainTextResponse("This form was sent by another site.", 403)(scope, receive, send)
            return
        response = _PageResponse(scope, receive, send)
        await self._app(_with_key(scope), receive, response.send)


class _PageResponse:
    """The response to a request for a page: a missing key leads to the sign-in form."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_redirected = False

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.start":
            if message["status"] == _UNAUTHORIZED and self._scope["path"] != SIGN_IN:
                self._is_redirected = True
                await self._redirect()(self._scope, self._receive, self._send)
                return
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        if not self._is_redirected:
            await self._send(message)

    def _redirect(self) -> RedirectResponse:
        asked = self._scope["path"]
        if query := self._scope.get("query_string", b"").decode("latin-1"):
            asked += f"?{query}"
        to = f"{SIGN_IN}?then={quote(asked, safe='')}" if self._scope["method"] in _SAFE else SIGN_IN
        if Headers(scope=self._scope).get("hx-request"):
            return RedirectResponse(to, 204, {"HX-Redirect": to})
        return RedirectResponse(to, 303)


def is_page(path: str) -> bool:
    """Whether a path is one of the page, and not of the API.

    >>> is_page("/"), is_page("/c/handbook"), is_page("/v1/corpora"), is_page("/v1x")
    (True, True, False, True)
    """
    return not any(path == other or path.startswith(f"{other}/") for other in OTHERS)


def _is_own(headers: Headers) -> bool:
    """Whether a form was sent by a page of this server; browsers tell, and other programs have no cookie to lose."""
    if site := headers.get("sec-fetch-site"):
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _with_key(scope: Scope) -> Scope:
    """The request with the key of its cookie in the header that the service reads."""
    key = HTTPConnection(scope).cookies.get(COOKIE)
    if not key or "authorization" in Headers(scope=scope):
        return scope
    return {**scope, "headers": [*scope["headers"], (b"authorization", b"Bearer " + key.encode("latin-1", "replace"))]}
