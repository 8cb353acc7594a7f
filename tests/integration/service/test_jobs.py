"""Jobs and their documents: requests that fail, several servers, other changes of the corpus, and what is left."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph import Tetragraph
from tetragraph.client.remote.requests import DocumentForm, IngestOptions
from tetragraph.errors import InvalidInput, StoreUnavailable
from tetragraph.service.jobs.runner import JobRunner
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord
from tetragraph.service.jobs.submission import Submissions
from tetragraph.service.metrics import Metrics

OPTIONS = IngestOptions(build=()).model_dump(mode="json")


class Server:
    """The jobs of a server with a spool of its own, whose threads do not run."""

    def __init__(self, client: Tetragraph, home: Path) -> None:
        self.spool = Spool(home / "spool", unpacked_bytes=1_000_000)
        self.runner = JobRunner(client, self.spool, Metrics(()))
        self._submissions = Submissions(self.runner, self.spool)

    def ingest(self, corpus: str, text: str, *, error: Exception | None = None) -> JobRecord:
        """Send a text with one idempotency key; ``error`` is what the database answers."""

        def store(spool: Spool, job: str) -> str:
            content = spool.add_documents(job, [DocumentForm(id="a", title="A", text=text)])
            if error is not None:
                raise error
            return content

        return self._submissions.add(corpus, "ingest", OPTIONS, caller="local", idempotency="key", store=store)

    def texts(self, record: JobRecord) -> list[str]:
        """Texts that a job would ingest."""
        return [document.text for document in self.spool.read(record.form.id, record.content, [])]


@pytest.fixture
def corpus(opened: Tetragraph) -> Iterator[str]:
    """Name of a corpus that does not exist yet; its jobs are deleted after the test."""
    name = f"jobs-{uuid.uuid4().hex[:12]}"
    yield name
    opened.connection.graph.write("corpus/delete_jobs", corpus=name)


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
