"""Routes of entities of the bipartite graph: their facts, paths, roles and merged names."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from tetragraph.client.remote.requests import MOST_LISTED
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact, MergedName, RolePlayer, Way

routes = router("/v1/corpora/{corpus}/entities", "entities")
Entity = Annotated[str, Query(min_length=1, max_length=1_000, description="Id or name of an entity.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED)]


@routes.get("/entity", response_model=EntityReport, **needs("search"))
async def get_entity(request: Request, corpus: str, entity: Entity) -> Response:
    """One entity: its number of facts, and the names merged into it."""
    return reply(await service_of(request).answer(corpus, lambda one: one.entities.get(entity)))


@routes.get("/facts", response_model=list[KnownFact], **needs("search"))
async def list_facts(request: Request, corpus: str, entity: Entity, limit: Limit = 10) -> Response:
    """Facts in which an entity takes part."""
    found = await service_of(request).answer(corpus, lambda one: one.entities.facts(entity, limit))
    return reply(list(found), list[KnownFact])


@routes.get("/paths", response_model=list[Way], **needs("search"))
async def find_paths(
    request: Request,
    corpus: str,
    first: Entity,
    second: Entity,
    hops: Annotated[int, Query(ge=1, le=3)] = 2,
    limit: Limit = 10,
) -> Response:
    """Paths of facts that connect two entities, shortest first."""
    found = await service_of(request).answer(corpus, lambda one: one.entities.between(first, second, hops, limit))
    return reply(list(found), list[Way])


@routes.get("/merged", response_model=list[MergedName], **needs("search"))
async def list_merged(request: Request, corpus: str, limit: Limit = 100) -> Response:
    """Names that were merged into entities, the least certain first."""
    found = await service_of(request).answer(corpus, lambda one: one.entities.merged(limit))
    return reply(list(found), list[MergedName])


@routes.get("/roles/{role}", response_model=list[RolePlayer], **needs("search"))
async def list_by_role(request: Request, corpus: str, role: str, limit: Limit = 10) -> Response:
    """Entities with a role, such as `subject`, those of most facts first."""
    found = await service_of(request).answer(corpus, lambda one: one.entities.by_role(role, limit))
    return reply(list(found), list[RolePlayer])
