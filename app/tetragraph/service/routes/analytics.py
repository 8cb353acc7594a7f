"""Routes of the statements for analysts; no other Cypher is run, as it could read other corpora."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import Request, Response

from tetragraph.client import analytics
from tetragraph.client.corpus import Corpus
from tetragraph.client.remote.requests import MOST_LISTED, AnalyticsRequest
from tetragraph.client.remote.values import TableForm
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of
from tetragraph.validation import check_integer

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
    if "limit" in parameters:
        check_integer("limit", parameters["limit"], 1, MOST_LISTED)

    def run(one: Corpus) -> TableForm:
        return TableForm.of(shorten(one.analytics.run(statement, **parameters)))

    return reply(await service_of(request).answer(corpus, run))


def shorten(table: analytics.Table) -> analytics.Table:
    """A table with the rows that a list may have, and a note where there are more: some statements have no limit."""
    if len(table) <= MOST_LISTED:
        return table
    note = f"the first {MOST_LISTED:,} of {len(table):,} rows; the others were left out"
    return replace(table, rows=table.rows[:MOST_LISTED], notes=(*table.notes, note))
