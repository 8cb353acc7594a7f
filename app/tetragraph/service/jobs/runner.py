"""Runs jobs in a thread of the server: one at a time, those of a corpus in the order of their creation.

Corpora take turns, so that many jobs of one do not keep those of the others waiting.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final

from tetragraph.client.remote.jobs import StageForm, Status
from tetragraph.client.tetragraph import Tetragraph
from tetragraph.errors import (
    CorpusBusy,
    EmbedderUnavailable,
    JobCancelled,
    ProcessEnded,
    ServiceError,
    StoreError,
    StoreUnavailable,
    TetragraphError,
    WorkersUnavailable,
)
from tetragraph.host.process_names import new_process_name
from tetragraph.service import problems
from tetragraph.service.jobs.progress import JobProgress, JobStopped
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord, JobStore
from tetragraph.service.jobs.work import Work
from tetragraph.service.metrics import Metrics

logger = logging.getLogger("tetragraph")
LOOK_S: Final = 2.0
"""Seconds between two looks for jobs of other servers; those of this one are started at once."""
WRITE_S: Final = 0.4
"""Seconds between two writes of the progress of a job."""
RENEW_S: Final = 1.0
"""Seconds after which the claim of a silent job is renewed, and a wish to cancel it is noticed."""
AGAIN_S: Final = 3.0
"""Seconds before a job is tried again that another change or a lost store kept from running."""
ATTEMPTS: Final = 20
"""Number of starts after which a job that a lost store interrupts fails."""
ABANDONED: Final = 5
"""Number of starts after which a job fails whose server has ended once more: it may be what ends them."""
UNUSED_S: Final = 300.0
"""Age in seconds from which documents without a job are deleted: a request stores them before it adds the job."""
_TRANSIENT: Final = (StoreUnavailable, EmbedderUnavailable, ProcessEnded, WorkersUnavailable)
_SPOOLED: Final = ("ingest",)


class JobRunner:
    """Claims and runs the jobs of a database until it is stopped."""

    def __init__(self, client: Tetragraph, spool: Spool, metrics: Metrics) -> None:
        self.store = JobStore(client.connection.graph)
        self._client = client
        self._spool = spool
        self._metrics = metrics
        self._holder = new_process_name()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._progress: JobProgress | None = None
        self._not_before: dict[tuple[str, str], float] = {}
        self._threads = [
            threading.Thread(target=self._run, name="jobs", daemon=True),
            threading.Thread(target=self._write_progress, name="progress of jobs", daemon=True),
        ]
        self._running: tuple[str, str] | None = None
        self._elsewhere: set[tuple[str, str]] = set()
        self._awaited: frozenset[tuple[str, str]] = frozenset()
        self._turn = count(1)
        self._turns: dict[str, int] = {}  # of corpora without jobs, too: one that sends the next later keeps its turn

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Look for jobs now: one was added."""
        self._wake.set()

    def cancel(self, corpus: str, job: str) -> JobRecord:
        """Cancel a job that has not ended, and return it; documents of one that waited are deleted.

        Raises:
            UnknownJob: the corpus has no such job.
        """
        record = self.store.cancel(corpus, job)
        if record.has_ended:
            self._spool.remove(job, record.content)
        return record

    def stop(self) -> None:
        """Let a running job return to the queue at its next report of progress; returns at once."""
        self._stopping.set()
        self._wake.set()
        if self._progress is not None:
            self._progress.stop(JobStopped("the server stops"))

    def join(self, timeout_s: float) -> bool:
        """Wait for the running job; returns whether it has returned to the queue. Otherwise another server takes it."""
        self._threads[0].join(timeout_s)
        return not self.is_running

    @property
    def is_running(self) -> bool:
        """Whether the thread that runs jobs is alive."""
        return self._threads[0].is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                has_run = self._run_next()
            except StoreError as error:
                logger.warning("jobs cannot be read: %s", error)
                has_run = False
            except Exception:  # whatever one job causes, the others must run
                logger.exception("jobs cannot be run, and are tried again")
                has_run = False
            if not has_run:
                self._wake.wait(LOOK_S)

    def _clean(self, spooled: Sequence[tuple[str, str]], needed: frozenset[tuple[str, str]]) -> None:
        """Delete documents of jobs that have ended, were dropped with their corpus, or were never added."""
        for job in spooled:
            if job not in needed and (job in self._awaited or self._spool.age_s(*job) > UNUSED_S):
                self._spool.remove(*job)
        self._awaited = needed.intersection(spooled)

    def _run_next(self) -> bool:
        """Run the first unfinished job of a corpus where it can be run; returns whether there was one.

        The corpus is the one whose last turn here is longest ago, the oldest job first among those without a turn.
        """
        spooled = self._spool.jobs()  # before the queue is read: a request stores its documents first
        queue = self.store.unfinished()
        self._clean(spooled, queue.documents)
        first: dict[str, JobRecord] = {}
        for record in queue.records:
            first.setdefault(record.form.corpus, record)
        for corpus, record in sorted(first.items(), key=lambda one: self._turns.get(one[0], 0)):
            if self._can_run(record) and (attempts := self.store.claim(record, self._holder)):
                self._turns[corpus] = next(self._turn)
                if record.is_abandoned and attempts > ABANDONED:
                    self._end(record, "failed", problem=_given_up(attempts - 1))
                else:
                    self._run_job(record, attempts)
                return True
        return False

    def _can_run(self, record: JobRecord) -> bool:
        if record.form.status == "running" and not record.is_abandoned:
            return False
        if time.monotonic() < self._not_before.get(record.key, 0):
            return False
        return record.form.kind not in _SPOOLED or self._has_documents(record)

    def _has_documents(self, record: JobRecord) -> bool:
        """Whether this server has the documents of a job, or knows that they are lost: the job is to fail then."""
        job = record.form.id
        if self._spool.has(job, record.content):
            return True
        if self._spool.has_lost(job, record.content, receiver=record.receiver, spool=record.spool):
            return True
        if record.key not in self._elsewhere:
            self._elsewhere.add(record.key)
            logger.warning(
                "job %s of corpus %s, and those behind it, wait for the server that has its documents in %s: %s",
                job,
                record.form.corpus,
                record.spool or "its spool",
                record.receiver or "unknown",
            )
        return False

    def _run_job(self, record: JobRecord, attempts: int) -> None:
        progress = JobProgress()
        self._progress, self._running = progress, record.key
        if self._stopping.is_set():
            progress.stop(JobStopped("the server stops"))
        began = time.perf_counter()
        try:
            whole = self.store.get(*record.key)
            work = Work(self._client, self._spool, whole, progress, is_repeated=attempts > 1)
            result, seconds = work.run()
        except TetragraphError as error:
            self._end_with(record, attempts, error)
        except Exception as error:  # a job of any fault must end, and the runner must go on
            logger.exception("job %s failed", record.form.id)
            self._end(record, "failed", problem=TetragraphError(f"the service failed: {type(error).__name__}"))
        else:
            self._observe(seconds)
            self._end(record, "done", result=result)
        finally:
            self._progress = self._running = None
            logger.info("job %s of %s took %.1f s", record.form.id, record.form.kind, time.perf_counter() - began)

    def _end_with(self, record: JobRecord, attempts: int, error: TetragraphError) -> None:
        if isinstance(error, JobCancelled):
            self._end(record, "cancelled")
        elif isinstance(error, JobStopped):
            self._end(record, "queued")
        elif (is_busy := isinstance(error, CorpusBusy)) or (isinstance(error, _TRANSIENT) and attempts < ATTEMPTS):
            logger.warning("job %s is tried again: %s", record.form.id, error)
            self._not_before[record.key] = time.monotonic() + AGAIN_S
            self._end(record, "queued", has_begun=not is_busy or self._may_have_decided(record))
        else:
            logger.warning("job %s failed: %s: %s", record.form.id, type(error).__name__, error)
            self._end(record, "failed", problem=error)

    def _end(
        self,
        record: JobRecord,
        status: Status,
        *,
        result: str | None = None,
        problem: TetragraphError | None = None,
        has_begun: bool = True,
    ) -> None:
        """Store the end of a job; repeated until the database answers, or the server stops."""
        told = (
            None
            if problem is None
            else problems.problem_of(problems.public(problem, record.form.corpus)).model_dump_json()
        )
        while True:
            try:
                self.store.note(record.key, self._holder, self._stages(), is_new=False)
                self.store.end(record.key, self._holder, status, result=result, problem=told, has_begun=has_begun)
                break
            except StoreError as error:
                logger.warning("the end of job %s is not stored yet: %s", record.form.id, error)
                if self._stopping.wait(AGAIN_S):
                    return
        if status != "queued":
            self._metrics.jobs.labels(record.form.kind, status).inc()
            self._not_before.pop(record.key, None)
            self._spool.remove(record.form.id, record.content)
            try:
                self.store.prune()
            except StoreError as error:
                logger.warning("old jobs are not deleted: %s", error)

    def _may_have_decided(self, record: JobRecord) -> bool:
        """Whether a change of names may have written its decision: a lease can be lost afterwards."""
        has_progress = self._progress is not None and self._progress.changes > 0
        return has_progress and record.form.kind in ("split", "join")

    def _stages(self) -> list[StageForm]:
        return self._progress.stages() if self._progress is not None else []

    def _observe(self, seconds: Mapping[str, float]) -> None:
        for stage, value in seconds.items():
            self._metrics.stages.labels(stage).observe(value)

    def _write_progress(self) -> None:
        """Store the progress of the running job, renew the claim, and learn whether it is to be cancelled."""
        written, renewed = 0, 0.0
        while not self._stopping.wait(WRITE_S):
            progress, key = self._progress, self._running
            if progress is None or key is None:
                written = 0
                continue
            changes, now = progress.changes, time.monotonic()
            if changes == written and now - renewed < RENEW_S:
                continue
            try:
                is_cancelled = self.store.note(key, self._holder, progress.stages(), is_new=changes != written)
            except StoreError as error:
                logger.warning("progress of job %s is not stored: %s", key[1], error)
                continue
            except Exception:  # without this thread a job that runs would look abandoned
                logger.exception("progress of job %s is not stored", key[1])
                continue
            written, renewed = changes, now
            if is_cancelled and key == self._running:
                progress.stop(JobCancelled("the job was cancelled"))


def _given_up(starts: int) -> TetragraphError:
    return ServiceError(
        f"the job was started {starts} times, and its server ended each time before the job did: leave out the "
        "document that may have ended it, or see the log of the server, and send it again"
    )
