"""One payer for a call that several threads want at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tetragraph.errors import DeadlineExceeded


class SingleFlight:
    """Keys of the calls that are under way in this process."""

    def __init__(self) -> None:
        self._held: set[str] = set()
        self._changed = threading.Condition()

    @contextmanager
    def claimed(self, key: str, deadline: float | None) -> Iterator[None]:
        """Wait until nobody else holds the key, and hold it.

        Whoever waited looks for the reply again: where the other failed there is none, and this thread asks itself.

        Raises:
            DeadlineExceeded: another held it until then.
        """
        with self._changed:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not self._changed.wait_for(lambda: key not in self._held, left):
                raise DeadlineExceeded("the deadline passed while another thread was asking for the same reply")
            self._held.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(key)
                self._changed.notify_all()
