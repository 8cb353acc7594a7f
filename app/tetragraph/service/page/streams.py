"""Streams of events to a browser, from iterators that run in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, TypeVar

from starlette.responses import StreamingResponse

from tetragraph.service.lanes import Lane

Piece = TypeVar("Piece")
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
END: Final = "event: end\ndata: end\n\n"
"""The last event, at which a page closes the stream."""


def event_stream(events: AsyncIterator[str]) -> StreamingResponse:
    """A response of server-sent events."""
    return StreamingResponse(events, media_type="text/event-stream", headers=HEADERS)


def event(html: str) -> str:
    """An event whose data is a part of a page."""
    return "".join(f"data: {line}\n" for line in html.splitlines()) + "\n"


async def pieces_of(lane: Lane, make: Callable[[], Iterable[Piece]]) -> AsyncIterator[Piece]:
    """Yield what an iterator computes in a thread; it ends early when nobody reads any more.

    Args:
        lane: Threads.
        make: Makes the iterator, in the thread.

    Raises:
        TetragraphError: the iterator raised it.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[bool, Any]] = asyncio.Queue()
    is_left = False

    def pump() -> None:
        for piece in make():
            if is_left:
                return
            loop.call_soon_threadsafe(queue.put_nowait, (False, piece))

    task = asyncio.ensure_future(lane.run(pump))
    task.add_done_callback(lambda _: queue.put_nowait((True, None)))
    try:
        while True:
            is_end, piece = await queue.get()
            if is_end:
                await task
                return
            yield piece
    finally:
        is_left = True
        task.cancel()
