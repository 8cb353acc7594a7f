"""Vectors of questions and of parts of questions, each computed once, on idle processors ahead of their use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeAlias

from tetragraph.arrays import Vectors
from tetragraph.host.processors import count_processors
from tetragraph.host.recent_values import RecentValues
from tetragraph.host.turns import COMPUTING, Turns
from tetragraph.language.embedders.base import Embedder

_Key: TypeAlias = tuple[str, str]


class QuestionVectors:
    """The vectors of the texts that were embedded last, by embedder and text; thread-safe.

    Args:
        embedder: Returns the embedder of a name.
        most: Largest number of vectors that are kept.
        turns: Turns of the threads that compute.
    """

    def __init__(self, embedder: Callable[[str], Embedder], most: int, turns: Turns = COMPUTING) -> None:
        self._embedder = embedder
        self._turns = turns
        self._kept = RecentValues[_Key, Vectors](most)
        self._wanted: dict[_Key, None] = {}
        self._computing: dict[_Key, Future[Vectors]] = {}
        self._at_work = 0
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(count_processors(), thread_name_prefix="embedding")

    def get(self, embedder: str, text: str) -> Vectors:
        """``(dimension,)`` vector of a text; see :meth:`Embedder.embed_question`."""
        key = (embedder, text)
        with self._lock:
            computing = self._computing.get(key)
            self._wanted.pop(key, None)
        if computing:
            return computing.result().copy()
        vector = self._kept.get(key)
        return (self._compute(key) if vector is None else vector).copy()

    def begin(self, embedder: str, texts: Sequence[str]) -> None:
        """Compute the vectors of texts in another thread, if a processor is idle or such a thread is at work.

        What is not computed when it is needed is computed by the thread that needs it.
        """
        keys = [key for text in texts if self._kept.get(key := (embedder, text)) is None]
        has_free = self._turns.has_free
        with self._lock:
            if not keys or not (has_free or self._at_work):
                return
            self._wanted.update((key, None) for key in keys if key not in self._computing)
        if has_free:
            self._threads.submit(self._compute_wanted)

    def _compute(self, key: _Key) -> Vectors:
        embedder, text = key
        vector = self._embedder(embedder).embed_question(text)
        self._kept.put(key, vector)
        return vector

    def _compute_wanted(self) -> None:
        # A thread that waits for a vector may have the last turn: only what has one may be waited for.
        with self._turns.take_if_free() as has_turn:
            if not has_turn:
                return
            with self._lock:
                self._at_work += 1
            while claimed := self._claim():
                key, vector = claimed
                try:
                    vector.set_result(self._compute(key))
                except BaseException as error:  # noqa: BLE001  # for whoever waits for it
                    vector.set_exception(error)
                finally:
                    with self._lock:
                        del self._computing[key]

    def _claim(self) -> tuple[_Key, Future[Vectors]] | None:
        """The text that has been wanted for longest, with its vector to be; none ends the work."""
        with self._lock:
            if not self._wanted:
                self._at_work -= 1
                return None
            key = next(iter(self._wanted))
            del self._wanted[key]
            return key, self._computing.setdefault(key, Future())
