"""Executors by their names in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tetragraph.errors import InvalidInput
from tetragraph.executors.base import LOCAL, NAMES, Executor

if TYPE_CHECKING:
    from tetragraph.settings import Settings


@contextmanager
def open_executor(name: str | None, settings: Settings) -> Iterator[Executor]:
    """The executor with a name, until the end of the block; nothing is started before it is checked.

    Args:
        name: One of ``NAMES``; None for that of the settings.
        settings: Name, address and number of workers.

    Raises:
        InvalidInput: there is no such executor.
    """
    chosen = settings.executor if name is None else name
    if chosen not in NAMES:
        raise InvalidInput(f"the executor must be one of {', '.join(NAMES)}, got {chosen!r}")
    if chosen == LOCAL.name:
        yield LOCAL
        return
    from tetragraph.executors.ray_executor import RayExecutor

    executor = RayExecutor(settings.ray_address, settings.ray_workers)
    try:
        yield executor
    finally:
        executor.close()
