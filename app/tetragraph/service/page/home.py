"""The first page, signing in and out, and the keys of the service for its operators."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Final

from fastapi import Form, Request, Response
from starlette.responses import RedirectResponse

from tetragraph.errors import AccessDenied, InvalidInput
from tetragraph.indexing.sources import known_suffixes
from tetragraph.service.access import needs
from tetragraph.service.keys import SCOPES
from tetragraph.service.page.gate import COOKIE, COOKIE_S, SIGN_IN
from tetragraph.service.page.rendering import GRAPHS, render
from tetragraph.service.page.routing import known_corpora, router
from tetragraph.service.state import service_of

_DAYS: Final = re.compile(r"[0-9]{1,9}")
"""Digits that a time span can have; the store of keys checks the largest number."""
routes = router()


@routes.get("/", **needs("any"))
async def show_home(request: Request) -> Response:
    """List the corpora of the caller."""
    found = await known_corpora(request)
    return render(request, "home.html", corpora=found, graphs=GRAPHS, suffixes=",".join(known_suffixes()))


@routes.get(SIGN_IN, **needs("any"))
async def show_sign_in(request: Request, then: str = "/") -> Response:
    """Show the form for a key."""
    return render(request, "sign_in.html", then=_own(then), fault="")


@routes.post(SIGN_IN, **needs("any"))
async def sign_in(request: Request, key: Annotated[str, Form()] = "", then: Annotated[str, Form()] = "/") -> Response:
    """Check a key, and have the browser send it with every request for a page."""
    service = service_of(request)
    try:
        await service.admit(key.strip() or None, request.scope)
    except AccessDenied:
        fault = "This key is not valid: it is unknown, was revoked or has expired."
        return render(request, "sign_in.html", status=401, then=_own(then), fault=fault)
    response = RedirectResponse(_own(then), 303)
    if key.strip():
        is_encrypted = service.config.is_behind_tls or request.url.scheme == "https"
        response.set_cookie(
            COOKIE, key.strip(), max_age=COOKIE_S, httponly=True, samesite="strict", secure=is_encrypted, path="/"
        )
    return response


@routes.post("/sign-out", **needs("any"))
async def sign_out() -> Response:
    """Have the browser forget the key."""
    response = RedirectResponse(SIGN_IN, 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
    return response


@routes.get("/keys", **needs("operator"))
async def show_keys(request: Request) -> Response:
    """List the keys of the service."""
    return await _keys(request, "")


@routes.post("/keys", **needs("operator"))
async def create_key(
    request: Request,
    corpora: Annotated[str, Form()] = "",
    scope: Annotated[list[str] | None, Form()] = None,
    name: Annotated[str, Form()] = "",
    days: Annotated[str, Form()] = "",
) -> Response:
    """Create a key, and show it once."""
    service = service_of(request)
    lifetime = _lifetime(days)
    key, _ = await service.control.run(
        lambda: service.keys.create(
            scope or [], corpora.replace(",", " ").split(), name=name.strip(), lifetime=lifetime
        )
    )
    service.callers.forget()
    return await _keys(request, key)


@routes.post("/keys/{key}/revoke", **needs("operator"))
async def revoke_key(request: Request, key: str) -> Response:
    """Revoke a key."""
    service = service_of(request)
    await service.control.run(service.keys.revoke, key)
    service.callers.forget()
    return RedirectResponse("/keys", 303)


async def _keys(request: Request, created: str) -> Response:
    service = service_of(request)
    found = await service.control.run(service.keys.list)
    return render(request, "keys.html", keys=found, created=created, scopes=SCOPES)


def _lifetime(days: str) -> timedelta | None:
    text = days.strip()
    if not text:
        return None
    if not _DAYS.fullmatch(text):
        raise InvalidInput(
            "a key is valid for a whole number of days, at most 100 years, or for ever if none is given, got "
            f"{text!r:.50}"
        )
    return timedelta(days=int(text))


def _own(address: str) -> str:
    r"""An address of this server; the first page for any other.

    >>> _own("/c/handbook?q=1"), _own("//example.org"), _own("https://example.org"), _own("/\\example.org")
    ('/c/handbook?q=1', '/', '/', '/')
    """
    is_own = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_own and address.isprintable() else "/"
