"""Number of usable processors, and work that is shared among them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


_limit: int | None = None


def count_processors() -> int:
    """Number of processors that this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return usable if _limit is None else min(usable, _limit)


def limit_processors(count: int) -> None:
    """Let this process use at most a number of processors, as others share the machine with it."""
    global _limit  # a property of the process
    _limit = count


def map_on_processors(compute: Callable[[ItemT], ResultT], items: Sequence[ItemT]) -> list[ResultT]:
    """Results for all items, in their order, computed by one thread for each processor.

    Args:
        compute: Function that releases the interpreter while it computes, and that threads may share.
        items: Its arguments.
    """
    with ThreadPoolExecutor(count_processors()) as pool:
        return list(pool.map(compute, items))


def map_ahead(work: Callable[[ItemT], ResultT], items: Iterable[ItemT]) -> Iterator[ResultT]:
    """Results for all items, in their order, by one other thread, while this one reads the next item.

    After an error no further item is begun.

    Args:
        work: Function that waits for something else than this process most of the time.
        items: Its arguments, which come one by one.
    """
    begun: Future[ResultT] | None = None
    with ThreadPoolExecutor(1) as pool:
        for item in items:
            if begun:
                yield begun.result()
            begun = pool.submit(work, item)
        if begun:
            yield begun.result()
