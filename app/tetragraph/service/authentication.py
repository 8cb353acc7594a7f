"""Recognises the caller of a request by its key, and remembers it for a few seconds."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from tetragraph.errors import AccessDenied, TetragraphError
from tetragraph.service.keys import LOCAL, Caller, KeyStore, hash_of

logger = logging.getLogger("tetragraph")
REMEMBERED_S = 5.0
"""Seconds for which a recognised key is not looked up again, and after which a revoked one is refused at the latest."""
USE_NOTED_S = 60.0
"""Seconds between two writes of the last use of a key."""
MOST_REMEMBERED = 10_000


@dataclass(slots=True)
class _Known:
    caller: Caller
    until: float


class Authenticator:
    """Finds the caller of a key; thread-safe.

    A service that has no key, valid or not, accepts every caller as a local one; it must listen on the loopback
    interface only. The first key that is created ends this within seconds. Neither expiry nor revocation brings it
    back, as a proxy could make the service reachable for others; only the deletion of all keys does.

    Args:
        keys: Stored keys.
        is_open: Whether callers without a key are accepted while there is no key, valid or not.
        clock: Seconds that only rise.
    """

    def __init__(self, keys: KeyStore, *, is_open: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._is_open = is_open
        self._clock = clock
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._noted: dict[str, float] = {}
        self._has_keys: tuple[bool, float] = (False, float("-inf"))
        self._lock = threading.Lock()

    def recall(self, key: str | None) -> Caller | None:
        """The caller of a key that was recognised within the last seconds; None where :meth:`recognise` must look."""
        now = self._clock()
        with self._lock:
            if key is None:
                has_keys, until = self._has_keys
                return LOCAL if self._is_open and not has_keys and now < until else None
            known = self._known.get(hash_of(key))
            return known.caller if known is not None and now < known.until else None

    def recognise(self, key: str | None) -> Caller:
        """The caller of a key; reads the database.

        Raises:
            AccessDenied: the key is missing or not valid.
            StoreUnavailable: the database does not answer.
        """
        if key is None:
            return self._accept_without_key()
        caller, left_s = self._keys.authenticate(key)
        now = self._clock()
        with self._lock:
            self._known[hash_of(key)] = _Known(caller, now + min(REMEMBERED_S, left_s or REMEMBERED_S))
            self._known.move_to_end(hash_of(key))
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
            is_due = now - self._noted.get(caller.id, float("-inf")) >= USE_NOTED_S
            if is_due:
                self._noted[caller.id] = now
        if is_due:
            self._note_use(caller)
        return caller

    def forget(self) -> None:
        """Look every key up again: one was created or revoked by this server."""
        with self._lock:
            self._known.clear()
            self._has_keys = (False, float("-inf"))

    def _accept_without_key(self) -> Caller:
        if self._is_open:
            has_keys = self._keys.has_any()
            with self._lock:
                self._has_keys = (has_keys, self._clock() + REMEMBERED_S)
            if not has_keys:
                return LOCAL
        raise AccessDenied("the request has no key: send the header `Authorization: Bearer <key>`")

    def _note_use(self, caller: Caller) -> None:
        try:
            self._keys.note_use(caller.id)
        except TetragraphError as error:
            logger.warning("the use of key %s was not noted: %s", caller.id, error)
