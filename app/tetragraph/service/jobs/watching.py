"""Reads a job once for all streams that watch it."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from tetragraph.service.jobs.store import JobRecord, JobStore
from tetragraph.service.lanes import Lane

FRESH_S: Final = 0.25
"""Seconds for which a job that was read is not read again."""
MOST_KNOWN: Final = 1_000


class WatchedJobs:
    """The jobs that streams watch; used from one event loop.

    Args:
        store: Stored jobs.
        lane: Threads that read them.
    """

    def __init__(self, store: JobStore, lane: Lane) -> None:
        self._store = store
        self._lane = lane
        self._known: dict[tuple[str, str], tuple[float, asyncio.Future[JobRecord]]] = {}

    async def get(self, corpus: str, job: str) -> JobRecord:
        """A job as it was at most ``FRESH_S`` seconds ago.

        Raises:
            UnknownJob: the corpus has no such job.
        """
        key, now = (corpus, job), time.monotonic()
        read = self._known.get(key)
        if read is None or now - read[0] >= FRESH_S:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            read = now, asyncio.ensure_future(self._lane.run(self._store.get, corpus, job))
            self._known[key] = read
        return await asyncio.shield(read[1])
