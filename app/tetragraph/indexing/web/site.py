"""One host: the pace of the requests to it, and what it allows."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tetragraph.indexing.web.robots import Rules
from tetragraph.model.fetching import FetchOptions

FAILURES_IN_A_ROW = 3
"""Number of requests without an answer after which a host counts as away."""
REFUSALS_IN_A_ROW = 3
"""Number of pages that a busy host refused after all tries, after which it counts as away."""


class Site:
    """A host; shared by the threads that fetch its pages.

    Attributes:
        away: Why nothing more is asked of it in this sync, in words; empty while it is asked.
    """

    def __init__(self, options: FetchOptions, stop: threading.Event) -> None:
        self.away = ""
        self._delay_s = options.delay_s
        self._slots = threading.BoundedSemaphore(options.at_once)
        self._stop = stop
        self._lock = threading.Lock()
        self._free_at = 0.0
        self._failures = 0
        self._refusals = 0
        self._rules: Rules | None = None
        self._first = threading.RLock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until a request may be sent; at most as many as allowed are inside at the same time."""
        with self._slots:
            with self._lock:
                now = time.monotonic()
                begin = max(now, self._free_at)
                self._free_at = begin + self._delay_s
            while not self._stop.is_set() and (left := begin - time.monotonic()) > 0:
                self._stop.wait(left)
            yield

    def pause(self, seconds: float) -> None:
        """Send nothing for some time."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic() + seconds)

    def note_answer(self) -> None:
        """Note that the host answers."""
        self._failures = 0

    def note_failure(self, reason: str) -> None:
        """Note that it did not; after several in a row it counts as away."""
        self._failures += 1
        if self._failures >= FAILURES_IN_A_ROW:
            self.give_up(reason)

    def note_served(self) -> None:
        """Note that a page was answered, and not refused for now."""
        self._refusals = 0

    def note_refused(self, reason: str) -> None:
        """Note that a page was refused for now after all tries; after several in a row the host counts as away."""
        self._refusals += 1
        if self._refusals >= REFUSALS_IN_A_ROW:
            self.give_up(reason)

    def give_up(self, reason: str) -> None:
        """Ask nothing more of it in this sync."""
        self.away = self.away or reason

    @contextmanager
    def first_visit(self) -> Iterator[bool]:
        """Whether the rules of the host are still to be read, by this thread while the others wait."""
        with self._first:
            yield self._rules is None and not self.away

    def set_rules(self, rules: Rules) -> None:
        """Keep the rules of the host, and the pace that they ask for."""
        self._delay_s = max(self._delay_s, rules.delay_s)
        self._rules = rules

    def allows(self, address: str) -> bool:
        """Whether the rules of the host allow to fetch an address."""
        return self._rules is not None and self._rules.allow(address)


def find_private(address: str) -> str:
    """The address in a private network, or of this machine, that the name of a host stands for; empty for none.

    Hosts that are given as numbers, and ``localhost``, are what the user has named, and have none.
    """
    host, port = urlsplit(address).hostname or "", urlsplit(address).port
    if host == "localhost" or host.endswith(".localhost") or _is_number(host):
        return ""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:  # the request reports it; behind a proxy names are not known here
        return ""
    places = [str(one[4][0]).partition("%")[0] for one in found]
    return next((one for one in places if not ipaddress.ip_address(one).is_global), "")


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
