"""Routes of the statements for analysts; no other Cypher is run, as it could read other corpora."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from tetragraph.client import analytics
from tetragraph.client.remote.requests import AnalyticsRequest
from tetragraph.client.remote.values import TableForm
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of

listed = router("/v1/analytics", "analytics")
routes = router("/v1/corpora/{corpus}/analytics", "analytics")


@listed.get("", response_model=list[analytics.Statement], **needs("any"))
async def list_statements() -> Response:
    """List the statements that can be run, with parameters, columns and their Cypher."""
    return reply(list(analytics.pack()), list[analytics.Statement])


@routes.post("/{statement}", response_model=TableForm, **needs("search"))
async def run_statement(request: Request, corpus: str, statement: str, asked: AnalyticsRequest) -> Response:
    """Run one statement, in a transaction that cannot write."""
    parameters: dict[str, Any] = asked.parameters
    found = await service_of(request).answer(corpus, lambda one: one.analytics.run(statement, **parameters))
    return reply(TableForm.of(found))
