"""Pages of changes: files to upload, graphs to build, and jobs with their progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import File, Form, Request, Response, UploadFile
from starlette.responses import RedirectResponse

from tetragraph.client.remote.jobs import ENDED, Kind
from tetragraph.client.remote.requests import BuildRequest, IngestOptions
from tetragraph.errors import InvalidInput
from tetragraph.host.batches import read_blocks
from tetragraph.indexing.sources import known_suffixes
from tetragraph.service.access import needs
from tetragraph.service.jobs.spool import MOST_FILES
from tetragraph.service.keys import authorise
from tetragraph.service.page.rendering import GRAPHS, common, render, to_html
from tetragraph.service.page.routing import router
from tetragraph.service.page.streams import END, event, event_stream
from tetragraph.service.state import caller_of, cancel_job, service_of
from tetragraph.systems.names import BUILDS
from tetragraph.systems.registry import check_build_targets, find_build_target

LISTED: Final = 50
POLL_S: Final = 0.3
routes = router("/c/{corpus}")
new = router("/corpora")


@routes.get("/jobs", **needs("member"))
async def list_jobs(request: Request, corpus: str) -> Response:
    """List the newest jobs of a corpus, and show the forms that start one."""
    service = service_of(request)
    found = await service.control.run(service.jobs.store.newest, corpus, LISTED)
    return render(
        request, "jobs.html", jobs=[one.form for one in found], graphs=GRAPHS, suffixes=",".join(known_suffixes())
    )


@routes.post("/files", **needs("ingest"))
async def upload(
    request: Request,
    corpus: str,
    files: Annotated[list[UploadFile], File()],
    build: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Ingest uploaded files."""
    return await _upload(request, corpus, files, build or [])


@new.post("", **needs("any"))
async def create_corpus(
    request: Request,
    name: Annotated[str, Form()],
    files: Annotated[list[UploadFile], File()],
    build: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Create a corpus from uploaded files; a name that exists gets the files as well."""
    authorise(caller_of(request), service_of(request).corpus(name.strip()).name, "ingest")
    return await _upload(request, name.strip(), files, build or [])


@routes.post("/builds", **needs("ingest"))
async def build_graph(request: Request, corpus: str, what: Annotated[str, Form()]) -> Response:
    """Build a graph on all passages."""
    find_build_target(what)
    await service_of(request).check_corpus(corpus)
    return await _submit(request, corpus, "build", BuildRequest(what=what).model_dump(mode="json"))


@routes.get("/jobs/{job}", **needs("member"))
async def show_job(request: Request, corpus: str, job: str) -> Response:
    """Show a job, whose progress moves on the page while it runs."""
    service = service_of(request)
    record = await service.control.run(service.jobs.store.get, corpus, job)
    job_form = record.form_for(caller_of(request))
    return render(request, "job.html", job=job_form, has_ended=record.has_ended)


@routes.get("/jobs/{job}/live", **needs("member"))
async def watch_job(request: Request, corpus: str, job: str) -> Response:
    """Stream the progress of a job as parts of the page."""
    service = service_of(request)
    await service.watched_jobs.get(corpus, job)
    return event_stream(_events(request, corpus, job))


@routes.post("/jobs/{job}/cancel", **needs("member"))
async def cancel(request: Request, corpus: str, job: str) -> Response:
    """Cancel a job."""
    await cancel_job(request, corpus, job)
    return RedirectResponse(f"/c/{corpus}/jobs/{job}", 303)


async def _events(request: Request, corpus: str, job: str) -> AsyncIterator[str]:
    """Parts of the page until the job ends; without ``END``, as when the service stops, the page connects again."""
    service = service_of(request)
    values = common(request)
    seen = -1
    while not service.stopping.is_set():
        form = (await service.watched_jobs.get(corpus, job)).form_for(caller_of(request))
        has_ended = form.status in ENDED
        if form.sequence > seen or has_ended:
            seen = form.sequence
            yield event(to_html("job_state.html", **values, job=form, has_ended=has_ended))
        if has_ended:
            yield END
            return
        await asyncio.sleep(POLL_S)


async def _upload(request: Request, corpus: str, files: list[UploadFile], build: list[str]) -> Response:
    given = [file for file in files if file.filename]
    if not 1 <= len(given) <= MOST_FILES:
        raise InvalidInput(f"an upload must have 1 to {MOST_FILES} files, got {len(given)}")
    check_build_targets(build)
    contents = [(str(file.filename), read_blocks(file.file)) for file in given]
    options = IngestOptions(build=tuple(sorted(set(build), key=BUILDS.index))).model_dump(mode="json")
    return await _submit(request, corpus, "ingest", options, store=lambda spool, job: spool.add_files(job, contents))


async def _submit(request: Request, corpus: str, kind: Kind, asked: dict[str, Any], **more: Any) -> Response:
    service = service_of(request)
    record = await service.control.run(
        service.submissions.add, corpus, kind, asked, caller=caller_of(request).id, **more
    )
    return RedirectResponse(f"/c/{corpus}/jobs/{record.form.id}", 303)
