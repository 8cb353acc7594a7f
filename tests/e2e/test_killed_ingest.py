"""An ingest that is killed at any time is completed by the next one, without a trace."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import Cli
from environments import own_home
from tetragraph import Document, Settings, Tetragraph, errors, samples
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.sources import read_documents
from tetragraph.stores.graph import Graph, Statement

PASSAGES = 40
KILLS = 2
"""Kills at random moments; ``python -m benchmarks kill`` has more."""
GRAPHS = ("bipartite", "gain", "tree")
Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]


@pytest.fixture(scope="module")
def some_passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the first of the sample's passages."""
    folder = tmp_path_factory.mktemp("passages")
    file = folder / "some.jsonl"
    with gzip.open(str(samples.passages()), "rt", encoding="utf-8") as lines:
        file.write_text("".join(line for line, _ in zip(lines, range(PASSAGES), strict=False)), encoding="utf-8")
    return file


def _ingest(environment: Mapping[str, str], corpus: str, file: Path) -> subprocess.Popen[bytes]:
    """The command line in a process of its own, in batches so small that a kill falls between two of them."""
    program = (
        "from tetragraph.indexing import documents; documents.BATCH_DOCUMENTS = 4; "
        "from tetragraph.systems.bipartite_graph import extraction; extraction._BATCH = 4; "
        "from tetragraph.cli import main; main()"
    )
    command = [sys.executable, "-c", program, "ingest", str(file), "--corpus", corpus, "--json"]
    command += [word for graph in GRAPHS for word in ("--build", graph)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.slow
def test_every_kill_ends_in_the_graph_of_an_undisturbed_run(
    server_settings: Settings,
    environment: Mapping[str, str],
    corpus_name: str,
    some_passages: Path,
    fingerprint: Fingerprint,
) -> None:
    seconds = np.random.default_rng(7)
    began = time.monotonic()
    undisturbed = _ingest(environment, corpus_name, some_passages)
    _, error = undisturbed.communicate(timeout=300)
    assert undisturbed.returncode == 0, error.decode()
    length = time.monotonic() - began
    with Tetragraph.connect(server_settings) as client:
        expected = fingerprint(client, corpus_name)
        client.corpus(corpus_name).drop()
    for _ in range(KILLS):
        process = _ingest(environment, corpus_name, some_passages)
        time.sleep(length * seconds.uniform(0.3, 1.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        again = _ingest(environment, corpus_name, some_passages)
        _, error = again.communicate(timeout=300)
        assert again.returncode == 0, error.decode()
        with Tetragraph.connect(server_settings) as client:
            found = fingerprint(client, corpus_name)
            client.corpus(corpus_name).drop()
        assert found == expected


class _Killed(BaseException):
    """Stands for the end of the process."""


STAGES = (
    "ingest/upsert_vectors_written",
    "bipartite_graph/link_statements",
    "ingest/upsert_published",
    *(
        pytest.param(stage, marks=pytest.mark.slow)
        for stage in ("entities", "bipartite_graph", "gain_graph", "encoding_tree", "ingest/delete_pending_documents")
    ),
)


@pytest.fixture(scope="module")
def documents(some_passages: Path) -> list[Document]:
    """The first of these passages."""
    return [one for one in read_documents(some_passages) if isinstance(one, Document)][:20]


@pytest.fixture(scope="module")
def expected(
    documents: list[Document],
    neo4j_server: Settings,
    graph: Graph,
    tmp_path_factory: pytest.TempPathFactory,
    fingerprint: Fingerprint,
) -> dict[str, list[Any]]:
    """A corpus of these documents that was never disturbed."""
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("undisturbed"))
    with Tetragraph.connect(settings) as client:
        whole = client.corpus(f"undisturbed-{uuid.uuid4().hex[:12]}")
        whole.ingest(documents, build=GRAPHS)
        found = fingerprint(client, whole.name)
        whole.drop()
    return found


@contextmanager
def _cut(client: Tetragraph, stage: str) -> Iterator[None]:
    """The process ends where it would run a statement of this name."""
    graph = client.connection.graph
    write, write_all = graph.write, graph.write_all

    def cut(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if name.startswith(stage):
            raise _Killed
        return write(name, **parameters)

    def cut_all(statements: Sequence[Statement]) -> list[dict[str, Any]]:
        if any(name.startswith(stage) for name, _ in statements):
            raise _Killed
        return write_all(statements)

    graph.write = cut  # type: ignore[method-assign]  # the end of the process, at this statement
    graph.write_all = cut_all  # type: ignore[method-assign]
    with pytest.raises(_Killed):
        yield


@pytest.mark.parametrize("stage", ["ingest/upsert_vectors_written", "entities", "ingest/upsert_published"])
def test_a_delete_that_was_ended_is_finished_by_the_same_delete(
    server_settings: Settings,
    corpus_name: str,
    documents: list[Document],
    fingerprint: Fingerprint,
    stage: str,
) -> None:
    gone = [documents[3].id, documents[7].id]
    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus_name).ingest([one for one in documents if one.id not in gone])
        expected = fingerprint(client, corpus_name)
        client.corpus(corpus_name).ingest(documents)
        with _cut(client, stage):
            client.corpus(corpus_name).delete(*gone)
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        with pytest.raises(errors.UnknownDocument, match="this call deleted nothing"):
            corpus.delete(gone[0], "nothing")
        report = corpus.delete(*gone)
        assert report.deleted == tuple(sorted(gone))
        assert report.counts["documents"] == len(documents) - len(gone)
        assert fingerprint(client, corpus_name) == expected
        assert gone[0] not in [hit.chunk.document_id for hit in corpus.search(documents[3].text, k=5)]
        with pytest.raises(errors.UnknownDocument):
            corpus.delete(*gone)


def test_the_list_of_corpora_shows_the_published_generation_and_whether_a_change_is_open(
    client: Tetragraph, cli: Cli, graph: Graph, corpus_name: str, documents: list[Document]
) -> None:
    def look(name: str = corpus_name) -> tuple[int, str, int]:
        (found,) = (one for one in client.corpora() if one.name == name)
        return found.generation, found.state, found.documents

    corpus = client.corpus(corpus_name)
    before = corpus.ingest(documents[:4], build=()).generation
    assert look() == (before, "complete", 4)
    with _cut(client, "entities"):
        corpus.ingest(documents, build=())
    assert look() == (before, "interrupted", len(documents))
    assert corpus.search(documents[0].text, method="dense").manifest["generation"] == before
    with Lease(graph, corpus_name) as lease:
        lease.hold()
        assert look() == (before, "changing", len(documents))
    client.close()
    row = next(line for line in cli("corpora").stdout.splitlines() if line.startswith(f"{corpus_name} "))
    assert row.split()[-2:] == [str(before), "interrupted"]
    listed = json.loads(cli("corpora", "--json").stdout)
    assert {one["state"] for one in listed if one["name"] == corpus_name} == {"interrupted"}


def test_a_corpus_whose_first_ingest_was_ended_has_no_generation(
    client: Tetragraph, corpus_name: str, documents: list[Document]
) -> None:
    with _cut(client, "entities"):
        client.corpus(corpus_name).ingest(documents, build=())
    (found,) = (one for one in client.corpora() if one.name == corpus_name)
    assert (found.generation, found.state, found.documents) == (0, "interrupted", len(documents))


def test_a_corpus_is_not_complete_before_its_first_documents_are_written(
    client: Tetragraph, corpus_name: str, documents: list[Document]
) -> None:
    def look() -> list[tuple[str, int]]:
        return [(one.state, one.documents) for one in client.corpora() if one.name == corpus_name]

    def read() -> Iterator[Document]:
        yield documents[0]
        assert look() == [("changing", 0)]
        raise _Killed

    with pytest.raises(_Killed):
        client.corpus(corpus_name).ingest(read(), build=())
    assert look() == [("interrupted", 0)]
    client.corpus(corpus_name).ingest(documents[:2], build=())
    assert look() == [("complete", 2)]


@pytest.mark.parametrize("stage", STAGES)
def test_an_end_at_the_door_of_every_stage_is_made_good(
    server_settings: Settings,
    corpus_name: str,
    documents: list[Document],
    expected: dict[str, list[Any]],
    fingerprint: Fingerprint,
    stage: str,
) -> None:
    with Tetragraph.connect(server_settings) as client, _cut(client, stage):
        client.corpus(corpus_name).ingest(documents, build=GRAPHS)
    with Tetragraph.connect(server_settings) as client:
        report = client.corpus(corpus_name).ingest(documents, build=GRAPHS)
        assert report.counts["documents"] == len(documents)
        assert fingerprint(client, corpus_name) == expected
