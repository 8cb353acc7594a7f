"""Adds the page to the app of the service."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from tetragraph.service import middleware
from tetragraph.service.access import PlainRoute
from tetragraph.service.page import (
    answers,
    assets,
    documents,
    entities,
    home,
    jobs,
    searches,
    sessions,
    themes,
)
from tetragraph.service.page.gate import ASSETS, SIGN_IN, PageGate
from tetragraph.service.page.routing import show_http_error, show_refusal

ROUTERS = (
    home.routes, jobs.new, jobs.routes, searches.routes, documents.routes, answers.routes, entities.routes,
    themes.routes, sessions.routes,
)  # fmt: skip


def mount(app: FastAPI) -> None:
    """Add the routes of the page, its errors, and the gate that lets browsers in."""
    for prefix in (ASSETS, SIGN_IN):
        if prefix not in middleware.SURFACES:
            middleware.SURFACES.append(prefix)
    app.router.routes.append(PlainRoute(ASSETS + "{name}", assets.serve))
    for one in ROUTERS:
        app.include_router(one)
    app.add_exception_handler(HTTPException, show_http_error)
    app.state.service.refusals.append(show_refusal)
    app.state.watches = sessions.Watches()
    app.add_middleware(PageGate)
