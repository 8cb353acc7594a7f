"""Server-sent events: results of a computation while it goes on.

A stream ends with the event ``end``. An error after its start is an event ``problem``; when the server stops, the event
``stopping`` asks the client to connect again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from tetragraph.client.remote.values import encode
from tetragraph.errors import TetragraphError
from tetragraph.service import problems
from tetragraph.service.lanes import Lane
from tetragraph.service.state import service_of

MEDIA_TYPE: Final = "text/event-stream"
PING_S = 15.0
"""Seconds of silence after which a comment keeps proxies from closing the connection."""
EARLY_S = 1.0
"""Seconds after which a response starts without its first event; an error until then has a status of its own."""
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


async def respond(request: Request, events: AsyncGenerator[Event, None]) -> StreamingResponse:
    """The response that streams events; an error within ``EARLY_S`` is raised and becomes a problem."""
    stream = _Stream(request, events)
    try:
        await stream.begin()
    except BaseException:
        await stream.close()
        raise
    return stream


async def iterate(lane: Lane, pieces: Iterator[Piece]) -> AsyncIterator[Piece]:
    """The items of an iterator, each computed in a thread of a lane."""
    while (piece := await lane.run(next, pieces, _END)) is not _END:
        yield piece


class _Stream(StreamingResponse):
    """The response that sends events; whatever ends it also ends the computation of the next one.

    Args:
        request: The request.
        events: Computes the events.
    """

    def __init__(self, request: Request, events: AsyncGenerator[Event, None]) -> None:
        self._request = request
        self._events = events
        self._stopping = asyncio.ensure_future(service_of(request).stopping.wait())
        self._coming = asyncio.ensure_future(anext(events))
        super().__init__(self._send(), media_type=MEDIA_TYPE, headers=dict(_HEADERS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.close()

    async def begin(self) -> None:
        """Wait for the first event, or for ``EARLY_S``.

        Raises:
            TetragraphError: it cannot be computed.
        """
        done, _ = await asyncio.wait({self._coming}, timeout=EARLY_S)
        if done and (error := self._coming.exception()) and not isinstance(error, StopAsyncIteration):
            raise error

    async def close(self) -> None:
        """End the computation."""
        self._stopping.cancel()
        self._coming.cancel()
        await asyncio.gather(self._stopping, self._coming, return_exceptions=True)
        await self._events.aclose()

    async def _send(self) -> AsyncIterator[bytes]:
        while True:
            waited: set[asyncio.Future[Any]] = {self._coming, self._stopping}
            done, _ = await asyncio.wait(waited, timeout=PING_S, return_when=asyncio.FIRST_COMPLETED)
            if self._coming in done:
                event = _result(self._request, self._coming)
                yield event.encode()
                if event.name in ("end", "problem"):
                    return
                self._coming = asyncio.ensure_future(anext(self._events))
            elif self._stopping in done:
                yield Event("stopping", {}).encode()
                return
            else:
                yield b": waiting\n\n"


def _result(request: Request, coming: asyncio.Future[Event]) -> Event:
    try:
        return coming.result()
    except StopAsyncIteration:
        return Event("end", {})
    except TetragraphError as error:
        shown = problems.public(error, problems.corpus_of(request))
        problems.log_failure(shown, request.state.request_id)
        return Event("problem", problems.problem_of(shown, request.state.request_id))
