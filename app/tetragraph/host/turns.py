"""A limited number of threads at a time, in the order in which they asked."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tetragraph.host.processors import count_processors


class Turns:
    """Lets a number of threads compute at a time, and others wait in the order of their coming; thread-safe.

    More threads than processors that compute in Python are slower together: they share the lock of the interpreter,
    and each hands it over while others still need it.

    Args:
        count: Number of threads that compute at a time.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()
        self._own = threading.local()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and keep it for a block; a thread that already has one goes on at once."""
        if getattr(self._own, "has_turn", False):
            yield
            return
        self._enter()
        with self._keep():
            yield

    @contextmanager
    def take_if_free(self) -> Iterator[bool]:
        """Keep a turn for a block if one is free now; yields whether the thread has one."""
        if getattr(self._own, "has_turn", False):
            yield True
            return
        with self._lock:
            is_free = self._free > 0
            self._free -= is_free
        if not is_free:
            yield False
            return
        with self._keep():
            yield True

    @property
    def waiting(self) -> int:
        """Number of threads that wait."""
        return len(self._waiting)

    @property
    def has_free(self) -> bool:
        """Whether another thread could compute at once."""
        return self._free > 0

    @contextmanager
    def _keep(self) -> Iterator[None]:
        self._own.has_turn = True
        try:
            yield
        finally:
            self._own.has_turn = False
            self._leave()

    def _enter(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        try:
            called.acquire()
        except BaseException:  # such as KeyboardInterrupt
            self._give_up(called)
            raise

    def _give_up(self, called: threading.Lock) -> None:
        """Leave the queue; a turn that was given meanwhile goes to the next thread."""
        with self._lock:
            if called in self._waiting:
                self._waiting.remove(called)
                return
        self._leave()

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


COMPUTING: Final = Turns(count_processors())
"""Turns of this process for questions that are computed in memory: as many as processors. Who waits for a store or a
model on another machine takes none."""
