"""Pages of searches in several steps: a new one, the stored ones, and one that grows while it is watched."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Final

from fastapi import Form, Request, Response
from starlette.responses import RedirectResponse

from tetragraph.client.corpus import Corpus
from tetragraph.drawing.layout import place_nodes
from tetragraph.drawing.looks import COLOURS
from tetragraph.errors import ServiceBusy, ServiceError, StoreUnavailable, TetragraphError
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model.anchors import AnchorGraph, AnchorStep, SessionRecord
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.service import problems
from tetragraph.service.access import needs
from tetragraph.service.measured import measured
from tetragraph.service.page import drawing
from tetragraph.service.page.rendering import common, render, to_html
from tetragraph.service.page.routing import router
from tetragraph.service.page.streams import END, event, event_stream
from tetragraph.service.state import Service, service_of
from tetragraph.systems.anchor_graph.step_summary import ENDED, chunks_read_per_step, summarise_step, title_of

logger = logging.getLogger("tetragraph")
LISTED: Final = 50
ANCHOR_KINDS: Final = (
    ("named in the question", COLOURS[0]),
    ("found on the way", COLOURS[2]),
    ("new in this step", COLOURS[1]),
)
"""Kinds of anchors with their colours, as in an exported session."""
POLL_S: Final = 0.05
"""Seconds between two looks at a session that is watched."""
PING_S: Final = 15.0
_UNWATCHED: Final = "the session cannot be watched: the log of the service has the reason"
routes = router("/c/{corpus}/sessions")


@routes.get("", **needs("search"))
async def list_sessions(request: Request, corpus: str) -> Response:
    """List the newest sessions, and show the form for a new one."""
    found = await service_of(request).look(corpus, lambda one: one.sessions.newest(LISTED))
    return render(request, "sessions.html", sessions=found, ended=ENDED)


@routes.post("", **needs("search"))
async def start_session(request: Request, corpus: str, q: Annotated[str, Form()] = "") -> Response:
    """Start a search in several steps, and show it."""
    request.state.text = q
    service = service_of(request)
    run = await service.answer(corpus, lambda one: one.anchor(q))
    task = asyncio.create_task(_finish(service, run))
    _RUNNING.add(task)
    task.add_done_callback(_RUNNING.discard)
    return RedirectResponse(f"/c/{corpus}/sessions/{run.session.id}", 303)


_RUNNING: Final[set[asyncio.Task[None]]] = set()
"""Searches in progress: the loop holds no reference of its own."""


async def _finish(service: Service, run: Any) -> None:
    try:
        with measured(service, "anchor", "anchor"):
            await service.lane_of(None).run(lambda: run.answer)
    except TetragraphError as error:
        logger.warning("session %s stopped: %s", run.session.id, error)


@routes.get("/{session}", **needs("search"))
async def show_session(request: Request, corpus: str, session: str) -> Response:
    """Show a session, which grows on the page while it runs."""
    # not in the threads of searches: sessions may fill these until they end, and are to be seen meanwhile
    values = await service_of(request).look(corpus, lambda one: _read(one, session))
    if not values["steps"]:  # half a second of imports, which the first step would wait for
        await service_of(request).look(corpus, lambda _: place_nodes("ab", [("a", "b")]))
    return render(request, "session.html", **values)


@routes.get("/{session}/live", **needs("search"))
async def watch_session(request: Request, corpus: str, session: str) -> Response:
    """Stream the session as a part of the page after each step; all watchers share one look at the database."""
    service = service_of(request)
    full = await service.look(corpus, lambda one: one.session(session).id)
    watch = request.app.state.watches.of(service, corpus, full)
    return event_stream(_events(request, watch))


@routes.get("/{session}/export/{form}", **needs("search"))
async def export_session(request: Request, corpus: str, session: str, form: str) -> Response:
    """Download a session as JSON, GraphML or a page of its own."""
    text = await service_of(request).answer(corpus, lambda one: one.session(session).export(form))
    headers = {"Content-Disposition": f'attachment; filename="session.{form}"'}
    return Response(text, media_type="application/octet-stream", headers=headers)


async def _events(request: Request, watch: Watch) -> AsyncIterator[str]:
    """Parts of the page until the session ends, or the fault for which it cannot be read.

    Without ``END``, as when the service stops or a store does not answer, the page connects again.
    """
    seen = 0
    values = common(request)
    async with watch:
        while True:
            seen, shown = await watch.newer_than(seen, PING_S)
            if isinstance(watch.fault, StoreUnavailable | ServiceBusy):
                return
            if watch.fault is not None:
                problem = problems.problem_of(watch.fault, request.state.request_id)
                yield event(to_html("problem.html", **values, problem=problem))
                yield END
                return
            if shown is not None:
                yield event(to_html("session_steps.html", **values, **shown))
                if shown["record"].status != "running":
                    yield END
                    return
            if service_of(request).stopping.is_set():
                return
            if shown is None:
                yield ": still here\n\n"


class Watch:
    """A session that pages watch: one task looks at the database for all of them.

    Use it as an asynchronous context manager; the task runs while somebody watches.

    Attributes:
        fault: Why the session cannot be read any more, for example because it was deleted; None while it can.
    """

    def __init__(self, service: Service, corpus: str, session: str) -> None:
        self._service = service
        self._corpus = corpus
        self._session = session
        self._changed = asyncio.Condition()
        self._version = 0
        self._shown: Mapping[str, Any] | None = None
        self.fault: TetragraphError | None = None
        self._watchers = 0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._watchers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())

    @property
    def is_used(self) -> bool:
        """Whether a page watches."""
        return self._watchers > 0

    async def __aexit__(self, *_: object) -> None:
        self._watchers -= 1
        if not self._watchers and self._task is not None:
            self._task.cancel()
            self._task = None

    async def newer_than(self, version: int, wait_s: float) -> tuple[int, Mapping[str, Any] | None]:
        """The newest state and its version; None if there is none newer than a version in time, or before a stop."""
        async with self._changed:
            try:
                news = self._changed.wait_for(
                    lambda: self._version > version or self.fault is not None or self._service.stopping.is_set()
                )
                await asyncio.wait_for(news, wait_s)
            except TimeoutError:
                return version, None
            return self._version, self._shown if self._version > version else None

    async def _look(self) -> None:
        try:
            await self._follow()
        except Exception as error:  # pages must not wait for ever
            is_unexpected = not isinstance(error, TetragraphError)
            logger.warning("session %s cannot be watched: %s", self._session, error, exc_info=is_unexpected)
            known = error if isinstance(error, TetragraphError) else ServiceError(_UNWATCHED)
            self.fault = problems.public(known, self._corpus)
        async with self._changed:  # also when the service stops
            self._changed.notify_all()

    async def _follow(self) -> None:
        last: SessionRecord | None = None
        while not self._service.stopping.is_set():
            record = await self._service.look(self._corpus, lambda one: one.session(self._session).record)
            if record != last:
                shown = await self._service.look(self._corpus, lambda one: _read(one, self._session))
                last = record
                async with self._changed:
                    self._shown, self._version = shown, self._version + 1
                    self._changed.notify_all()
            await asyncio.sleep(POLL_S)


class Watches:
    """The sessions that are watched, by corpus and id."""

    def __init__(self) -> None:
        self._watches: dict[tuple[str, str], Watch] = {}

    def of(self, service: Service, corpus: str, session: str) -> Watch:
        """The watch of a session; those that nobody uses are forgotten."""
        self._watches = {key: one for key, one in self._watches.items() if one.is_used and one.fault is None}
        return self._watches.setdefault((corpus, session), Watch(service, corpus, session))


def _read(corpus: Corpus, session: str) -> dict[str, Any]:
    opened = corpus.session(session)
    record, steps = opened.record, opened.steps
    graph = steps[-1].graph if steps else AnchorGraph()
    return {
        "record": record,
        "steps": [summarise_step(step, steps, chunks_read_per_step(record)) for step in steps],
        "ended": ENDED[record.stopped],
        "title_of": title_of,
        "kinds": ANCHOR_KINDS,
        **_coloured(drawing.picture_of(anchor_subgraph(corpus.name, graph)), graph, record, steps),
    }


def _coloured(
    picture: dict[str, Any], graph: AnchorGraph, record: SessionRecord, steps: tuple[AnchorStep, ...]
) -> dict[str, Any]:
    """A picture whose nodes have the colours of :data:`ANCHOR_KINDS`."""
    newest = steps[-1].number if steps and record.status == "running" else 0
    asked = f" {normalise_name(record.question)} "
    for node in picture["graph"]["nodes"]:
        kind = 2 if graph.by_key[node["key"]].step == newest else 0 if f" {node['key']} " in asked else 1
        node["colour"] = ANCHOR_KINDS[kind][1]
    return picture


def anchor_subgraph(corpus: str, graph: AnchorGraph) -> Subgraph:
    """The anchors of a session and their relations."""
    nodes = {
        NodeKey("Anchor", anchor.key): {
            "name": anchor.name,
            "attributes": list(anchor.attributes),
            "step": anchor.step,
        }
        for anchor in graph.anchors
    }
    links: dict[LinkKey, dict[str, Any]] = {}
    for one in graph.relations:
        key = LinkKey("ANCHORED", NodeKey("Anchor", one.source), NodeKey("Anchor", one.target))
        phrases = [links[key]["phrase"], one.phrase] if key in links else [one.phrase]
        links[key] = {"phrase": "; ".join(phrases), "step": one.step}
    return Subgraph(corpus, dict(sorted(nodes.items())), dict(sorted(links.items())))
