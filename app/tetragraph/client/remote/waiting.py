"""Waits for jobs of the service, through interruptions of the connection and of the service."""

from __future__ import annotations

import time
from typing import Any, Final

from tetragraph import errors
from tetragraph.client.remote.jobs import ENDED, JobForm, StageForm
from tetragraph.client.remote.transport import Transport, error_of, parse
from tetragraph.progress import Progress

PATIENCE_S: Final = 120.0
"""Seconds for which a lost service is waited for; the job goes on without its watcher."""
_PAUSE_S: Final = 1.0


def wait_for(transport: Transport, job: JobForm, progress: Progress | None) -> Any:
    """Wait until a job has ended, and return its result as types of JSON.

    Args:
        transport: Connection to the service.
        job: The job.
        progress: Receives its stages.

    Raises:
        TetragraphError: the job failed; the class is that of the local client.
        JobCancelled: it was cancelled.
        ServiceUnavailable: the service was lost for longer than ``PATIENCE_S``; the job goes on, and a note names it.
    """
    relay = _Relay(progress)
    lost_since: float | None = None
    path = f"/v1/corpora/{job.corpus}/jobs/{job.id}"
    while job.status not in ENDED:
        try:
            # without Last-Event-ID, so that the job arrives at once: only an event shows that the service is back
            for event in transport.stream("GET", f"{path}/events"):
                job, lost_since = parse(JobForm, event), None
                relay.show(job.progress)
        except (errors.ServiceUnavailable, errors.ServiceBusy, errors.StoreUnavailable) as error:
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > PATIENCE_S:
                error.add_note(
                    f"the job {job.id} goes on without this call: GET {transport.address}{path} shows how it ends; the "
                    "same call would add another job"
                )
                raise
            time.sleep(_PAUSE_S)
    if job.status == "cancelled":
        raise errors.JobCancelled(f"job {job.id} was cancelled: what it had written stays")
    if job.problem is not None:
        raise error_of(job.problem)
    return job.result


class _Relay:
    """Reports the stages of a job to a receiver of progress."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._shown: dict[str, StageForm] = {}

    def show(self, stages: tuple[StageForm, ...]) -> None:
        """Report what has changed."""
        if self._progress is None:
            return
        for stage in stages:
            known = self._shown.get(stage.stage)
            if known == stage:
                continue
            if known is None or known.total != stage.total or known.is_finished:
                self._progress.start(stage.stage, stage.total, stage.unit)
            done = stage.done - (known.done if known and not known.is_finished else 0)
            if done > 0:
                self._progress.advance(stage.stage, done)
            if stage.is_finished:
                self._progress.finish(stage.stage)
            self._shown[stage.stage] = stage
