"""Threads with a bounded queue: what waits, what is refused, and when a thread is free again."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tetragraph.errors import ServiceBusy
from tetragraph.service.lanes import DaemonThreads, Lane


def test_results_and_errors_come_from_the_threads() -> None:
    async def use() -> tuple[str, int]:
        lane = Lane("test", 2, 4, 5.0)
        name = await lane.run(lambda: threading.current_thread().name)
        with pytest.raises(ZeroDivisionError):
            await lane.run(lambda: 1 // 0)
        lane.close()
        return name, lane.running

    name, running = asyncio.run(use())
    assert name.startswith("test ")
    assert running == 0


def test_no_more_calls_run_than_threads_and_a_full_queue_refuses() -> None:
    async def use() -> None:
        lane, go = Lane("test", 1, 1, 30.0), threading.Event()
        first = asyncio.ensure_future(lane.run(go.wait))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(lane.run(lambda: "second"))
        await asyncio.sleep(0)
        assert (lane.running, lane.waiting) == (1, 1)
        with pytest.raises(ServiceBusy, match="the queue is full"):
            await lane.run(lambda: "third")
        go.set()
        assert await first is True
        assert await second == "second"
        lane.close()

    asyncio.run(use())


def test_a_call_that_waits_too_long_is_refused() -> None:
    async def use() -> None:
        lane, go = Lane("test", 1, 1, 0.01), threading.Event()
        first = asyncio.ensure_future(lane.run(go.wait))
        await asyncio.sleep(0)
        with pytest.raises(ServiceBusy, match="no thread became free") as told:
            await lane.run(lambda: None)
        assert told.value.retry_after_s > 0
        go.set()
        await first
        lane.close()

    asyncio.run(use())


def test_the_thread_of_a_cancelled_call_is_free_only_when_its_function_has_ended() -> None:
    async def use() -> None:
        lane, began, go = Lane("test", 1, 4, 30.0), threading.Event(), threading.Event()

        def hold() -> None:
            began.set()
            go.wait()

        first = asyncio.ensure_future(lane.run(hold))
        while not began.is_set():
            await asyncio.sleep(0.001)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert lane.running == 1
        second = asyncio.ensure_future(lane.run(lambda: "second"))
        await asyncio.sleep(0)
        assert not second.done()
        go.set()
        assert await second == "second"
        lane.close()

    asyncio.run(use())


def test_threads_end_after_the_tasks_submitted_so_far() -> None:
    threads = DaemonThreads(2, "test")
    future = threads.submit(lambda: 3)
    threads.shutdown()
    assert future.result() == 3
