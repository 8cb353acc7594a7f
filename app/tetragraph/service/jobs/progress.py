"""Progress of a running job: collected in memory, written by the runner, and the place where a job can be stopped."""

from __future__ import annotations

import threading

from tetragraph.client.remote.jobs import StageForm
from tetragraph.errors import TetragraphError


class JobStopped(TetragraphError):
    """The server stops: the job goes back into the queue, and its next start continues it."""


class JobProgress:
    """Progress of one job; implements ``tetragraph.Progress``. Thread-safe.

    A job is stopped by an error that the next report of progress raises: between two batches, where every change can be
    resumed.
    """

    def __init__(self) -> None:
        self._stages: dict[str, StageForm] = {}
        self._changes = 0
        self._stop: TetragraphError | None = None
        self._lock = threading.Lock()

    def stop(self, error: TetragraphError) -> None:
        """Let the next report of progress raise an error."""
        self._stop = self._stop or error

    @property
    def changes(self) -> int:
        """Number of reports so far."""
        return self._changes

    def stages(self) -> list[StageForm]:
        """The stages so far, in order of their start."""
        with self._lock:
            return list(self._stages.values())

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Start of a stage, or a new total of a running one."""
        known = self._stages.get(stage)
        done = known.done if known and not known.is_finished else 0
        self._set(StageForm(stage=stage, done=done, total=total, unit=unit))

    def advance(self, stage: str, amount: int = 1) -> None:
        """Completion of more units."""
        known = self._stages.get(stage) or StageForm(stage=stage, done=0)
        self._set(known.model_copy(update={"done": known.done + amount}))

    def finish(self, stage: str) -> None:
        """End of a stage."""
        known = self._stages.get(stage) or StageForm(stage=stage, done=0)
        self._set(known.model_copy(update={"is_finished": True}))

    def _set(self, stage: StageForm) -> None:
        with self._lock:
            self._stages[stage.stage] = stage
            self._changes += 1
        if self._stop is not None:
            raise self._stop
