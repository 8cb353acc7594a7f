"""Starts of jobs: those that count, and the end of a job whose servers have ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph import Tetragraph
from tetragraph.client.remote.jobs import ENDED
from tetragraph.indexing.lease import new_holder
from tetragraph.service.jobs.runner import ABANDONED, JobRunner
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord, JobStore
from tetragraph.service.metrics import Metrics

PATIENCE_S = 60
JOB = "0123456789abcdef"


@pytest.fixture
def store(opened: Tetragraph, corpus_name: str) -> Iterator[JobStore]:
    yield JobStore(opened.connection.graph)
    opened.connection.graph.write("corpus/delete_jobs", corpus=corpus_name)


@pytest.fixture
def job(store: JobStore, corpus_name: str) -> JobRecord:
    return store.add(corpus_name, JOB, "build", {"target": "tree"}, digest="0" * 64, caller="local")


def dead_holder() -> str:
    """A holder that was a process of this machine and has ended: no process has an id as large."""
    host, _, rest = new_holder().partition(" pid ")
    return f"{host} pid {1 << 30} {rest.split()[-1]}"


def test_a_start_that_another_change_kept_from_beginning_does_not_count(store: JobStore, job: JobRecord) -> None:
    for _ in range(3):
        assert store.claim(job, "here") == 1
        store.end(job.key, "here", "queued", has_begun=False)
    assert store.get(*job.key).form.attempts == 0
    assert store.claim(job, "here") == 1
    store.end(job.key, "here", "queued")
    assert store.claim(job, "here") == 2
    store.end(job.key, "here", "failed")


def test_a_job_whose_servers_have_all_ended_is_given_up(
    opened: Tetragraph, store: JobStore, job: JobRecord, tmp_path: Path
) -> None:
    for start in range(1, ABANDONED + 1):
        assert store.claim(store.get(*job.key), dead_holder()) == start
    runner = JobRunner(opened, Spool(tmp_path, 1), Metrics(()))
    runner.start()
    end = time.monotonic() + PATIENCE_S
    while (found := store.get(*job.key).form).status not in ENDED and time.monotonic() < end:
        time.sleep(0.1)
    runner.stop()
    assert runner.join(PATIENCE_S)
    assert found.status == "failed"
    assert found.problem is not None
    assert "started 5 times, and its server ended each time" in found.problem.detail
