"""Routes of pages: they name the right that they need, and show an error as a page."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from tetragraph.client.remote.values import Problem
from tetragraph.errors import InvalidInput, TetragraphError
from tetragraph.service import problems
from tetragraph.service.access import GuardedRoute
from tetragraph.service.page.gate import is_page
from tetragraph.service.page.rendering import render
from tetragraph.service.state import service_of

_STREAMS: Final = ("/stream", "/live")
"""Ends of the paths of streams."""
_NO_PAGE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)


class PageRoute(GuardedRoute):
    """A route of a page; one that answers GET answers HEAD, too, unless it is a stream."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **declared: Any) -> None:
        methods = set(declared.pop("methods", None) or ["GET"])
        if "GET" in methods and not path.endswith(_STREAMS):
            methods.add("HEAD")
        super().__init__(path, endpoint, methods=methods, **declared)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler that shows errors."""
        handle = super().get_route_handler()

        async def shown(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                return show_error(
                    request, InvalidInput(f"a field of the form breaks its rule: {error.errors()[0]['msg']}")
                )
            except TetragraphError as error:
                return show_error(request, problems.public(error, problems.corpus_of(request)))

        return shown


def router(prefix: str = "") -> APIRouter:
    """A router of pages, which are no part of the API's description."""
    return APIRouter(prefix=prefix, route_class=PageRoute, include_in_schema=False)


def show_error(request: Request, error: TetragraphError) -> Response:
    """An error as a page, with its remedy."""
    response = problems.respond(error, request.state.request_id)
    problem = problems.problem_of(error, request.state.request_id)
    page = _error_page(request, problem)
    if "retry-after" in response.headers:
        page.headers["retry-after"] = response.headers["retry-after"]
    return page


def show_refusal(request: Request, error: TetragraphError) -> Response | None:
    """An error of a request that reached no route, such as one beyond a limit: as a page where a browser asks."""
    return show_error(request, error) if _wants_page(request) else None


async def show_http_error(request: Request, error: Exception) -> Response:
    """An error of the framework, such as an unknown address: as a page where a browser asks for one."""
    assert isinstance(error, HTTPException)  # noqa: S101  # the class it is registered for
    if not _wants_page(request):
        return await problems.on_http_error(request, error)
    problem = problems.http_problem(error, problems.request_id_of(request.scope))
    if error.status_code in _NO_PAGE:
        problem = problem.model_copy(update={"detail": "no page has this address"})
    page = _error_page(request, problem)
    page.headers.update(error.headers or {})
    return page


def _wants_page(request: Request) -> bool:
    return is_page(request.url.path) and "text/html" in request.headers.get("accept", "")


def _error_page(request: Request, problem: Problem) -> Response:
    form = request.headers.get("referer", "") if request.method == "POST" else ""
    return render(request, "error.html", status=problem.status, problem=problem, form=form)


async def known_corpora(request: Request) -> list[Any]:
    """Summaries of the corpora that the caller of a request sees."""
    service = service_of(request)
    found = await service.compute.run(service.client.corpora)
    return [one for one in found if request.state.caller.sees(one.name)]
