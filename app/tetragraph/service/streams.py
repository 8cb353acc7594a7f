"""Server-sent events: results of a computation while it goes on.

A stream ends with the event ``end``. An error after the first event is an event ``problem``; when the server stops, the
event ``stopping`` asks the client to connect again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse

from tetragraph.client.remote.values import encode
from tetragraph.errors import TetragraphError
from tetragraph.service import problems
from tetragraph.service.lanes import Lane
from tetragraph.service.state import service_of

MEDIA_TYPE: Final = "text/event-stream"
PING_S = 15.0
"""Seconds of silence after which a comment keeps proxies from closing the connection."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_END = object()
Piece = TypeVar("Piece")

EVENTS: Final[dict[str, Any]] = {
    MEDIA_TYPE: {
        "schema": {
            "type": "object",
            "description": "One event",
            "properties": {
                "event": {"type": "string"},
                "data": {"type": "string", "contentMediaType": "application/json"},
                "id": {"type": "string"},
            },
            "required": ["event", "data"],
        }
    }
}
"""Description of a stream by its events, for the OpenAPI document."""
CONTENT: Final[dict[str, Any]] = {
    "description": "The result; or its parts while they are computed, where the request accepts `text/event-stream`",
    "content": EVENTS,
}
"""Description of a response that may be a stream."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        name: Name of the event.
        value: Value that is sent as JSON.
        kind: Type of the value where that is not its class.
        id: Number by which a client that reconnects continues; empty for none.
    """

    name: str
    value: Any
    kind: Any = None
    id: str = ""

    def encode(self) -> bytes:
        """The event in the format of the protocol."""
        head = f"id: {self.id}\n" if self.id else ""
        return f"{head}event: {self.name}\ndata: ".encode() + encode(self.value, self.kind) + b"\n\n"


def accepts_events(request: Request) -> bool:
    """Whether a request asks for a stream of events."""
    return MEDIA_TYPE in request.headers.get("accept", "")


async def respond(request: Request, events: AsyncIterator[Event]) -> StreamingResponse:
    """The response that streams events; an error before the first event is raised and becomes a problem."""
    first = await anext(events)
    return StreamingResponse(_send(request, first, events), media_type=MEDIA_TYPE, headers=dict(_HEADERS))


async def iterate(lane: Lane, pieces: Iterator[Piece]) -> AsyncIterator[Piece]:
    """The items of an iterator, each computed in a thread of a lane."""
    while (piece := await lane.run(next, pieces, _END)) is not _END:
        yield piece


async def _send(request: Request, first: Event, events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    yield first.encode()
    stopping = asyncio.ensure_future(service_of(request).stopping.wait())
    coming: asyncio.Future[Event] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(events))
            waited: set[asyncio.Future[Any]] = {coming, stopping}
            done, _ = await asyncio.wait(waited, timeout=PING_S, return_when=asyncio.FIRST_COMPLETED)
            if coming in done:
                event, coming = _result(request, coming), None
                yield event.encode()
                if event.name in ("end", "problem"):
                    return
            elif stopping in done:
                yield Event("stopping", {}).encode()
                return
            else:
                yield b": waiting\n\n"
    finally:
        stopping.cancel()
        if coming is not None:
            coming.cancel()


def _result(request: Request, coming: asyncio.Future[Event]) -> Event:
    try:
        return coming.result()
    except StopAsyncIteration:
        return Event("end", {})
    except TetragraphError as error:
        shown = problems.public(error, problems.corpus_of(request))
        return Event("problem", problems.problem_of(shown, request.state.request_id))
