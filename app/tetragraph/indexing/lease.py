"""The exclusive right to change a corpus: one process at a time, over all machines."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from tetragraph.errors import CorpusBusy, StoreError
from tetragraph.host.process_names import is_dead, new_process_name
from tetragraph.stores.graph import Graph

LEASE_S = 60.0
"""Seconds after which a lease that was not renewed is lost."""
RENEWAL_S = 15.0
"""Seconds between two renewals; after twice as many without one a change looks first whether the lease holds."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a lease.

    Attributes:
        name: Name of the process, see :mod:`tetragraph.host.process_names`.
        age_s: Seconds since the last renewal.
        is_alive: Whether the lease is valid: it was renewed in time, and its holder is not an ended process of this
            machine.
    """

    name: str
    age_s: float
    is_alive: bool


def find_holder(graph: Graph, corpus: str) -> Holder | None:
    """The holder of the lease of a corpus, alive or ended without releasing it; None without a holder."""
    held = graph.get("ingest/get_lease", corpus=corpus) or {}
    name = held.get("holder") or ""
    if not name:
        return None
    age_s = held["age_ms"] / 1000
    return Holder(name, age_s, is_alive=age_s <= LEASE_S and not is_dead(name))


class Lease:
    """The exclusive right to change one corpus, acquired just before the first change is written.

    A thread renews it until the end of the context manager, which releases it.
    """

    def __init__(self, graph: Graph, corpus: str) -> None:
        self._graph = graph
        self._corpus = corpus
        self._holder = new_process_name()
        self._lost = ""
        self._renewed = 0.0
        self._done = threading.Event()
        self._renewal: threading.Thread | None = None
        self._before_first: list[Callable[[], None]] = []
        self._holding = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._renewal is not None:
            self._renewal.join()
            if not self._lost:
                self._graph.write("ingest/drop_lease", corpus=self._corpus, holder=self._holder)

    def call_before_first_change(self, look: Callable[[], None]) -> None:
        """Call a function when the lease is acquired: the corpus cannot change then, and has not been changed yet."""
        self._before_first.append(look)

    def hold(self) -> None:
        """Acquire the lease on the first call, and check on later ones that it still holds; called before every change.

        A lease whose holder is an ended process of this machine is taken over at once. Threads of a change may call it.

        Raises:
            CorpusBusy: another process holds the lease, or has acquired it meanwhile.
        """
        with self._holding:
            if self._renewal is not None and time.monotonic() - self._renewed > 2 * RENEWAL_S:
                self._renew_now()  # the process or its machine was stopped for a while
            if self._lost:
                raise CorpusBusy(
                    f"the right to change corpus {self._corpus!r} was lost ({self._lost}): run this again, "
                    f"it goes on where it stopped"
                )
            if self._renewal is None:
                self._acquire()
                self._renewal = threading.Thread(target=self._renew, name=f"lease of {self._corpus}", daemon=True)
                self._renewal.start()
                for look in self._before_first:
                    look()

    def _acquire(self) -> None:
        held = find_holder(self._graph, self._corpus)
        if not self._request(expected=held.name if held and is_dead(held.name) else ""):
            taken = find_holder(self._graph, self._corpus)  # perhaps by another one meanwhile
            who = f"{taken.name}, heard of {taken.age_s:.0f} s ago" if taken else "another process"
            raise CorpusBusy(
                f"corpus {self._corpus!r} is being changed by {who}: wait until it has finished; a dead one loses its "
                f"right after {LEASE_S:.0f} s of silence"
            )

    def _request(self, expected: str) -> bool:
        asked = time.monotonic()
        rows = self._graph.write(
            "ingest/upsert_lease",
            corpus=self._corpus,
            holder=self._holder,
            expected=expected,
            lease_ms=int(LEASE_S * 1000),
        )
        if rows:
            self._renewed = asked
        return bool(rows)

    def _renew(self) -> None:
        while not self._lost and not self._done.wait(RENEWAL_S):
            self._renew_now()

    def _renew_now(self) -> None:
        try:
            if not self._request(expected=self._holder):
                self._lost = "another process took it"
        except StoreError as error:
            self._lost = str(error)
