"""The app: REST routes inside the middleware that identifies, limits, measures and logs every request.

Other surfaces, such as a page or MCP, mount on the same app and use the same state: ``app.state.service``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from fastapi import FastAPI

from tetragraph.client.tetragraph import Tetragraph
from tetragraph.service import openapi, problems
from tetragraph.service.config import ServiceConfig
from tetragraph.service.middleware import Surroundings
from tetragraph.service.routes import (
    analytics,
    answers,
    changes,
    corpora,
    entities,
    graphs,
    jobs,
    keys,
    operations,
    searches,
    sessions,
    themes,
)
from tetragraph.service.state import Service
from tetragraph.version import __version__

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Surface: TypeAlias = Callable[[FastAPI], AbstractAsyncContextManager[Any] | None]
"""Adds routes to the app; may return what is entered while the app runs, such as a session manager."""
ROUTERS = (
    operations.public,
    operations.routes,
    corpora.routes,
    searches.routes,
    answers.routes,
    sessions.routes,
    graphs.routes,
    themes.routes,
    entities.routes,
    changes.routes,
    jobs.routes,
    analytics.listed,
    analytics.routes,
    keys.routes,
)


def create_app(
    client: Tetragraph,
    config: ServiceConfig | None = None,
    *,
    surfaces: Sequence[Surface] = (),
    tracer: Tracer | None = None,
) -> FastAPI:
    """Create the app of a server.

    Args:
        client: Client of the stores, which the caller closes after the app has ended.
        config: Address and limits; default: those of the client's settings, on the loopback interface.
        surfaces: Further surfaces to mount.
        tracer: Makes a span of every request and search; None for no traces.
    """
    chosen = config or ServiceConfig.of(client.connection.settings)
    entered: list[AbstractAsyncContextManager[Any]] = []

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service: Service = app.state.service
        async with AsyncExitStack() as stack:
            stack.callback(service.close)
            for one in entered:
                await stack.enter_async_context(one)
            service.jobs.start()
            yield
            service.stop()
            await asyncio.to_thread(service.jobs.join, service.config.grace_s)

    app = _with_routes(lifespan)
    app.state.service = Service.of(client, chosen)
    app.add_middleware(Surroundings, owner=app)
    if tracer is not None:
        from tetragraph.service.tracing import TracedApp

        app.state.service.tracer = tracer
        app.add_middleware(TracedApp, tracer=tracer)
    entered += [found for surface in surfaces if (found := surface(app)) is not None]
    return app


def describe_routes() -> dict[str, Any]:
    """The OpenAPI document of the REST routes, which needs no store."""
    return openapi.describe(_with_routes(None))


def _with_routes(lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None) -> FastAPI:
    app = FastAPI(
        title="tetragraph",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    for one in ROUTERS:
        app.include_router(one)
    problems.install(app)
    openapi.install(app)
    return app
