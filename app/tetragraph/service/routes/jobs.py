"""Routes of jobs: their state by polling or as events, and the wish to cancel one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import Header, Query, Request, Response

from tetragraph.client.remote.jobs import JobForm
from tetragraph.client.remote.requests import MOST_LISTED
from tetragraph.service import state
from tetragraph.service.access import needs, router
from tetragraph.service.replies import reply
from tetragraph.service.state import caller_of, service_of
from tetragraph.service.streams import EVENTS, Event, respond

routes = router("/v1/corpora/{corpus}/jobs", "jobs")
POLL_S = 0.3
_EVENTS = {"description": "Events", "content": EVENTS}


@routes.get("", response_model=list[JobForm], **needs("member"))
async def list_jobs(request: Request, corpus: str, limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 20) -> Response:
    """List the newest jobs of a corpus."""
    service, caller = service_of(request), caller_of(request)
    found = await service.control.run(service.jobs.store.newest, corpus, limit)
    if not found:
        await service.check_corpus(corpus)
    return reply([one.form_for(caller) for one in found], list[JobForm])


@routes.get("/{job}", response_model=JobForm, **needs("member"))
async def get_job(request: Request, corpus: str, job: str) -> Response:
    """One job, with its progress, and its result or problem once it has ended."""
    service = service_of(request)
    record = await service.control.run(service.jobs.store.get, corpus, job)
    return reply(record.form_for(caller_of(request)))


@routes.get("/{job}/events", response_class=Response, responses={200: _EVENTS}, **needs("member"))
async def watch_job(
    request: Request,
    corpus: str,
    job: str,
    last: Annotated[str, Header(alias="Last-Event-ID", description="Id of the last event that was received.")] = "",
) -> Response:
    """The job whenever it changes: events `job` with a rising id, and `end` after its end.

    A client that reconnects with the header `Last-Event-ID` gets what has changed since.
    """
    after = int(last) if last.isdecimal() and len(last) < 19 else 0  # digits of 64 bits
    return await respond(request, _watch(request, corpus, job, after))


@routes.post("/{job}/cancel", response_model=JobForm, **needs("member"))
async def cancel_job(request: Request, corpus: str, job: str) -> Response:
    """Cancel a job: one that waits ends at once, one that runs after its current batch; what was written stays."""
    return reply((await state.cancel_job(request, corpus, job)).form_for(caller_of(request)))


async def _watch(request: Request, corpus: str, job: str, after: int) -> AsyncGenerator[Event, None]:
    service, caller = service_of(request), caller_of(request)
    while True:
        record = await service.watched_jobs.get(corpus, job)
        if record.form.sequence > after or record.has_ended:
            after = record.form.sequence
            yield Event("job", record.form_for(caller), id=str(after))
        if record.has_ended:
            return
        await asyncio.sleep(POLL_S)
