"""Jobs and their documents: requests that fail, several servers, other changes of the corpus, and what is left."""

from __future__ import annotations

import logging
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from tetragraph import Document, Tetragraph
from tetragraph.client.remote.jobs import ENDED, JobForm
from tetragraph.client.remote.requests import DocumentForm, IngestOptions
from tetragraph.errors import InvalidInput, ServiceBusy, ServiceError, StoreUnavailable, UnknownCorpus
from tetragraph.host.process_names import new_process_name
from tetragraph.indexing import operations
from tetragraph.indexing.drop_contents import delete_vectors
from tetragraph.indexing.lease import LEASE_S
from tetragraph.model.usage import NOTHING
from tetragraph.service.jobs import runner, submission
from tetragraph.service.jobs.progress import JobProgress
from tetragraph.service.jobs.runner import ABANDONED, JobRunner
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord, JobStore, Queue
from tetragraph.service.jobs.submission import Submissions
from tetragraph.service.jobs.work import Work
from tetragraph.service.metrics import Metrics
from tetragraph.stores.vectors import VectorStore

PATIENCE_S = 60
OPTIONS = IngestOptions(build=()).model_dump(mode="json")


class Server:
    """The jobs of a server with a spool of its own, whose threads run where a test starts them."""

    def __init__(self, client: Tetragraph, home: Path) -> None:
        self.spool = Spool(home / "spool", unpacked_bytes=1_000_000)
        self.runner = JobRunner(client, self.spool, Metrics((), lambda: NOTHING))
        self._submissions = Submissions(self.runner, self.spool)

    def ingest(self, corpus: str, text: str, *, error: Exception | None = None, key: str = "key") -> JobRecord:
        """Send a text with an idempotency key; ``error`` is what the database answers."""

        def store(spool: Spool, job: str) -> str:
            content = spool.add_documents(job, [DocumentForm(id="a", title="A", text=text)])
            if error is not None:
                raise error
            return content

        return self._submissions.add(corpus, "ingest", OPTIONS, caller="local", idempotency=key, store=store)

    def texts(self, record: JobRecord) -> list[str]:
        """Texts that a job would ingest."""
        return [document.text for document in self.spool.read(record.form.id, record.content, [])]


@pytest.fixture
def corpus(opened: Tetragraph) -> Iterator[str]:
    """Name of a corpus that does not exist yet; its jobs are deleted after the test."""
    name = f"jobs-{uuid.uuid4().hex[:12]}"
    yield name
    opened.connection.graph.write("corpus/delete_jobs", corpus=name, job="")


def test_a_request_after_one_that_failed_ingests_its_own_documents(
    opened: Tetragraph, corpus: str, tmp_path: Path
) -> None:
    server = Server(opened, tmp_path)
    with pytest.raises(StoreUnavailable):
        server.ingest(corpus, "The old text.", error=StoreUnavailable("lost"))
    record = server.ingest(corpus, "The new text.")
    assert server.texts(record) == ["The new text."]
    assert server.ingest(corpus, "The new text.").form.id == record.form.id


def test_documents_that_are_refused_are_not_kept_by_another_server(
    opened: Tetragraph, corpus: str, tmp_path: Path
) -> None:
    first, second = Server(opened, tmp_path / "first"), Server(opened, tmp_path / "second")
    record = first.ingest(corpus, "One.")
    for server in (first, second):
        with pytest.raises(InvalidInput, match="must belong to one request"):
            server.ingest(corpus, "Two.")
    assert first.texts(record) == ["One."]
    assert second.spool.jobs() == []
    assert not second.spool.has(record.form.id, record.content)


def test_a_repeated_request_gets_its_job_while_as_many_wait_as_may(
    opened: Tetragraph, corpus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_WAITING", 1)
    server = Server(opened, tmp_path)
    record = server.ingest(corpus, "One.")
    assert server.ingest(corpus, "One.").form == record.form
    with pytest.raises(InvalidInput, match="must belong to one request"):
        server.ingest(corpus, "Two.")
    with pytest.raises(ServiceBusy, match="1 jobs of corpus"):
        server.ingest(corpus, "Two.", key="another")
    assert server.spool.jobs() == [(record.form.id, record.content)]


@pytest.fixture
def store(opened: Tetragraph) -> JobStore:
    return JobStore(opened.connection.graph)


@pytest.fixture
def job(store: JobStore, corpus: str) -> JobRecord:
    return store.add(corpus, "0123456789abcdef", "build", {"what": "tree"}, digest="0" * 64, caller="local")


def dead_holder() -> str:
    """A holder that was a process of this machine and has ended: no process has an id as large."""
    host, _, rest = new_process_name().partition(" pid ")
    return f"{host} pid {1 << 30} {rest.split()[-1]}"


def end_of(runner: JobRunner, store: JobStore, job: JobRecord) -> JobForm:
    """The job after its end, or the end of patience; the runner runs meanwhile."""
    runner.start()
    end = time.monotonic() + PATIENCE_S
    while (found := store.get(*job.key).form).status not in ENDED and time.monotonic() < end:
        time.sleep(0.1)
    runner.stop()
    assert runner.join(PATIENCE_S)
    return found


def test_a_start_that_another_change_kept_from_beginning_does_not_count(store: JobStore, job: JobRecord) -> None:
    for _ in range(3):
        assert store.claim(job, "here") == 1
        store.end(job.key, "here", "queued", has_begun=False)
    assert store.get(*job.key).form.attempts == 0
    assert store.claim(job, "here") == 1
    store.end(job.key, "here", "queued")
    assert store.claim(job, "here") == 2
    store.end(job.key, "here", "failed")


def test_a_job_of_a_newer_server_waits_and_those_of_other_corpora_run(
    opened: Tetragraph,
    driver: neo4j.Driver,
    store: JobStore,
    job: JobRecord,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    newer = f"jobs-{uuid.uuid4().hex[:12]}"
    server = Server(opened, tmp_path)
    try:
        content = server.spool.add_documents("newer", [DocumentForm(id="a", title="A", text="Kept.")])
        store.add(newer, "newer", "ingest", OPTIONS, digest=f"{'0' * 64}-{content}", caller="local")
        driver.execute_query("MATCH (job:Job {corpus: $corpus, id: 'newer'}) SET job.kind = 'condense'", corpus=newer)
        store.add(newer, "behind", "build", {"what": "tree"}, digest="0" * 64, caller="local")
        assert end_of(server.runner, store, job).status == "failed", "there is no such corpus"
        assert store.get(newer, "behind").form.status == "queued"
        assert ("newer", content) in store.unfinished().documents
        assert store.unfinished().counts[newer] == 2, "both count for the largest number that may wait"
        assert server.spool.has("newer", content)
        assert [record.form.id for record in store.newest(newer, 10)] == ["behind"]
        with pytest.raises(ServiceError, match="can be read by a newer server alone"):
            store.get(newer, "newer")
    finally:
        opened.connection.graph.write("corpus/delete_jobs", corpus=newer, job="")
    warnings = [record.message for record in caplog.records if "wait for a server that can read it" in record.message]
    assert len(warnings) == 2, "one of each reader of the queue, of which the runner has looked many times"


def test_corpora_take_turns_and_jobs_of_one_keep_their_order(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "tetragraph")
    queue = ["a-1", "a-2", "a-3", "a-4", "b-1", "b-2", "c-1"]
    added = [
        store.add(f"{corpus}-{job[0]}", job, "build", {"what": "tree"}, digest="0" * 64, caller="local")
        for job in queue
    ]
    try:
        end_of(Server(opened, tmp_path).runner, store, added[3])
    finally:
        for record in added:
            opened.connection.graph.write("corpus/delete_jobs", corpus=record.form.corpus, job="")
    ran = [record.getMessage().split()[1] for record in caplog.records if record.msg.startswith("job %s failed")]
    assert [job for job in ran if job in queue] == ["a-1", "b-1", "c-1", "a-2", "b-2", "a-3", "a-4"]


def test_a_fault_of_one_look_does_not_end_the_runner(
    opened: Tetragraph, store: JobStore, job: JobRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([KeyError("fault")])
    find = JobStore.unfinished

    def unfinished(self: JobStore) -> Queue:
        for error in looks:
            raise error
        return find(self)

    monkeypatch.setattr(JobStore, "unfinished", unfinished)
    assert end_of(Server(opened, tmp_path).runner, store, job).status == "failed"


def test_a_job_whose_servers_have_all_ended_is_given_up(
    opened: Tetragraph, store: JobStore, job: JobRecord, tmp_path: Path
) -> None:
    for start in range(1, ABANDONED + 1):
        assert store.claim(store.get(*job.key), dead_holder()) == start
    found = end_of(Server(opened, tmp_path).runner, store, job)
    assert found.status == "failed"
    assert found.problem is not None
    assert "started 5 times, and its server ended each time" in found.problem.detail


@pytest.mark.parametrize("is_of_same_home", [True, False])
def test_a_job_whose_documents_are_lost_fails_and_lets_later_ones_run(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path, is_of_same_home: bool
) -> None:
    lost = Server(opened, tmp_path / "lost").ingest(corpus, "One.")
    shutil.rmtree(tmp_path / "lost")
    later = store.add(corpus, "0123456789abcdef", "build", {"what": "tree"}, digest="0" * 64, caller="local")
    runner = Server(opened, tmp_path / ("lost" if is_of_same_home else "other")).runner
    assert end_of(runner, store, later).status == "failed", "there is no such corpus"
    found = store.get(*lost.key).form
    assert found.status == "failed"
    assert found.problem is not None
    assert "those of this one are gone: send them again" in found.problem.detail


def test_a_job_whose_documents_are_elsewhere_waits_for_their_server(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path
) -> None:
    first, second = Server(opened, tmp_path / "first"), Server(opened, tmp_path / "second")
    record = first.ingest(corpus, "One.")
    place = {"receiver": record.receiver, "spool": record.spool}
    job = (record.form.id, record.content)
    assert not second.spool.has_lost(*job, **place)
    first.spool.remove(*job)
    assert second.spool.has_lost(*job, **place)
    host, _, rest = record.receiver.partition(" ")
    assert not second.spool.has_lost(*job, **place | {"receiver": f"other-{host} {rest}"})
    assert not second.spool.has_lost(*job, receiver="", spool="")
    store.cancel(*record.key)


def test_a_queue_is_read_without_the_requests_of_its_jobs(store: JobStore, job: JobRecord) -> None:
    (queued,) = (record for record in store.unfinished().records if record.key == job.key)
    assert (queued.form, queued.request) == (job.form, {})
    assert store.get(*job.key).request == {"what": "tree"}


def test_a_claim_that_is_repeated_counts_once(store: JobStore, job: JobRecord) -> None:
    assert store.claim(job, "here") == 1
    assert store.claim(job, "here") == 1, "its acknowledgement may have been lost"
    assert store.claim(job, "elsewhere") == 0


def test_a_job_whose_server_is_not_heard_of_is_cancelled_at_once(
    store: JobStore, driver: neo4j.Driver, job: JobRecord
) -> None:
    assert store.claim(job, "elsewhere") == 1
    assert store.cancel(*job.key).form.status == "running", "its server is to end it"
    driver.execute_query(
        "MATCH (job:Job {corpus: $corpus, id: $id}) SET job.heartbeat = timestamp() - $ago",
        corpus=job.form.corpus,
        id=job.form.id,
        ago=int(LEASE_S * 1000) + 1,
    )
    assert store.cancel(*job.key).form.status == "cancelled"


def test_documents_of_a_cancelled_job_are_deleted(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path
) -> None:
    server = Server(opened, tmp_path)
    record = server.ingest(corpus, "One.")
    assert server.spool.jobs()
    assert server.runner.cancel(*record.key).form.status == "cancelled"
    assert server.spool.jobs() == []


@pytest.mark.parametrize("is_dropped", [True, False], ids=["dropped", "never added"])
def test_documents_without_a_job_are_deleted_while_a_server_runs(
    opened: Tetragraph,
    store: JobStore,
    corpus: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_dropped: bool,
) -> None:
    monkeypatch.setattr(runner, "LOOK_S", 0.3)
    server = Server(opened, tmp_path)
    other = store.add(corpus, "0123456789abcdef", "build", {"what": "tree"}, digest="0" * 64, caller="local")
    assert store.claim(other, new_process_name()), "the corpus is busy, so that the next job waits"
    if is_dropped:
        server.ingest(corpus, "One.")
    else:
        with pytest.raises(StoreUnavailable):
            server.ingest(corpus, "One.", error=StoreUnavailable("lost"))
    (kept,) = (tmp_path / "spool").iterdir()
    server.runner.start()
    time.sleep(2 * runner.LOOK_S)
    assert kept.is_dir(), "a request that is adding its job may need them"
    if is_dropped:
        opened.connection.graph.write("corpus/delete_jobs", corpus=corpus, job=other.form.id)
    else:
        os.utime(kept, (0, 0))
    end = time.monotonic() + PATIENCE_S
    while kept.exists() and time.monotonic() < end:
        time.sleep(0.1)
    server.runner.stop()
    assert server.runner.join(PATIENCE_S)
    assert not kept.exists()
    store.cancel(*other.key)


def test_a_job_whose_server_has_ended_does_not_bring_a_dropped_corpus_back(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path
) -> None:
    server = Server(opened, tmp_path)
    record = server.ingest(corpus, "One.")
    assert store.claim(record, dead_holder()) == 1
    opened.corpus(corpus).ingest([Document("b", "B", "Two.")], build=())
    opened.corpus(corpus).drop()
    assert store.newest(corpus, 10) == []
    (kept,) = (tmp_path / "spool").iterdir()
    os.utime(kept, (0, 0))
    server.runner.start()
    end = time.monotonic() + PATIENCE_S
    while kept.exists() and time.monotonic() < end:
        time.sleep(0.1)
    server.runner.stop()
    assert server.runner.join(PATIENCE_S)
    assert not kept.exists()
    assert opened.connection.find_stores(corpus) is None


def test_of_the_jobs_of_a_corpus_the_one_that_drops_it_is_left(
    opened: Tetragraph, store: JobStore, job: JobRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = job.form.corpus
    assert store.claim(store.get(*job.key), dead_holder()) == 1
    abandoned = store.add(corpus, "abandoned", "drop", {}, digest="0" * 64, caller="local")
    assert store.claim(abandoned, dead_holder()) == 1
    opened.corpus(corpus).ingest([Document("b", "B", "Two.")], build=())
    drop = store.add(corpus, "own", "drop", {}, digest="0" * 64, caller="local")

    def delete_and_add(vectors: VectorStore, dropped: str) -> None:
        delete_vectors(vectors, dropped)
        store.add(dropped, "meanwhile", "build", {"what": "tree"}, digest="0" * 64, caller="local")

    monkeypatch.setattr(operations, "delete_vectors", delete_and_add)
    work = Work(opened, Server(opened, tmp_path).spool, drop, JobProgress(), is_repeated=False)
    assert work.run() == ("null", {})
    assert [record.form.id for record in store.newest(corpus, 10)] == ["own"]


def test_old_jobs_are_deleted_also_those_of_dropped_corpora(
    store: JobStore, driver: neo4j.Driver, job: JobRecord
) -> None:
    kept = store.add(job.form.corpus, "newer", "drop", {}, digest="0" * 64, caller="local")
    for one in (job, kept):
        store.cancel(*one.key)
    driver.execute_query(
        "MATCH (job:Job {corpus: $corpus, id: $id}) SET job.ended = 0", corpus=job.key[0], id=job.key[1]
    )
    store.prune()
    assert [record.form.id for record in store.newest(job.form.corpus, 10)] == ["newer"]


def test_an_interrupted_deletion_does_not_bring_a_dropped_corpus_back(
    opened: Tetragraph, store: JobStore, corpus: str, tmp_path: Path
) -> None:
    job = store.add(corpus, "0123456789abcdef", "delete", {"documents": ["a"]}, digest="0" * 64, caller="local")
    with pytest.raises(UnknownCorpus):
        Work(opened, Server(opened, tmp_path).spool, job, JobProgress(), is_repeated=True).run()
    assert opened.connection.find_stores(corpus) is None
