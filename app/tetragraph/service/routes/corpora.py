"""Routes of corpora: those that a key sees, and what is in one."""

from __future__ import annotations

from fastapi import Request, Response

from tetragraph.client.remote.values import CorpusForm
from tetragraph.client.tetragraph import CorpusSummary
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import caller_of, service_of

routes = router("/v1/corpora", "corpora")


@routes.get("", response_model=list[CorpusSummary], **needs("any"))
async def list_corpora(request: Request) -> Response:
    """List the corpora on which the key has a right, in order of name."""
    service, caller = service_of(request), caller_of(request)
    found = await service.control.run(service.client.corpora)
    return reply([one for one in found if caller.sees(one.name)], list[CorpusSummary])


@routes.get("/{corpus}", response_model=CorpusForm, **needs("search"))
async def get_corpus(request: Request, corpus: str) -> Response:
    """Numbers of nodes and relationships of a corpus, by kind."""
    counts = await service_of(request).look(corpus, lambda one: one.counts())
    return reply(CorpusForm(name=corpus, counts=counts))
