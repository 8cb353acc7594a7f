"""Routes of themes: the communities of the encoding tree."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from tetragraph.client.remote.requests import MOST_LISTED
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport

routes = router("/v1/corpora/{corpus}", "themes")


@routes.get("/themes", response_model=TreeOverview, **needs("search"))
async def list_themes(request: Request, corpus: str, with_chunks: bool = False) -> Response:
    """Themes of the corpus, with names and measures."""
    return reply(await service_of(request).answer(corpus, lambda one: one.tree(with_chunks=with_chunks)))


@routes.get("/themes/{theme}", response_model=ThemeReport, **needs("search"))
async def get_theme(
    request: Request, corpus: str, theme: str, limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 10
) -> Response:
    """One theme: its central chunks, characteristic entities and neighbours."""
    return reply(await service_of(request).answer(corpus, lambda one: one.theme(theme, limit=limit)))


@routes.get("/affinity", response_model=Affinity | None, **needs("search"))
async def get_affinity(request: Request, corpus: str, first: str, second: str) -> Response:
    """The components of the edge between two chunks; null without an edge."""
    found = await service_of(request).look(corpus, lambda one: one.affinity(first, second))
    return reply(found, Affinity | None)
