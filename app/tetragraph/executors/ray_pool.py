"""Workers of a Ray cluster as actors, each with its tasks; tasks of an ended worker are given to others.

Ray's own restarts are not used: an actor that is restarted where no processor is free keeps its tasks waiting, while
other workers are idle.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tetragraph.errors import ProcessEnded, WorkersUnavailable
from tetragraph.executors.worker import Worker

START_S = 120.0
"""Seconds within which the first worker must have started."""
ATTEMPTS = 4
"""Number of workers that may end over one task, before the run ends."""
_AT_ONCE = 2
"""Tasks that a worker has: one that it computes, and one whose data reach it meanwhile."""


@dataclass(frozen=True, slots=True)
class Task:
    """A pickled step and item, with the number of its result."""

    number: int
    payload: bytes


@dataclass(slots=True, eq=False)
class _Slot:
    """A worker: its actor, its name once it has described itself, and the tasks that it has, by Ray's reference."""

    actor: Any
    name: str = ""
    tasks: dict[Any, Task] = field(default_factory=dict)


class Pool:
    """Keeps a number of workers, and gives them tasks.

    Args:
        ray: The module.
        count: Number of workers.
        expected: Description of the installation that every worker must have.
        steps: Pickled steps that each worker describes.
        home: Home of the workers; None for that of their machine.
        note: Receives sentences of the report.
    """

    def __init__(
        self,
        ray: Any,
        count: int,
        expected: Mapping[str, str],
        steps: bytes,
        home: str | None,
        note: Callable[[str], None],
    ) -> None:
        self._ray = ray
        self._count = count
        self._expected = expected
        self._steps = steps
        self._home = home
        self._note = note
        self._actor_class = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")(
            Worker
        )
        self._slots: list[_Slot] = []
        self._starting: dict[Any, _Slot] = {}
        self._waiting: deque[Task] = deque()
        self._attempts: dict[int, int] = {}
        self._faults_of_start = 0
        for _ in range(count):
            self._start_worker()

    @property
    def machines(self) -> list[str]:
        """The machine of each worker that has started."""
        return [slot.name.partition(" pid ")[0] for slot in self._slots]

    @property
    def description(self) -> str:
        """The workers, in words."""
        places = len(set(self.machines))
        few = "" if len(self._slots) == self._count else f" of {self._count}; the others had not started in time"
        return f"executor ray: {len(self._slots)} workers on {places} machine{'s' * (places > 1)}{few}"

    @property
    def is_busy(self) -> bool:
        """Whether a task is not complete, or a worker is starting."""
        return bool(self._waiting or self._starting or any(slot.tasks for slot in self._slots))

    def add(self, task: Task) -> None:
        """Accept a task; it is begun when a worker is free."""
        self._waiting.append(task)

    def wait_for_workers(self, timeout_s: float) -> None:
        """Return when all workers have started, or at least one within the time.

        Raises:
            WorkersUnavailable: none has, or one differs from this installation.
        """
        deadline = time.monotonic() + timeout_s
        while self._starting and (left := deadline - time.monotonic()) > 0:
            list(self.advance(min(left, 1.0)))
        if not self._slots:
            raise WorkersUnavailable(
                f"a worker must start within {timeout_s:.0f} s, none did: the cluster needs a free processor for each "
                "(`ray status` shows them), or TETRAGRAPH_RAY_WORKERS fewer"
            )

    def advance(self, wait_s: float) -> Iterator[tuple[Task, bytes]]:
        """Give tasks to free workers, wait for one that completes something, and yield its result.

        Raises:
            ProcessEnded: workers have ended over the same task again and again.
            WorkersUnavailable: a worker that started differs from this installation, or none can start.
        """
        self._assign()
        references = {reference: slot for slot in self._slots for reference in slot.tasks} | self._starting
        done, _ = self._ray.wait(list(references), num_returns=1, timeout=wait_s) if references else ([], [])
        for reference in done:
            slot = references[reference]
            if reference in self._starting:
                self._finish_start(reference)
            elif reference in slot.tasks:
                task = slot.tasks.pop(reference)
                try:
                    result = self._ray.get(reference)
                except self._ray.exceptions.RayTaskError as error:
                    raise ProcessEnded(f"a worker could not compute: {error}") from error
                except self._ray.exceptions.RayError as error:
                    self._replace(slot, task, error)
                else:
                    yield task, result

    def _assign(self) -> None:
        for free in range(_AT_ONCE):
            for slot in self._slots:
                if self._waiting and len(slot.tasks) <= free:
                    task = self._waiting.popleft()
                    slot.tasks[slot.actor.compute.remote(task.payload)] = task

    def _start_worker(self) -> None:
        actor = self._actor_class.remote(1, self._home)
        self._starting[actor.describe.remote(self._steps)] = _Slot(actor)

    def _finish_start(self, reference: Any) -> None:
        slot = self._starting.pop(reference)
        try:
            slot.name, found = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            self._faults_of_start += 1
            if self._slots and self._faults_of_start < ATTEMPTS:
                self._start_worker()
                return
            raise WorkersUnavailable(
                f"a worker must start with the same tetragraph as here, one could not: {error}"
            ) from error
        self._check(slot.name, found)
        self._slots.append(slot)

    def _check(self, name: str, found: Mapping[str, str]) -> None:
        """Refuse a worker that would compute something else."""
        keys = [key for key in {**self._expected, **found} if self._expected.get(key) != found.get(key)]
        if keys:
            pairs = "; ".join(f"{key}: {self._expected.get(key)} here, {found.get(key)} there" for key in keys)
            raise WorkersUnavailable(
                f"workers must compute the same bytes as this process, the one on {name} has another {keys[0]} "
                f"({pairs}): install the same version of tetragraph and its extras there, on the same kind of processor"
            )

    def _replace(self, ended: _Slot, task: Task, error: Exception) -> None:
        """Start another worker in place of one that has ended, and queue its tasks again, in their order."""
        self._attempts[task.number] = self._attempts.get(task.number, 0) + 1
        if self._attempts[task.number] >= ATTEMPTS:
            raise ProcessEnded(
                f"a task must be computed by at most {ATTEMPTS} workers, so many have ended over one, perhaps for lack "
                f"of memory: {error}"
            ) from error
        if ended in self._slots:
            self._slots.remove(ended)
            self._note(f"the worker on {ended.name} ended, and its part was computed by another one")
            self._ray.kill(ended.actor)  # where only the connection to it was lost
            self._start_worker()
        lost = sorted((task, *ended.tasks.values()), key=lambda one: one.number)
        ended.tasks.clear()
        self._waiting.extendleft(reversed(lost))
