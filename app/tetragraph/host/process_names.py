"""Names of processes that hold a right in a store, by which another process sees whether they have ended."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from pathlib import Path


def new_process_name() -> str:
    """A name for this process, another one at each call.

    It has the host, the process id, a word for the machine's start and its space of process ids, and a random word.
    """
    return f"{socket.gethostname()} pid {os.getpid()} {_process_space()}-{secrets.token_hex(4)}"


def _process_space() -> str:
    """A word that is the same for processes which see each other's ids; empty where the system names no such thing.

    Containers of the same host name have process ids of their own, and a machine begins with new ones at each start.
    """
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
        place = f"{started.strip()}\n{Path('/proc/self/ns/pid').readlink()}"
        return hashlib.sha256(place.encode()).hexdigest()[:8]
    except OSError:
        return ""


def is_of_this_machine(name: str) -> bool:
    """Whether the name is that of a process of this machine since its start, and of this container."""
    host, found, rest = name.partition(" pid ")
    if not found or host != socket.gethostname():
        return False
    space, _, _ = rest.split()[-1].rpartition("-")
    return space == _process_space()


def is_dead(name: str) -> bool:
    """Whether the name is that of a process of this machine, and of this container, that has ended."""
    if not is_of_this_machine(name):
        return False
    pid = int(name.partition(" pid ")[2].split()[0])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
