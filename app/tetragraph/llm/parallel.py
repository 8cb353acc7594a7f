"""Work on several items at once, with results in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
_AHEAD = 4
"""Items begun or waiting for each worker; results wait for those before them."""


def ordered(function: Callable[[Given], Made], items: Iterable[Given], workers: int) -> Iterator[Made]:
    """Results in the order of the items; after an error no further item is begun, and those at work are finished."""
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= _AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
