"""Chooses the two ports of the server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import InvalidInput, PortInUse
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import create_private

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports of a server: one for Bolt, one for HTTP."""

    bolt: int
    http: int


USUAL = Ports(7687, 7474)


@contextmanager
def choosing(folder: Path) -> Iterator[None]:
    """Hold the lock for choosing ports, among all starts with the same ``folder``; it is created if missing.

    A server opens its ports seconds after they are chosen. A second start in between would choose the same ports, fail
    to open them, and have to start again on others. As the lock only saves that time, a start whose folder cannot be
    written or locked does without it.
    """
    with ExitStack() as held:
        with suppress(OSError):
            create_private(folder)
            held.enter_context(exclusive(folder / "ports.lock"))
        yield


def choose(asked_bolt: int | None, asked_http: int | None, last: Ports = USUAL) -> Ports:
    """The requested ports, otherwise those of the last start, otherwise the usual ones, otherwise free ones.

    Raises:
        PortInUse: a requested port is in use.
        InvalidInput: the same port was requested twice.
    """
    if asked_bolt is not None and asked_bolt == asked_http:
        raise InvalidInput(f"Bolt and HTTP need two ports, got {asked_bolt} for both: change one of them")
    bolt = _choose("BOLT", asked_bolt, (last.bolt, USUAL.bolt), not_this=asked_http)
    return Ports(bolt, _choose("HTTP", asked_http, (last.http, USUAL.http), not_this=bolt))


def is_taken(port: int) -> bool:
    """Whether a process listens on the port, on the loopback address or on all addresses."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        if probe.connect_ex((LOOPBACK, port)) == 0:
            return True
    with socket.socket() as probe:
        # As in Java, a port whose last connections are still closing counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return True
    return False


def free() -> int:
    """A port that no process listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _choose(name: str, asked: int | None, liked: tuple[int, ...], not_this: int | None) -> int:
    if asked is not None:
        if is_taken(asked):
            raise PortInUse(
                f"TETRAGRAPH_{name}_PORT asks for port {asked}, which is taken: "
                "stop what listens there, or leave the setting out for a free port"
            )
        return asked
    for port in liked:
        if port != not_this and not is_taken(port):
            return port
    return free()
