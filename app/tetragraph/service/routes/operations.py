"""Routes for those who run the service: is it alive, is it ready, its figures; and what it offers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from tetragraph.client.remote.values import Health, Readiness, ServiceForm
from tetragraph.indexing.sources import known_suffixes
from tetragraph.service.access import needs, router, sends
from tetragraph.service.readiness import OK
from tetragraph.service.replies import reply
from tetragraph.service.state import caller_of, service_of
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS
from tetragraph.version import __version__

public = APIRouter(tags=["operations"])
routes = router("", "operations")
_FIGURES = sends(CONTENT_TYPE_LATEST.partition(";")[0], description="The figures")


@public.head("/healthz", include_in_schema=False)
@public.get("/healthz", response_model=Health)
async def is_alive() -> Response:
    """Whether the process answers."""
    return reply(Health(status="ok"))


@public.head("/readyz", include_in_schema=False)
@public.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
async def is_ready(request: Request) -> Response:
    """Whether both stores answer, the database has the schema of this version, and the server accepts work."""
    service = service_of(request)
    checks = await service.store_checks.run() | {"accepting": "stopping" if service.stopping.is_set() else OK}
    is_fine = all(one == OK for one in checks.values())
    form = Readiness(status="ok" if is_fine else "unavailable", checks=checks)
    return reply(form, status=200 if is_fine else 503)


@routes.get("/metrics", response_class=Response, responses=_FIGURES, **needs("any"))
async def read_metrics(request: Request) -> Response:
    """Figures in the format of Prometheus."""
    return Response(service_of(request).metrics.text(), media_type=CONTENT_TYPE_LATEST)


@routes.get("/v1", response_model=ServiceForm, **needs("any"))
async def describe(request: Request) -> Response:
    """Version, methods, graphs and limits of the service, and the rights of the key."""
    service, caller = service_of(request), caller_of(request)
    form = ServiceForm(
        version=__version__,
        methods={name: one.summary for name, one in RETRIEVERS.items()},
        graphs={name: one.title for name, one in BUILD_TARGETS.items()},
        formats=known_suffixes(),
        body_bytes=service.config.body_bytes,
        has_model=bool(service.client.connection.settings.llm),
        key=caller.id,
        scopes=tuple(sorted(caller.scopes)),
        corpora=caller.patterns,
    )
    return reply(form)
