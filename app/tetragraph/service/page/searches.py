"""Pages of searches: hits, why one was found, the graph that led to them, and two methods side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from fastapi import Request, Response

from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence
from tetragraph.model.explanations import Explanation
from tetragraph.model.subgraphs import Subgraph
from tetragraph.service.access import needs
from tetragraph.service.measured import measured
from tetragraph.service.page import drawing
from tetragraph.service.page.asked import Asked, asked_of
from tetragraph.service.page.rendering import render
from tetragraph.service.page.routing import router
from tetragraph.service.state import service_of

TONES: Final = 10
"""Number of colours of the parts of a score."""
routes = router("/c/{corpus}")


@routes.get("", **needs("search"))
async def show_search(request: Request, corpus: str) -> Response:
    """Show the form, and the hits of its question."""
    asked = asked_of(request)
    found = await _search(request, corpus, asked) if asked.question else None
    if found is None:
        await service_of(request).check_corpus(corpus)
    return render(request, "search.html", asked=asked, found=found, hits=_rows(found))


@routes.get("/why", **needs("search"))
async def show_why(request: Request, corpus: str, rank: int = 1) -> Response:
    """Explain a hit of a search, which is repeated: searches are deterministic."""
    asked = asked_of(request)

    def explain(found: Evidence) -> Explanation:
        _check_rank(found, rank)
        return service.corpus(corpus).explain(found, rank)

    service = service_of(request)
    found = await _search(request, corpus, asked)
    told = await service.compute.run(explain, found)
    picture = drawing.picture_of(told.subgraph, drawing.ranks_of(found))
    return render(request, "why.html", asked=asked, told=told, paths=drawing.paths_of(told), rank=rank, **picture)


@routes.get("/graph", **needs("search"))
async def show_graph(request: Request, corpus: str) -> Response:
    """Draw the part of the graph that led to the hits of a search."""
    asked = asked_of(request)
    service = service_of(request)
    found = await _search(request, corpus, asked)
    subgraph: Subgraph = await service.answer(corpus, lambda one: one.subgraph(found))
    picture = drawing.picture_of(subgraph, drawing.ranks_of(found))
    return render(request, "graph.html", asked=asked, found=found, **picture)


@routes.get("/compare", **needs("search"))
async def show_comparison(request: Request, corpus: str, other: str = "keyword") -> Response:
    """Show the hits of two methods side by side."""
    asked = asked_of(request)
    sides: list[tuple[Asked, Evidence]] = []
    if asked.question:
        for one in (asked, replace(asked, method=other, options="")):
            sides.append((one, await _search(request, corpus, one)))
    ranks = [{hit.chunk.id: hit.rank for hit in found} for _, found in sides]
    shown = [
        {"asked": one, "found": found, "hits": _rows(found), "elsewhere": ranks[1 - place]}
        for place, (one, found) in enumerate(sides)
    ]
    return render(request, "compare.html", asked=asked, other=other, sides=shown)


async def _search(request: Request, corpus: str, asked: Asked) -> Evidence:
    if not asked.question:
        raise InvalidInput("a question must have words, got none")
    service = service_of(request)
    with measured(service, "search", asked.method):
        return await service.answer(corpus, asked.search)


def _check_rank(found: Evidence, rank: int) -> None:
    if not 1 <= rank <= len(found):
        raise InvalidInput(f"the rank must be 1 to {len(found)}, as the search found no more, got {rank}")


def _rows(found: Evidence | None) -> list[dict[str, object]]:
    """The hits with the parts of their scores as bars, in the scale of the largest score."""
    if found is None:
        return []
    names = sorted({name for hit in found for name, value in hit.parts.items() if value})
    largest = max((sum(abs(value) for value in hit.parts.values()) for hit in found), default=0.0) or 1.0
    return [{"hit": hit, "bars": _bars(hit.parts, names, largest)} for hit in found]


def _bars(parts: Mapping[str, float], names: list[str], largest: float) -> list[dict[str, object]]:
    bars: list[dict[str, object]] = []
    left = 0.0
    for number, name in enumerate(names):
        if value := parts.get(name, 0.0):
            width = abs(value) / largest * 100
            bars.append(
                {"name": name, "value": value, "x": round(left, 2), "width": round(width, 2), "tone": number % TONES}
            )
            left += width
    return bars
