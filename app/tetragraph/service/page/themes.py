"""Pages of themes: a treemap of a corpus, and one theme with its passages, entities and neighbours."""

from __future__ import annotations

from fastapi import Request, Response

from tetragraph.service.access import needs
from tetragraph.service.page import drawing
from tetragraph.service.page.rendering import render
from tetragraph.service.page.routing import router
from tetragraph.service.page.treemap import lay_out
from tetragraph.service.state import service_of

WIDTH, HEIGHT = 1000.0, 520.0
"""Size of the treemap in units of its drawing."""
routes = router("/c/{corpus}/themes")


@routes.get("", **needs("search"))
async def show_themes(request: Request, corpus: str) -> Response:
    """Show the themes of a corpus as a treemap and as a table."""
    tree = await service_of(request).answer(corpus, lambda one: one.tree())
    rectangles = lay_out([theme.size for theme in tree.themes], WIDTH, HEIGHT)
    tiles = list(zip(tree.themes, rectangles, strict=True))
    return render(request, "themes.html", tree=tree, tiles=tiles, width=WIDTH, height=HEIGHT)


@routes.get("/{theme}", **needs("search"))
async def show_theme(request: Request, corpus: str, theme: str) -> Response:
    """Show one theme, and the graph around it."""
    report = await service_of(request).answer(corpus, lambda one: one.theme(theme, limit=12))
    picture = drawing.picture_of(drawing.theme_graph(corpus, report))
    return render(request, "theme.html", report=report, **picture)
