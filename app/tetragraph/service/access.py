"""Routes that check the rights of the caller before they read the body of a request.

Every route of the API names the scope that it needs; one without a scope cannot be made. A route whose path has
``{corpus}`` needs it on that corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, Literal

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.routing import Match, Route
from starlette.types import Scope as ConnectionScope

from tetragraph.errors import InvalidInput
from tetragraph.service import problems
from tetragraph.service.keys import SCOPES, Scope, authorise, authorise_member, authorise_operator
from tetragraph.service.state import caller_of

Needed = Scope | Literal["member", "any", "operator"]
"""A scope on the corpus of the path, or ``member`` for any scope on it; of paths without a corpus ``any`` for every
valid key, ``operator`` for an admin of all corpora."""
FIELD: Final = "x-tetragraph-scope"
"""Field of an operation in the OpenAPI document."""
_JSON = "application/json"


def needs(scope: Needed) -> dict[str, Any]:
    """The part of a route's declaration that names its scope: ``@router.get(…, **needs("search"))``."""
    return {"openapi_extra": {FIELD: scope}}


class GuardedRoute(APIRoute):
    """A route that authorises its caller first, and then checks the type of the body."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **declared: Any) -> None:
        super().__init__(path, endpoint, **declared)
        scope = (self.openapi_extra or {}).get(FIELD)
        has_corpus = "{corpus}" in path
        if scope not in ((*SCOPES, "member") if has_corpus else ("any", "operator")):
            raise InvalidInput(f"the route {path} must name the scope that it needs, got {scope!r}: use needs(…)")

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler that checks rights and type before it reads the body."""
        handle = super().get_route_handler()
        scope: Needed = (self.openapi_extra or {})[FIELD]
        is_json = self.body_field is not None and not self._takes_form

        async def guarded(request: Request) -> Response:
            if scope == "operator":
                authorise_operator(caller_of(request))
            elif scope == "member":
                authorise_member(caller_of(request), request.path_params["corpus"])
            elif scope != "any":
                authorise(caller_of(request), request.path_params["corpus"], scope)
            if is_json:
                _check_type(request)
            return await handle(request)

        return guarded

    @property
    def _takes_form(self) -> bool:
        from fastapi.params import Form

        return any(isinstance(one.field_info, Form) for one in self.dependant.body_params)


class PlainRoute(Route):
    """A route beside the API; logs, metrics and traces have its path, as those of the API."""

    def matches(self, scope: ConnectionScope) -> tuple[Match, ConnectionScope]:
        """Whether a request is for this route, and what its scope then gets."""
        match, found = super().matches(scope)
        return match, found if match is Match.NONE else {**found, "route": self}


def sends(*kinds: str, description: str = "The file") -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that sends text of one of these media types, which no model describes."""
    content = {kind: {"schema": {} if kind == _JSON else {"type": "string"}} for kind in kinds}
    return {200: {"description": description, "content": content}}


def router(prefix: str, tag: str) -> APIRouter:
    """A router of guarded routes.

    Args:
        prefix: Beginning of the paths.
        tag: Heading of the routes in the OpenAPI document.
    """
    return APIRouter(prefix=prefix, tags=[tag], route_class=GuardedRoute, responses=PROBLEMS)


def _check_type(request: Request) -> None:
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != _JSON and not (given.startswith("application/") and given.endswith("+json")):
        raise problems.unsupported_type(given)


def _describe(status: int | str, meaning: str) -> tuple[int | str, dict[str, Any]]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return status, {"description": meaning, "content": {problems.MEDIA_TYPE: {"schema": schema}}}


PROBLEMS: Final[dict[int | str, dict[str, Any]]] = dict(
    (
        _describe(401, "The key is missing or not valid"),
        _describe(403, "The key has another scope"),
        _describe(404, "There is no such thing, or the key has no right on the corpus"),
        _describe(409, "The state of the corpus does not allow it"),
        _describe(413, "The request is too large"),
        _describe(415, "The body has another type"),
        _describe(422, "A value breaks its rule"),
        _describe(429, "A limit of the key is reached"),
        _describe(503, "The service is busy, or a store does not answer"),
        _describe("default", "Another problem"),
    )
)
