"""Pages of entities: facts, other names, the graph around one, and how facts connect two."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request, Response

from tetragraph.client.corpus import Corpus
from tetragraph.service.access import needs
from tetragraph.service.page import drawing
from tetragraph.service.page.rendering import render
from tetragraph.service.page.routing import router
from tetragraph.service.state import service_of

FACTS: Final = 60
"""Number of facts that are shown and drawn."""
routes = router("/c/{corpus}/entities")


@routes.get("", **needs("search"))
async def show_entity(request: Request, corpus: str, name: str = "", to: str = "") -> Response:
    """Show the form, and the entity with a name."""
    if not name.strip():
        await service_of(request).check_corpus(corpus)
        return render(request, "entity.html", name="", to="", found=None)
    values = await service_of(request).answer(corpus, lambda one: _read(one, name.strip(), to.strip()))
    return render(request, "entity.html", name=name, to=to, **values)


def _read(corpus: Corpus, name: str, to: str) -> dict[str, Any]:
    found = corpus.entities.get(name)
    facts = corpus.entities.facts(found.id, FACTS)
    ways = corpus.entities.between(found.id, to) if to else ()
    picture = drawing.picture_of(drawing.entity_graph(corpus.name, found, facts))
    return {"found": found, "facts": facts, "ways": ways, **picture}
