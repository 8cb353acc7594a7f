"""Limits of one caller: requests a second, and requests at the same time; and of one address: keys not valid."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from tetragraph.errors import AccessDenied
from tetragraph.service import problems

BURST_S = 2.0
"""Seconds of requests that may come at once."""
MOST_CALLERS = 10_000


@dataclass(slots=True)
class _Account:
    tokens: float
    filled: float
    running: int = 0


class CallerLimits:
    """A token bucket for each caller and address, and a count of running requests; used from one event loop.

    Args:
        rate: Requests of a caller, and keys of an address that are not valid, a second on average; 0 for no limit.
        concurrency: Requests at the same time.
        clock: Seconds that only rise.
    """

    def __init__(self, rate: float, concurrency: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._concurrency = concurrency
        self._clock = clock
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    @contextmanager
    def request(self, caller: str) -> Iterator[None]:
        """Count one request of a caller while it runs.

        Raises:
            ServiceBusy: the caller has too many requests; with the seconds to wait.
        """
        account = self._account(f"key {caller}")
        self._check_rate(account, f"this key may send {self._rate:g} requests a second on average")
        account.tokens -= 1
        if account.running >= self._concurrency:
            raise problems.too_many(f"this key has {self._concurrency} requests in progress, which is its limit", 1.0)
        account.running += 1
        try:
            yield
        finally:
            account.running -= 1

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        """Let an address try a key; one that is not valid counts.

        Raises:
            ServiceBusy: the address has sent too many keys that are not valid; with the seconds to wait.
            AccessDenied: the key is not valid.
        """
        account = self._account(f"address {address}")
        self._check_rate(account, f"this address may send {self._rate:g} keys that are not valid a second on average")
        try:
            yield
        except AccessDenied:
            account.tokens = max(0.0, account.tokens - 1)  # several that were tried at once lock nobody out for longer
            raise

    def _check_rate(self, account: _Account, rule: str) -> None:
        if not self._rate:
            return
        most = max(1.0, self._rate * BURST_S)
        now = self._clock()
        account.tokens = min(most, account.tokens + (now - account.filled) * self._rate)
        account.filled = now
        if account.tokens < 1:
            wait_s = (1 - account.tokens) / self._rate
            raise problems.too_many(rule, wait_s)

    def _account(self, caller: str) -> _Account:
        if caller not in self._accounts:
            self._forget_idle()
            self._accounts[caller] = _Account(max(1.0, self._rate * BURST_S), self._clock())
        self._accounts.move_to_end(caller)
        return self._accounts[caller]

    def _forget_idle(self) -> None:
        """Make room for one account: those that run nothing go, the least recently used first."""
        excess = len(self._accounts) - MOST_CALLERS + 1
        idle = (name for name, account in self._accounts.items() if not account.running)
        for name in list(islice(idle, max(0, excess))):
            del self._accounts[name]
