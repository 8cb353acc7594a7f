"""Work on several items at once, with results in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
_AHEAD = 4
"""Items begun or waiting for each worker; results wait for those before them."""


def ordered(function: Callable[[Given], Made], items: Iterable[Given], workers: int) -> Generator[Made]:
    """Results in the order of the items, several at work at once.

    After an error no further item is begun; those at work are finished, results before the error are handed out, and
    the error of the first item that has one is raised. Who stops early waits for those at work.
    """
    failed: list[int] = []

    def work(number: int, item: Given) -> Made:
        if any(before < number for before in failed):
            raise CancelledError
        try:
            return function(item)
        except BaseException:
            failed.append(number)
            raise

    waiting: deque[Future[Made]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="tetragraph-llm")
    try:
        for number, item in enumerate(items):
            if failed:
                break
            waiting.append(pool.submit(work, number, item))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
