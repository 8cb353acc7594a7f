"""Routes of pages: they name the right that they need, and show an error as a page."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError

from tetragraph.errors import InvalidInput, TetragraphError
from tetragraph.service import problems
from tetragraph.service.access import GuardedRoute
from tetragraph.service.page.rendering import render
from tetragraph.service.state import service_of


class PageRoute(GuardedRoute):
    """A route of a page."""

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
    page = render(request, "error.html", status=problem.status, problem=problem)
    if "retry-after" in response.headers:
        page.headers["retry-after"] = response.headers["retry-after"]
    return page


async def known_corpora(request: Request) -> list[Any]:
    """Summaries of the corpora that the caller of a request sees."""
    service = service_of(request)
    found = await service.control.run(service.client.corpora)
    return [one for one in found if request.state.caller.sees(one.name)]
