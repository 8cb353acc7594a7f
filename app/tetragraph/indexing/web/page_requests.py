"""Fetches many pages: each host by as many threads as may ask it at once."""

from __future__ import annotations

import itertools
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tetragraph.indexing.web.addresses import site_of
from tetragraph.indexing.web.fetcher import Fetcher, Reply
from tetragraph.progress import Progress

STAGE = "fetching"
_MOST_THREADS = 16


class PageRequests:
    """Requests whose answers go to files.

    Args:
        fetcher: Sends them.
        folder: Folder of the files.
        at_once: Largest number of requests to a host at the same time.
        progress: Receives the number of answers.
    """

    def __init__(self, fetcher: Fetcher, folder: Path, at_once: int, progress: Progress) -> None:
        self._fetcher = fetcher
        self._folder = folder
        self._at_once = at_once
        self._progress = progress
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def fetch(
        self, addresses: Sequence[str], headers: Mapping[str, Mapping[str, str]]
    ) -> dict[str, tuple[Reply, Path]]:
        """The answer of each address, and the file with its body where the status is 200.

        Args:
            addresses: Normalised addresses, each once.
            headers: Further headers by address.
        """
        waiting: dict[str, deque[str]] = defaultdict(deque)
        files = {one: self._folder / str(next(self._numbers)) for one in addresses}
        for one in addresses:
            waiting[site_of(one)].append(one)
        replies: dict[str, Reply] = {}

        def work(queue: deque[str]) -> None:
            while queue and not self._fetcher.stop.is_set():
                try:
                    address = queue.popleft()
                except IndexError:
                    return
                replies[address] = self._fetcher.get(address, files[address], headers.get(address))
                with self._lock:
                    self._progress.advance(STAGE)

        self._run([partial(work, queue) for queue in waiting.values() for _ in range(self._at_once)])
        return {one: (replies[one], files[one]) for one in addresses}

    def _run(self, tasks: Sequence[Callable[[], None]]) -> None:
        with ThreadPoolExecutor(min(_MOST_THREADS, max(1, len(tasks)))) as pool:
            running = [pool.submit(task) for task in tasks]
            try:
                for one in running:
                    one.result()
            finally:  # after an interruption, too; the threads would go on otherwise
                if not all(one.done() for one in running):
                    self._fetcher.stop.set()
