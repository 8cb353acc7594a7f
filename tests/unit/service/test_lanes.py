"""Threads with a bounded queue: what waits, what is refused, and when a thread is free again."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest

from tetragraph.errors import ServiceBusy
from tetragraph.service.lanes import DaemonThreads, Lane

BRIEF_S = 0.3
"""Longest wait of a call that is to be refused; enough for a free thread to begin with another one."""


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
        lane, go = Lane("test", 1, 1, BRIEF_S), threading.Event()
        first = asyncio.ensure_future(lane.run(go.wait))
        await asyncio.sleep(0)
        with pytest.raises(ServiceBusy, match="no thread became free") as told:
            await lane.run(lambda: None)
        assert told.value.retry_after_s > 0
        go.set()
        await first
        lane.close()

    asyncio.run(use())


def test_waiting_calls_are_computed_in_their_order_without_the_event_loop() -> None:
    async def use() -> list[int]:
        lane, go, last = Lane("test", 1, 8, 30.0), threading.Event(), threading.Event()
        done: list[int] = []
        calls: list[Callable[[], object]] = [go.wait, *(partial(done.append, number) for number in range(4)), last.set]
        waiting = [asyncio.ensure_future(lane.run(call)) for call in calls]
        await asyncio.sleep(0)
        assert (lane.running, lane.waiting) == (1, 5)
        go.set()
        assert last.wait(30)  # which holds up the event loop
        await asyncio.gather(*waiting)
        await asyncio.sleep(0)
        assert (lane.running, lane.waiting) == (0, 0)
        lane.close()
        return done

    assert asyncio.run(use()) == [0, 1, 2, 3]


@pytest.mark.parametrize("is_cancelled", [True, False], ids=["cancelled", "waited too long"])
def test_a_call_that_has_left_the_queue_is_not_computed(is_cancelled: bool) -> None:
    async def use() -> list[int]:
        lane, go = Lane("test", 1, 1, 30.0 if is_cancelled else BRIEF_S), threading.Event()
        done: list[int] = []
        first = asyncio.ensure_future(lane.run(go.wait))
        second = asyncio.ensure_future(lane.run(done.append, 2))
        await asyncio.sleep(0)
        if is_cancelled:
            second.cancel()
        with pytest.raises(asyncio.CancelledError if is_cancelled else ServiceBusy):
            await second
        await asyncio.sleep(0)
        assert (lane.running, lane.waiting) == (1, 0)
        go.set()
        await first
        await lane.run(done.append, 3)
        lane.close()
        return done

    assert asyncio.run(use()) == [3]


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
