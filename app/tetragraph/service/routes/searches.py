"""Routes of searches: chunks and facts that support an answer."""

from __future__ import annotations

from fastapi import Request, Response

from tetragraph.client.remote.requests import FactsRequest, SearchRequest
from tetragraph.model import Evidence, FactEvidence
from tetragraph.service.access import needs, router
from tetragraph.service.measured import measured
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of

routes = router("/v1/corpora/{corpus}", "search")


@routes.post("/search", response_model=Evidence, **needs("search"))
async def search(request: Request, corpus: str, asked: SearchRequest) -> Response:
    """Find the chunks that best support an answer to a question."""
    service = service_of(request)
    request.state.text = asked.question
    with measured(service, "search", asked.method):
        found = await service.answer(corpus, lambda one: one.search(**asked.arguments))
    return reply(found)


@routes.post("/facts", response_model=FactEvidence, **needs("search"))
async def find_facts(request: Request, corpus: str, asked: FactsRequest) -> Response:
    """Find the facts that best answer a question, each with the chunks that state it."""
    service = service_of(request)
    request.state.text = asked.question
    with measured(service, "facts", "bipartite"):
        found = await service.answer(corpus, lambda one: one.facts(**asked.arguments))
    return reply(found)
