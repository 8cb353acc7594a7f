"""The right to change a corpus: one process at a time, wherever it runs."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from dataclasses import dataclass
from typing import Self

from tetragraph.errors import CorpusBusy, StoreError
from tetragraph.stores.graph import Graph

LEASE_S = 60.0
"""A holder that was not heard of for so long has lost its right."""
RENEWAL_S = 15.0


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has the right to change a corpus.

    Attributes:
        name: Host, process and a random word.
        age_s: Seconds since it was heard of.
        is_alive: Whether it still has the right: it was heard of, and is no process of this machine that has ended.
    """

    name: str
    age_s: float
    is_alive: bool


def find_holder(graph: Graph, corpus: str) -> Holder | None:
    """Holder of the lease of a corpus, alive or ended without releasing it; None without one."""
    held = graph.get("ingest/get_lease", corpus=corpus) or {}
    name = held.get("holder") or ""
    if not name:
        return None
    age_s = held["age_ms"] / 1000
    return Holder(name, age_s, is_alive=age_s <= LEASE_S and not _is_dead(name))


class Lease:
    """The right to change one corpus, taken when the first change is about to be written.

    A thread renews it while the work runs. Use it as a context manager: it is given back at the end.
    """

    def __init__(self, graph: Graph, corpus: str) -> None:
        self._graph = graph
        self._corpus = corpus
        self._holder = f"{socket.gethostname()} pid {os.getpid()} {secrets.token_hex(4)}"
        self._lost = ""
        self._done = threading.Event()
        self._renewal: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._renewal is not None:
            self._renewal.join()
            if not self._lost:
                self._graph.write("ingest/drop_lease", corpus=self._corpus, holder=self._holder)

    def hold(self) -> None:
        """Take the lease if this is the first time, and make sure that it is still ours: called before every change.

        A lease whose holder was a process of this machine that has ended is taken over at once.

        Raises:
            CorpusBusy: another process holds it, or has taken it meanwhile.
        """
        if self._lost:
            raise CorpusBusy(
                f"the right to change corpus {self._corpus!r} was lost ({self._lost}): run this again, "
                f"it goes on where it stopped"
            )
        if self._renewal is None:
            self._take()
            self._renewal = threading.Thread(target=self._renew, name=f"lease of {self._corpus}", daemon=True)
            self._renewal.start()

    def _take(self) -> None:
        held = self._graph.get("ingest/get_lease", corpus=self._corpus) or {}
        holder = held.get("holder") or ""
        if not self._ask(expected=holder if _is_dead(holder) else ""):
            age_s = held.get("age_ms", 0) / 1000
            raise CorpusBusy(
                f"corpus {self._corpus!r} is being changed by {holder or 'another process'}, heard of {age_s:.0f} s "
                f"ago: wait until it has finished; a dead one loses its right after {LEASE_S:.0f} s of silence"
            )

    def _ask(self, expected: str) -> bool:
        return bool(
            self._graph.write(
                "ingest/upsert_lease",
                corpus=self._corpus,
                holder=self._holder,
                expected=expected,
                lease_ms=int(LEASE_S * 1000),
            )
        )

    def _renew(self) -> None:
        while not self._done.wait(RENEWAL_S):
            try:
                if not self._ask(expected=self._holder):
                    self._lost = "another process took it"
            except StoreError as error:
                self._lost = str(error)
            if self._lost:
                return


def _is_dead(holder: str) -> bool:
    """Whether the holder was a process of this machine that has ended."""
    host, found, rest = holder.partition(" pid ")
    if not found or host != socket.gethostname():
        return False
    pid = int(rest.split()[0])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
