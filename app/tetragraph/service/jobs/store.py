"""The jobs of a database: queue, claims, progress and results. All times are those of the database's clock."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from tetragraph.client.remote.jobs import ENDED, JobForm, Kind, StageForm, Status
from tetragraph.client.remote.values import Problem, decode
from tetragraph.errors import ServiceError, UnknownJob
from tetragraph.host.process_names import is_dead
from tetragraph.indexing.lease import LEASE_S
from tetragraph.indexing.remains import JOB_AGE_MS, JOB_DAYS
from tetragraph.service.keys import Caller
from tetragraph.stores.graph import Graph, Row

logger = logging.getLogger("tetragraph")
_TELLING: Final = ("evaluate", "split", "join")
"""Kinds of jobs whose results or problems have names or texts of the corpus."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A stored job.

    Attributes:
        form: The job as callers see it.
        request: The request, without the texts of documents; empty in a queue.
        digest: Hash of the request, and after a hyphen that of its documents, which is empty for none.
        caller: Id of the key that asked for it.
        holder: Server that runs it; empty for none.
        receiver: Server that received its documents; empty for none, and for jobs of earlier versions.
        spool: Folder in which that server keeps documents of jobs; empty as ``receiver``.
        is_abandoned: Whether it runs according to the database, and its server has ended.
    """

    form: JobForm
    request: dict[str, Any]
    digest: str
    caller: str
    holder: str
    receiver: str
    spool: str
    is_abandoned: bool

    def form_for(self, caller: Caller) -> JobForm:
        """The job as a caller may see it: one who may not search the corpus gets no names and no texts out of it."""
        form = self.form
        if caller.may(form.corpus, "search") or form.kind not in _TELLING:
            return form
        problem = form.problem and form.problem.model_copy(update={"detail": form.problem.title})
        result = None if form.kind == "evaluate" else form.result
        return form.model_copy(update={"result": result, "problem": problem})

    @property
    def key(self) -> tuple[str, str]:
        """Corpus and id."""
        return self.form.corpus, self.form.id

    @property
    def content(self) -> str:
        """Hash of the content of its documents; empty for none."""
        return _content(self.digest)

    @property
    def has_ended(self) -> bool:
        """Whether the job does not change any more."""
        return self.form.status in ENDED


@dataclass(frozen=True, slots=True)
class Queue:
    """The jobs of a database that have not ended.

    Attributes:
        records: The jobs without their requests, oldest first. One that this version cannot read is left out, as are
            those of its corpus behind it.
        documents: Id of each job, also of these, and hash of the content of its documents.
        counts: Number of jobs by corpus, these among them.
    """

    records: tuple[JobRecord, ...]
    documents: frozenset[tuple[str, str]]
    counts: Mapping[str, int]


class JobStore:
    """Reads and writes jobs; thread-safe."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._unreadable: set[str] = set()

    def add(
        self,
        corpus: str,
        job: str,
        kind: Kind,
        request: dict[str, Any],
        *,
        digest: str,
        caller: str,
        receiver: str = "",
        spool: str = "",
    ) -> JobRecord:
        """Add a job to the queue of a corpus, and return it; one with this id is returned as it is.

        The arguments are attributes of :class:`JobRecord`.
        """
        rows = self._graph.write(
            "service/upsert_job",
            corpus=corpus,
            id=job,
            kind=kind,
            request=json.dumps(request, sort_keys=True),
            digest=digest,
            caller=caller,
            receiver=receiver,
            spool=spool,
        )
        return _record(rows[0])

    def get(self, corpus: str, job: str) -> JobRecord:
        """One job.

        Raises:
            UnknownJob: the corpus has no such job.
            ServiceError: a newer server has written it, and this version cannot read it.
        """
        row = self._graph.get("service/get_job", corpus=corpus, id=job)
        if row is None:
            raise UnknownJob(f"corpus {corpus!r} has no job {job!r:.80}; ended jobs are deleted after {JOB_DAYS} days")
        try:
            return _record(row)
        except ValueError as error:
            raise ServiceError(f"job {job} of corpus {corpus!r} can be read by a newer server alone") from error

    def newest(self, corpus: str, limit: int) -> list[JobRecord]:
        """The newest jobs of a corpus, without those that this version cannot read; a warning names these, once."""
        rows = self._graph.read("service/find_jobs", corpus=corpus, limit=limit)
        return [record for row in rows if (record := self._try_read(row)) is not None]

    def unfinished(self) -> Queue:
        """Jobs of all corpora that wait or run.

        A job that only a newer server can read waits for that server; a warning names it, once.
        """
        rows = self._graph.read("service/find_unfinished_jobs")
        records: list[JobRecord] = []
        held: set[str] = set()
        for row in rows:
            if row["corpus"] in held:
                continue
            if (record := self._try_read(row)) is None:
                held.add(row["corpus"])
            else:
                records.append(record)
        documents = frozenset((row["id"], _content(row["digest"])) for row in rows)
        return Queue(tuple(records), documents, Counter(row["corpus"] for row in rows))

    def _try_read(self, row: Row) -> JobRecord | None:
        try:
            return _record(row)
        except ValueError as error:
            if row["id"] not in self._unreadable:
                self._unreadable.add(row["id"])
                told = "job %s of corpus %s, and those behind it, wait for a server that can read it: %s"
                logger.warning(told, row["id"], row["corpus"], str(error).replace("\n", " "))
            return None

    def claim(self, record: JobRecord, holder: str) -> int:
        """Let a server run a job; returns the number of starts, 0 if another server has it."""
        rows = self._graph.write(
            "service/upsert_job_claim",
            corpus=record.form.corpus,
            id=record.form.id,
            holder=holder,
            expected=record.holder if record.is_abandoned else "",
            lease_ms=int(LEASE_S * 1000),
        )
        return int(rows[0]["attempts"]) if rows else 0

    def note(self, key: tuple[str, str], holder: str, progress: list[StageForm], *, is_new: bool) -> bool | None:
        """Store the progress of a running job; returns whether it is to be cancelled, None if another server has it."""
        rows = self._graph.write(
            "service/upsert_job_progress",
            corpus=key[0],
            id=key[1],
            holder=holder,
            progress=json.dumps([stage.model_dump() for stage in progress]),
            steps=int(is_new),
        )
        return bool(rows[0]["is_cancelled"]) if rows else None

    def end(
        self,
        key: tuple[str, str],
        holder: str,
        status: Status,
        *,
        result: str | None = None,
        problem: str | None = None,
        has_begun: bool = True,
    ) -> None:
        """Store the end of a running job; ``queued`` puts it back into the queue.

        Args:
            key: Corpus and id.
            holder: Server that runs it.
            status: Status after the end.
            result: Result as JSON.
            problem: Problem as JSON.
            has_begun: Whether the start counts; one that another change of the corpus kept from beginning does not.
        """
        self._graph.write(
            "service/upsert_job_end",
            corpus=key[0],
            id=key[1],
            holder=holder,
            status=status,
            result=result,
            problem=problem,
            uncounted=int(not has_begun),
        )

    def cancel(self, corpus: str, job: str) -> JobRecord:
        """Cancel a job that has not ended, and return it.

        One whose server was heard of within the time of its claim is cancelled by that server.

        Raises:
            UnknownJob: the corpus has no such job.
        """
        self._graph.write("service/upsert_job_cancel", corpus=corpus, id=job, lease_ms=int(LEASE_S * 1000))
        return self.get(corpus, job)

    def prune(self) -> None:
        """Delete the jobs that ended long ago."""
        self._graph.write("service/delete_jobs", age_ms=JOB_AGE_MS)


def _record(row: Row) -> JobRecord:
    holder = row["holder"] or ""
    is_silent = (row["age_ms"] or 0) > LEASE_S * 1000
    form = JobForm(
        id=row["id"],
        corpus=row["corpus"],
        kind=row["kind"],
        status=row["status"],
        created=_time(row["created"]),
        started=_time(row["started"]),
        ended=_time(row["ended"]),
        sequence=row["sequence"],
        attempts=row["attempts"],
        progress=decode(tuple[StageForm, ...], row.get("progress") or "[]"),
        result=None if row.get("result") is None else json.loads(row["result"]),
        problem=None if row["problem"] is None else decode(Problem, row["problem"]),
    )
    return JobRecord(
        form,
        json.loads(row.get("request", "{}")),
        row["digest"],
        row["caller"],
        holder,
        row["receiver"] or "",
        row["spool"] or "",
        is_abandoned=row["status"] == "running" and (is_silent or is_dead(holder)),
    )


def _content(digest: str) -> str:
    return digest.partition("-")[2]


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
