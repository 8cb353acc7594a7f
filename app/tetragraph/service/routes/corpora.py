"""Routes of corpora: those that a key sees, and what is in one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from tetragraph.client.remote.requests import MOST_LISTED, ChunksRequest
from tetragraph.client.remote.values import CorpusForm
from tetragraph.client.tetragraph import CorpusSummary
from tetragraph.model import Chunk
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import caller_of, service_of

routes = router("/v1/corpora", "corpora")


@routes.get("", response_model=list[CorpusSummary], **needs("any"))
async def list_corpora(request: Request) -> Response:
    """List the corpora on which the key has a right, in order of name."""
    service, caller = service_of(request), caller_of(request)
    found = await service.compute.run(service.client.corpora)
    return reply([one for one in found if caller.sees(one.name)], list[CorpusSummary])


@routes.get("/{corpus}", response_model=CorpusForm, **needs("search"))
async def get_corpus(request: Request, corpus: str) -> Response:
    """Numbers of nodes and relationships of a corpus, by kind."""
    counts = await service_of(request).answer(corpus, lambda one: one.counts())
    return reply(CorpusForm(name=corpus, counts=counts))


@routes.get("/{corpus}/documents", response_model=list[DocumentRecord], **needs("search"))
async def list_documents(
    request: Request, corpus: str, after: str = "", limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100
) -> Response:
    """List documents in order of id, those after an id."""
    found = await service_of(request).look(corpus, lambda one: one.documents(after=after, limit=limit))
    return reply(list(found), list[DocumentRecord])


@routes.get("/{corpus}/document", response_model=StoredDocument, **needs("search"))
async def get_document(
    request: Request,
    corpus: str,
    id: Annotated[str, Query(min_length=1, description="Id of the document.")],  # noqa: A002  # name of the parameter
    first: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 1_000,
) -> Response:
    """One document: its properties, and its text in chunks."""
    return reply(await service_of(request).look(corpus, lambda one: one.document(id, first=first, limit=limit)))


@routes.post("/{corpus}/chunks", response_model=dict[str, Chunk], **needs("search"))
async def get_chunks(request: Request, corpus: str, asked: ChunksRequest) -> Response:
    """Chunks by id; unknown ids are left out."""
    found = await service_of(request).look(corpus, lambda one: one.chunks(list(asked.chunks)))
    return reply(found, dict[str, Chunk])
