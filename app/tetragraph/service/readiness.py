"""Checks of the stores for ``/readyz``, each with a bounded wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from tetragraph.connection import Connection
from tetragraph.errors import StoreUnavailable, TetragraphError
from tetragraph.service.lanes import Lane
from tetragraph.service.metrics import Metrics
from tetragraph.stores import migrations

OK: Final = "ok"


class StoreChecks:
    """Checks whether the stores answer; used from one event loop.

    A check that waits for a store that hangs goes on, and later probes wait for it too: no probe adds another thread.

    Args:
        connection: The stores.
        lane: Threads of the checks.
        metrics: Figures that receive the results.
        wait_s: Seconds after which a check that has not ended counts as failed.
    """

    def __init__(self, connection: Connection, lane: Lane, metrics: Metrics, wait_s: float) -> None:
        self._calls: Final[Mapping[str, Callable[[], object]]] = {
            "neo4j": lambda: connection.graph.read("server/get_server"),
            "schema": lambda: migrations.validate(connection.graph),
            "qdrant": lambda: connection.vectors.server(),
        }
        self._lane = lane
        self._metrics = metrics
        self._wait_s = wait_s
        self._tasks: dict[str, asyncio.Task[str]] = {}

    async def run(self) -> dict[str, str]:
        """``ok`` by the name of each check, or the class of its error; ``StoreUnavailable`` if it has not ended."""
        for name, call in self._calls.items():
            if name not in self._tasks or self._tasks[name].done():
                self._tasks[name] = asyncio.create_task(self._check(call))
        await asyncio.wait(self._tasks.values(), timeout=self._wait_s)
        found = {
            name: task.result() if task.done() else StoreUnavailable.__name__ for name, task in self._tasks.items()
        }
        for name, state in found.items():
            self._metrics.checks.labels(name).set(state == OK)
        return found

    async def _check(self, call: Callable[[], object]) -> str:
        try:
            await self._lane.run(call)
        except TetragraphError as error:
            return type(error).__name__
        return OK
