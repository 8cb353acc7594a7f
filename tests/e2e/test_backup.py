"""A backup of a corpus is restored with equal contents in both stores, or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import small_world
from command_line import Cli
from environments import own_home
from tetragraph import Document, Settings, Tetragraph, errors
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.writing import BackupWriter, complete_or_absent
from tetragraph.host.process_names import new_process_name
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.restore_mark import find_restore
from tetragraph.progress import NoProgress
from tetragraph.stores.graph import Graph

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]
OLD = sorted((Path(__file__).parents[1] / "data" / "backups").glob("*.tetragraph"))
"""A backup by each version with another schema; a release with a new schema adds one."""
QUESTION = "Who is the sister of the engineer who built the harbour of Halvik?"


@pytest.fixture(scope="module")
def saved_settings(neo4j_server: Settings, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return own_home(neo4j_server, tmp_path_factory.mktemp("saved"))


@pytest.fixture(scope="module")
def client(saved_settings: Settings) -> Iterator[Tetragraph]:
    with Tetragraph.connect(saved_settings) as client:
        yield client


@pytest.fixture(scope="module")
def saved(client: Tetragraph) -> Iterator[str]:
    """Name of a corpus with all graphs, a merge that was undone, and a session."""
    name = f"saved-{uuid.uuid4().hex[:12]}"
    corpus = client.corpus(name)
    corpus.ingest(small_world.documents(), build=small_world.GRAPHS)
    corpus.anchor(QUESTION, generate=False).answer  # noqa: B018 - runs the search to its end
    yield name
    corpus.drop()


@pytest.fixture(scope="module")
def file(client: Tetragraph, saved: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("backups") / "world.tetragraph"
    client.corpus(saved).backup(path)
    return path


@pytest.fixture
def other(client: Tetragraph, saved: str) -> Iterator[str]:
    """A name that no corpus has; what a test restores under it is deleted."""
    name = f"{saved}-{uuid.uuid4().hex[:6]}"
    yield name
    if find_restore(client.connection.graph, name) or client.connection.find_stores(name):
        client.corpus(name).drop()


def test_a_restored_corpus_equals_the_saved_one_under_another_name(
    client: Tetragraph, saved: str, file: Path, other: str, fingerprint: Fingerprint
) -> None:
    report = client.restore(file, name=other)
    assert fingerprint(client, other) == fingerprint(client, saved)
    one, two = client.corpus(saved), client.corpus(other)
    assert report.fingerprint == two.fingerprint() == one.fingerprint() == Tetragraph.verify_backup(file).fingerprint
    assert two.counts() == one.counts()
    searches: list[dict[str, Any]] = [{"method": "evidence"}, {"method": "tree"}]
    searches.append({"method": "dense", "filters": {"year": {"gte": 1902}}})  # from the metadata in Qdrant
    for options in searches:
        hits = [[(hit.chunk.id, hit.score) for hit in corpus.search(QUESTION, **options).hits] for corpus in (one, two)]
        assert hits[0] == hits[1] != []
    assert client.doctor(corpus=other).faults == ()


def test_a_restored_corpus_is_changed_like_the_saved_one(
    client: Tetragraph, saved: str, file: Path, other: str
) -> None:
    client.restore(file, name=other)
    report = client.corpus(other).ingest(small_world.documents())
    assert (report.written, report.unchanged) == (False, len(small_world.WORLD))
    client.corpus(other).delete("halvik")
    assert client.doctor(corpus=other).faults == ()


def test_the_same_corpus_gives_the_same_bytes(client: Tetragraph, saved: str, file: Path, tmp_path: Path) -> None:
    client.corpus(saved).backup(tmp_path / "again.tetragraph")
    assert (tmp_path / "again.tetragraph").read_bytes() == file.read_bytes()


def test_a_backup_without_vectors_makes_them_again(
    client: Tetragraph, saved: str, tmp_path: Path, other: str, fingerprint: Fingerprint
) -> None:
    small = tmp_path / "small.tetragraph"
    client.corpus(saved).backup(small, vectors=False)
    client.restore(small, name=other)
    assert fingerprint(client, other) == fingerprint(client, saved)
    assert client.doctor(corpus=other).faults == ()


class _At(NoProgress):
    """Progress that calls a function at the start of a stage, each time or only the first."""

    def __init__(self, stage: str, call: Callable[[], object], *, once: bool = True) -> None:
        self._stage, self._call, self._once = stage, call, once

    def start(self, stage: str, total: int | None, unit: str) -> None:
        if stage == self._stage:
            self._call()
            self._stage = "" if self._once else stage


class _Killed(BaseException):
    """Stands for the end of the process."""


def _kill() -> None:
    raise _Killed


def _change(client: Tetragraph, corpus: str) -> Callable[[], object]:
    """A change of one document, another each time."""
    texts = iter(f"Halvik has {number} harbours." for number in range(9))
    return lambda: client.corpus(corpus).ingest([Document("halvik", "Halvik", next(texts))])


def test_a_change_while_the_corpus_is_read_is_found_and_the_backup_has_the_generation_after_it(
    client: Tetragraph, corpus_name: str, tmp_path: Path
) -> None:
    corpus, path = client.corpus(corpus_name), tmp_path / "one.tetragraph"
    corpus.ingest(small_world.documents()[:2])
    change = _change(client, corpus_name)
    report = corpus.backup(path, progress=_At("relationships", change))
    assert report.fingerprint == corpus.fingerprint()
    with pytest.raises(errors.CorpusBusy, match="changed each of the 3 times"):
        corpus.backup(path, overwrite=True, progress=_At("relationships", change, once=False))
    assert Tetragraph.verify_backup(path).fingerprint == report.fingerprint
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    with Lease(client.connection.graph, corpus_name) as lease:
        lease.hold()
        with pytest.raises(errors.CorpusBusy, match="is being changed by"):
            corpus.backup(tmp_path / "two.tetragraph")


@pytest.mark.parametrize("stage", ["relationships", "vectors"])
def test_a_killed_restore_shows_nothing_and_can_be_run_again(
    client: Tetragraph, saved: str, file: Path, other: str, stage: str
) -> None:
    with pytest.raises(_Killed):
        client.restore(file, name=other, progress=_At(stage, _kill))
    assert other not in {one.name for one in client.corpora()}
    with pytest.raises(errors.UnknownCorpus):
        client.corpus(other).search(QUESTION)
    with pytest.raises(errors.CorpusBusy, match="being restored"):
        client.corpus(other).ingest(small_world.documents()[:1])
    faults = {(one.kind, one.name) for one in client.doctor().faults if other in f"{one.name} {one.detail}"}
    assert faults == {("interrupted restore", f"corpus {other}")}
    client.restore(file, name=other)
    assert client.corpus(other).fingerprint() == client.corpus(saved).fingerprint()
    with pytest.raises(errors.InvalidInput, match="the name of an existing corpus"):
        client.restore(file, name=other)


def test_an_interrupted_restore_can_be_deleted(client: Tetragraph, file: Path, other: str, graph: Graph) -> None:
    with pytest.raises(_Killed):
        client.restore(file, name=other, progress=_At("vectors", _kill))
    client.corpus(other).drop()
    assert find_restore(graph, other) is None
    assert not [name for name, _ in client.connection.vectors.collections() if name == other]
    assert not [one for one in client.doctor().faults if other in f"{one.name} {one.detail}"]


def test_a_damaged_backup_writes_nothing(
    client: Tetragraph, file: Path, other: str, tmp_path: Path, graph: Graph
) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / "damaged.tetragraph"
    damaged.write_bytes(content)
    with pytest.raises(errors.UnusableBackup, match="damaged"):
        client.restore(damaged, name=other)
    assert find_restore(graph, other) is None


def test_a_backup_writes_into_no_other_corpus(
    client: Tetragraph, saved: str, file: Path, other: str, tmp_path: Path
) -> None:
    before = client.corpus(saved).fingerprint()
    forged = tmp_path / "forged.tetragraph"
    with BackupReader.open(file) as reader, complete_or_absent(forged) as target:
        writer = BackupWriter(target)
        for part in reader.manifest.parts:
            for row in reader.rows(part):
                if part.section == "nodes/Session":
                    row["properties"]["corpus"] = saved
                writer.write(part.section, row)
        writer.finish(replace(reader.manifest, parts=(), fingerprint={}))
    with pytest.raises(errors.UnusableBackup, match="must have neither 'corpus' nor 'id'"):
        client.restore(forged, name=other)
    assert client.corpus(saved).fingerprint() == before
    assert other not in {one.name for one in client.corpora()}


def test_a_session_whose_process_was_killed_is_restored_and_resumed(
    client: Tetragraph, corpus_name: str, other: str, tmp_path: Path
) -> None:
    corpus, path = client.corpus(corpus_name), tmp_path / "one.tetragraph"
    corpus.ingest(small_world.documents(), build=())
    run = corpus.anchor(QUESTION, generate=False)
    next(run)
    (note,) = corpus.backup(path).notes
    assert note.startswith("one session is left out")
    assert "nodes/Session" not in Tetragraph.verify_backup(path).rows
    name = new_process_name().replace(f"pid {os.getpid()} ", f"pid {2**22 + 1} ")
    client.connection.graph.write("anchor_graph/upsert_owner", corpus=corpus_name, session=run.session.id, owner=name)
    report = corpus.backup(path, overwrite=True)
    assert (report.notes, report.fingerprint) == ((), corpus.fingerprint())
    client.restore(path, name=other)
    copied = client.corpus(other).session(run.session.id)
    assert (copied.record.status, len(copied.steps)) == ("running", 1)
    with pytest.raises(errors.SessionTaken, match="was interrupted"):
        copied.ask("Who built it?")
    answers: list[str] = []
    resume = _At("relationships", lambda: answers.append(corpus.session(run.session.id).resume().answer.text))
    again = corpus.backup(path, overwrite=True, progress=resume)
    assert again.fingerprint == corpus.fingerprint() != report.fingerprint
    assert copied.resume().answer.text == answers[0] != ""


def test_the_commands_write_check_and_restore(
    cli: Cli, client: Tetragraph, server_settings: Settings, corpus_name: str, tmp_path: Path
) -> None:
    with Tetragraph.connect(server_settings) as own:
        own.corpus(corpus_name).ingest(small_world.documents()[:2], build=())
    assert cli("backup", "one.tetragraph", "-c", corpus_name).returncode == 0
    assert "which exists" in cli("backup", "one.tetragraph", "-c", corpus_name).stderr
    found = [cli("verify", "one.tetragraph"), cli("restore", "one.tetragraph", "--as", f"{corpus_name}-b")]
    assert [one.returncode for one in found] == [0, 0]
    assert found[0].stdout.splitlines()[-1] == found[1].stdout.splitlines()[-1]
    (tmp_path / "one.tetragraph").write_bytes(b"no tar")
    assert cli("verify", "one.tetragraph").returncode == 2


@pytest.mark.parametrize("old", OLD, ids=lambda file: file.stem)
def test_a_backup_of_every_earlier_schema_is_restored_searched_changed_and_saved(
    client: Tetragraph, other: str, old: Path, tmp_path: Path
) -> None:
    client.restore(old, name=other)
    corpus = client.corpus(other)
    assert client.doctor(corpus=other).faults == ()
    assert corpus.search("Who founded the Reyer Academy?", k=1).hits[0].chunk.title == "Tomas Reyer"
    assert len(corpus.sessions.newest(1)) == 1
    saved = corpus.backup(tmp_path / "again.tetragraph")
    assert saved.fingerprint == Tetragraph.verify_backup(old).fingerprint
    corpus.ingest([Document("ida", "Ida Brandt", "Ida Brandt was a surgeon at the hospital of Old Port.")])
    assert client.doctor(corpus=other).faults == ()


def test_an_incremental_backup_is_restored_with_its_base(
    client: Tetragraph, other: str, saved: str, tmp_path: Path
) -> None:
    monday, tuesday = tmp_path / "monday.tetragraph", tmp_path / "tuesday.tetragraph"
    full = client.corpus(saved).backup(monday)
    report = client.corpus(saved).backup(tuesday, since=monday)
    assert (report.fingerprint, report.rows) == (full.fingerprint, full.rows)
    assert report.size < full.size / 2
    assert client.restore(tuesday, name=other).fingerprint == full.fingerprint
    assert client.corpus(other).fingerprint() == full.fingerprint
    with pytest.raises(errors.InvalidInput, match="must be beside its base"):
        client.corpus(saved).backup(tmp_path / "elsewhere" / "wednesday.tetragraph", since=monday)
    monday.write_bytes(monday.read_bytes()[: full.size // 2])
    with pytest.raises(errors.UnusableBackup):
        client.corpus(saved).backup(tmp_path / "wednesday.tetragraph", since=monday)
    assert not (tmp_path / "wednesday.tetragraph").exists()
    with pytest.raises(errors.UnusableBackup):
        Tetragraph.verify_backup(tuesday)
