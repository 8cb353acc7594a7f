"""Memory that processes of this machine may use."""

from __future__ import annotations

import os
from pathlib import Path

_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files with the limit of a container in bytes, or ``max`` without one: of version 2 and of version 1."""


def usable_memory_mb() -> int:
    """Memory of the machine, or of its container where that is less, in MB; 0 where the system does not say."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # of systems without sysconf, or without these names
        return 0
    return min([machine, *_container_limits()]) // 2**20


def _container_limits() -> list[int]:
    found = []
    for file in _LIMITS:
        try:
            found.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return found
