"""Templates of the page; every text is escaped."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from tetragraph.service.keys import Caller
from tetragraph.service.page import assets
from tetragraph.service.page.marking import mark_words
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS
from tetragraph.version import __version__

METHOD_NAMES: Final[Mapping[str, str]] = {one.name: one.label or one.name for one in RETRIEVERS.values()}
"""Search methods for people."""
GRAPHS: Final[Mapping[str, str]] = {one.name: one.title.capitalize() for one in BUILD_TARGETS.values()}
"""Build targets for people."""


@functools.cache
def environment() -> Environment:
    """The templates with their filters."""
    found = Environment(
        loader=PackageLoader("tetragraph.service.page", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["segment"] = lambda text: quote(str(text), safe="")
    found.filters["marked"] = mark_words
    found.globals |= {"asset": assets.address_of, "version": __version__, "methods": METHOD_NAMES}
    return found


def render(request: Request, template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page, or the part of one that htmx asks for: templates read ``is_part``."""
    return HTMLResponse(to_html(template, **common(request), **values), status)


def to_html(template: str, /, **values: Any) -> str:
    """The text of a template."""
    return environment().get_template(template).render(**values)


def common(request: Request) -> dict[str, Any]:
    """Values of every template: the caller, the corpus of the path and the kind of request."""
    caller: Caller | None = getattr(request.state, "caller", None)
    corpus = request.path_params.get("corpus", "")
    return {
        "caller": caller,
        "corpus": corpus,
        "may_ingest": bool(caller and corpus and caller.may(corpus, "ingest")),
        "is_part": request.headers.get("hx-request") == "true",
        "path": request.url.path,
    }
