"""Threads that compute requests: few, with a bounded queue in front of them.

More threads than processors make searches slower together, as they share the interpreter's lock. A request that would
wait too long is refused with the time after which it may be repeated.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from tetragraph.errors import ServiceBusy

Result = TypeVar("Result")


class DaemonThreads(Executor):
    """An executor whose threads do not keep the process alive: what runs when it ends can be resumed."""

    def __init__(self, workers: int, name: str) -> None:
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"{name} {number}", daemon=True) for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in one of the threads."""
        future: Future[Any] = Future()
        self._tasks.put((future, lambda: function(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads after the tasks submitted so far."""
        for _ in self._threads:
            self._tasks.put(None)
        if wait and not cancel_futures:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001  # the waiting caller receives it
                future.set_exception(error)


class Lane:
    """A number of threads, and a bounded queue in front of them; used from one event loop.

    A thread takes the next call from the queue itself: it need not wait for the event loop, which has to wait for the
    interpreter while other threads compute.

    Attributes:
        name: Name of the lane, for metrics and messages.
        workers: Number of threads.
    """

    def __init__(self, name: str, workers: int, queue_length: int, queue_s: float) -> None:
        self.name = name
        self.workers = workers
        self._pending = 0
        self._queue_length = queue_length
        self._queue_s = queue_s
        self._threads = DaemonThreads(workers, name)

    @property
    def waiting(self) -> int:
        """Number of calls that wait for a thread."""
        return max(self._pending - self.workers, 0)

    @property
    def running(self) -> int:
        """Number of calls that a thread computes."""
        return min(self._pending, self.workers)

    async def run(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Result:
        """Compute a function in a thread, in the order of the calls.

        A cancelled call returns at once; its thread is free again when the function ends.

        Raises:
            ServiceBusy: the queue is full, or no thread became free in time.
        """
        if self._pending >= self.workers + self._queue_length:
            raise self._refusal("the queue is full")
        loop = asyncio.get_running_loop()
        future = self._threads.submit(function, *args, **kwargs)
        self._pending += 1
        future.add_done_callback(lambda _: _call_soon(loop, self._end))
        timer = loop.call_later(self._queue_s, future.cancel)  # without effect once a thread has begun
        cancels = _count_cancels()
        try:
            result: Result = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if _count_cancels() > cancels:
                raise
            raise self._refusal(f"no thread became free in {self._queue_s:g} s") from None
        finally:
            timer.cancel()
        return result

    def close(self) -> None:
        """End the threads; a running function is not waited for."""
        self._threads.shutdown(wait=False)

    def _refusal(self, reason: str) -> ServiceBusy:
        return ServiceBusy(f"the service has too many requests: {reason}; repeat the request later", 1.0)

    def _end(self) -> None:
        self._pending -= 1


def _count_cancels() -> int:
    """Number of wishes to cancel the current task."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


def _call_soon(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function)
