"""Which two ports the server listens on."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import InvalidInput, PortInUse
from tetragraph.host.file_lock import exclusive

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Ports:
    """One for Bolt, one for HTTP."""

    bolt: int
    http: int


USUAL = Ports(7687, 7474)


@contextmanager
def choosing() -> Iterator[None]:
    """Choose ports and take them alone, among this user's starts on this machine.

    A server takes its ports seconds after they are chosen: another start would choose them too, find the first server
    there, and take it for its own.
    """
    with exclusive(Path(tempfile.gettempdir()) / f"tetragraph-{os.getuid()}-ports.lock"):
        yield


def choose(asked_bolt: int | None, asked_http: int | None, last: Ports = USUAL) -> Ports:
    """The ports asked for, else those of the last start, else the usual ones, else free ones.

    Raises:
        PortInUse: a port that was asked for is taken.
        InvalidInput: the same port was asked for twice.
    """
    if asked_bolt is not None and asked_bolt == asked_http:
        raise InvalidInput(f"Bolt and HTTP need two ports, got {asked_bolt} for both: change one of them")
    bolt = _choose("BOLT", asked_bolt, (last.bolt, USUAL.bolt), not_this=asked_http)
    return Ports(bolt, _choose("HTTP", asked_http, (last.http, USUAL.http), not_this=bolt))


def is_taken(port: int) -> bool:
    """Whether something listens there, on the loopback address or on all addresses."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        if probe.connect_ex((LOOPBACK, port)) == 0:
            return True
    with socket.socket() as probe:
        # As Java does it: a port whose last connections are still closing counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return True
    return False


def free() -> int:
    """A port that nothing listens on."""
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
