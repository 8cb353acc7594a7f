"""Routes of searches in several steps, which are stored as sessions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Annotated, Literal

from fastapi import Query, Request, Response

from tetragraph.answering.sessions import AnchorRun, Session
from tetragraph.client.corpus import Corpus
from tetragraph.client.remote.requests import (
    MOST_LISTED,
    AnchorRequest,
    FollowUpRequest,
    ForkRequest,
    ResumeRequest,
)
from tetragraph.client.remote.values import PrunedForm, RunForm, SessionForm
from tetragraph.model.anchors import AnchorGraph, AnchorStep, SessionRecord
from tetragraph.service.access import needs, router, sends
from tetragraph.service.lanes import Lane
from tetragraph.service.measured import measured
from tetragraph.service.replies import reply
from tetragraph.service.state import Service, service_of
from tetragraph.service.streams import CONTENT, Event, accepts_events, iterate, respond

routes = router("/v1/corpora/{corpus}/sessions", "sessions")
_TYPES = {"json": "application/json", "graphml": "application/xml", "html": "text/html"}


@routes.post("", response_model=RunForm, responses={200: CONTENT}, **needs("search"))
async def start_session(request: Request, corpus: str, asked: AnchorRequest) -> Response:
    """Search in several steps, and answer; every step is stored before it is sent.

    Events: `session` with the id, `step` with each step, `answer` with the answer, `end`.
    """
    request.state.text = asked.question

    def start(one: Corpus) -> AnchorRun:
        return one.anchor(**asked.arguments)

    return await _run(request, corpus, start, service_of(request).lane_of(asked.generate))


@routes.get("", response_model=list[SessionRecord], **needs("search"))
async def list_sessions(
    request: Request, corpus: str, limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 20
) -> Response:
    """List the most recently started sessions, newest first."""
    found = await service_of(request).look(corpus, lambda one: one.sessions.newest(limit))
    return reply(found, list[SessionRecord])


@routes.post("/prune", response_model=PrunedForm, **needs("ingest"))
async def prune_sessions(request: Request, corpus: str) -> Response:
    """Delete the sessions whose time to live is over."""
    return reply(PrunedForm(pruned=await service_of(request).answer(corpus, lambda one: one.sessions.prune())))


@routes.get("/{session}", response_model=SessionRecord, **needs("search"))
async def get_session(request: Request, corpus: str, session: str) -> Response:
    """Question, state and options of a session."""
    return reply(await service_of(request).look(corpus, lambda one: one.session(session).record))


@routes.get("/{session}/steps", response_model=list[AnchorStep], **needs("search"))
async def list_steps(
    request: Request, corpus: str, session: str, after: Annotated[int, Query(ge=0, le=100_000)] = 0
) -> Response:
    """Steps of a session after a number, each with the graph after it."""
    steps = await service_of(request).look(corpus, lambda one: one.session(session).steps)
    return reply([step for step in steps if step.number > after], list[AnchorStep])


@routes.get("/{session}/graph", response_model=AnchorGraph, **needs("search"))
async def get_session_graph(request: Request, corpus: str, session: str) -> Response:
    """Graph of a session after its last step."""
    return reply(await service_of(request).look(corpus, lambda one: one.session(session).graph))


@routes.get("/{session}/export", response_class=Response, responses=sends(*_TYPES.values()), **needs("search"))
async def export_session(
    request: Request, corpus: str, session: str, form: Literal["json", "graphml", "html"] = "json"
) -> Response:
    """A session as a file: all of it as JSON, its graph as GraphML, or a page."""
    text = await service_of(request).answer(corpus, lambda one: one.session(session).export(form))
    headers = {"Content-Disposition": f'attachment; filename="session.{form}"', "Content-Security-Policy": "sandbox"}
    return Response(text, media_type=_TYPES[form], headers=headers)


@routes.post("/{session}/resume", response_model=RunForm, responses={200: CONTENT}, **needs("search"))
async def resume_session(request: Request, corpus: str, session: str, asked: ResumeRequest) -> Response:
    """Continue a session that ended, failed or was interrupted, and answer it; streams the events of a start."""
    return await _continue(request, corpus, session, lambda one: one.resume(budget=asked.budget.budget()))


@routes.post("/{session}/ask", response_model=RunForm, responses={200: CONTENT}, **needs("search"))
async def ask_session(request: Request, corpus: str, session: str, asked: FollowUpRequest) -> Response:
    """Ask a follow-up question; streams the events of a start."""
    request.state.text = asked.question
    return await _continue(request, corpus, session, lambda one: one.ask(asked.question, budget=asked.budget.budget()))


@routes.post("/{session}/fork", response_model=RunForm, responses={200: CONTENT}, **needs("search"))
async def fork_session(request: Request, corpus: str, session: str, asked: ForkRequest) -> Response:
    """Start a new session with the first steps of this one, and continue it with another search."""

    def fork(one: Session) -> AnchorRun:
        return one.fork(
            asked.at, query=asked.query, retriever=asked.retriever, ttl=asked.ttl, budget=asked.budget.budget()
        )

    return await _continue(request, corpus, session, fork)


@routes.delete("/{session}", status_code=204, **needs("ingest"))
async def delete_session(request: Request, corpus: str, session: str) -> Response:
    """Delete a session with its steps; forks of it stay."""
    await service_of(request).look(corpus, lambda one: one.session(session).delete())
    return Response(status_code=204)


async def _continue(request: Request, corpus: str, session: str, start: Callable[[Session], AnchorRun]) -> Response:
    lane = service_of(request).lane_of(None)
    return await _run(request, corpus, lambda one: start(one.session(session)), lane)


async def _run(request: Request, corpus: str, start: Callable[[Corpus], AnchorRun], lane: Lane) -> Response:
    """Run a search in several steps to its end, or stream its steps."""
    service = service_of(request)
    run = await lane.run(start, service.corpus(corpus))
    if accepts_events(request):
        return await respond(request, _events(service, lane, run))
    with measured(service, "anchor", "anchor"):
        answer = await lane.run(lambda: run.answer)
    return reply(RunForm.model_construct(session=run.session.id, stopped=run.stopped, answer=answer))


async def _events(service: Service, lane: Lane, run: AnchorRun) -> AsyncGenerator[Event, None]:
    yield Event("session", SessionForm(id=run.session.id))
    with measured(service, "anchor", "anchor"):
        async for step in iterate(lane, run):
            yield Event("step", step, id=str(step.number))
        answer = await lane.run(lambda: run.answer)
    yield Event("answer", answer)
