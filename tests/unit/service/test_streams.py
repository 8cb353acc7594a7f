"""Streams of events: their start, their errors, and what ends with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, MutableMapping
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request

from tetragraph.errors import StoreUnavailable, UnknownJob
from tetragraph.service import streams
from tetragraph.service.streams import Event, respond

EVENT = Event("step", {"number": 1}, dict[str, int])
EVENT_SENT = 'event: step\ndata: {"number":1}\n\n'
PATIENCE_S = 30


class Exchange:
    """A request for a stream of which each event is let go by the test, and what is sent in response."""

    def __init__(self, *, error: Exception | None = None) -> None:
        self.stopping, self.next_event, self.left = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.is_closed = False
        self._error = error
        self._sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        app = SimpleNamespace(state=SimpleNamespace(service=SimpleNamespace(stopping=self.stopping)))
        self.request = Request({"type": "http", "app": app, "state": {"request_id": "r1"}, "path_params": {}})

    async def events(self) -> AsyncGenerator[Event, None]:
        """One event, or an error."""
        try:
            await self.next_event.wait()
            if self._error is not None:
                raise self._error
            yield EVENT
        finally:
            self.is_closed = True

    async def run(self) -> None:
        """Stream the events until their end, or until the client has left."""
        response = await respond(self.request, self.events())
        await response({"type": "http"}, self._receive, self._sent.put)

    async def sent(self) -> MutableMapping[str, Any]:
        """The next message of the response."""
        return await asyncio.wait_for(self._sent.get(), PATIENCE_S)

    async def text(self) -> str:
        """The next part of the body."""
        return str((await self.sent())["body"].decode())

    async def _receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "EARLY_S", 0.01)
    monkeypatch.setattr(streams, "PING_S", 0.01)


def test_a_stream_without_events_starts_and_is_kept_open_by_comments() -> None:
    async def use() -> None:
        exchange = Exchange()
        running = asyncio.ensure_future(exchange.run())
        assert (await exchange.sent())["status"] == 200
        assert await exchange.text() == ": waiting\n\n"
        exchange.next_event.set()
        while (text := await exchange.text()) == ": waiting\n\n":
            pass
        assert (text, await exchange.text()) == (EVENT_SENT, "event: end\ndata: {}\n\n")
        await running

    asyncio.run(use())


def test_an_early_error_is_raised_and_a_late_one_is_an_event(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def use() -> str:
        late = Exchange(error=StoreUnavailable("bolt://10.0.0.1 is away"))
        running = asyncio.ensure_future(late.run())
        await late.sent()
        late.next_event.set()
        while (text := await late.text()) == ": waiting\n\n":
            pass
        await running
        monkeypatch.setattr(streams, "EARLY_S", PATIENCE_S)
        early = Exchange(error=UnknownJob("there is none"))
        early.next_event.set()
        with pytest.raises(UnknownJob, match="there is none"):
            await early.run()
        assert early.is_closed
        return text

    problem = asyncio.run(use())
    assert problem.startswith("event: problem\n")
    assert '"error":"StoreUnavailable"' in problem
    assert "10.0.0.1" not in problem
    assert "request r1 failed: StoreUnavailable: bolt://10.0.0.1 is away" in caplog.messages


def test_a_stream_that_waits_for_its_first_event_is_told_that_the_server_stops() -> None:
    async def use() -> None:
        exchange = Exchange()
        running = asyncio.ensure_future(exchange.run())
        await exchange.sent()
        exchange.stopping.set()
        while (text := await exchange.text()) == ": waiting\n\n":
            pass
        assert text == "event: stopping\ndata: {}\n\n"
        await running
        assert exchange.is_closed

    asyncio.run(use())


@pytest.mark.parametrize("has_event", [False, True])
def test_a_client_that_leaves_ends_the_computation(has_event: bool) -> None:
    async def use() -> None:
        exchange = Exchange()
        if has_event:
            exchange.next_event.set()
        running = asyncio.ensure_future(exchange.run())
        await exchange.sent()
        exchange.left.set()
        await asyncio.wait_for(running, PATIENCE_S)
        assert exchange.is_closed

    asyncio.run(use())


@pytest.mark.parametrize("pause_s", [0.0, float(PATIENCE_S)])
def test_a_request_that_is_cancelled_ends_the_computation(pause_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "EARLY_S", pause_s)

    async def use() -> None:
        exchange = Exchange()
        running = asyncio.ensure_future(exchange.run())
        await asyncio.sleep(0.02)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert exchange.is_closed
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(use())
