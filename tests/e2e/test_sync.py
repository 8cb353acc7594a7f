"""A corpus follows a folder; what is renamed keeps its place in every graph, and a missing mount deletes nothing."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import small_world
from command_line import Cli
from tetragraph import Document, ReadingOptions, Tetragraph, errors
from tetragraph.indexing.documents import DocumentWriter
from tetragraph.progress import NoProgress
from tetragraph.stores.graph import Graph

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]
GRAPHS = ("bipartite", "gain", "tree")


class _Counting(NoProgress):
    """Progress that counts embedded chunks."""

    embedded = 0

    def advance(self, stage: str, amount: int = 1) -> None:
        self.embedded += amount if stage == "embedding" else 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file for each document of the small world, written some time ago."""
    place = tmp_path / "world"
    place.mkdir()
    for title, text in small_world.WORLD.items():
        write(place / f"{title.lower().replace(' ', '-')}.md", f"# {title}\n\n{text}\n")
    return place


def write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    os.utime(file, (time.time() - 100, time.time() - 100 + len(text)))


def ids(graph: Graph, corpus: str, label: str) -> list[str]:
    return sorted(row["id"] for row in graph.read("export/find_nodes", corpus=corpus) if row["label"] == label)


def test_renamed_files_embed_nothing_and_keep_entities_themes_facts_and_gains(
    client: Tetragraph, corpus_name: str, folder: Path, graph: Graph
) -> None:
    corpus = client.corpus(corpus_name)
    first = corpus.sync(folder, build=GRAPHS)
    assert len(first.plan.added) == len(small_world.WORLD)
    before = {label: ids(graph, corpus_name, label) for label in ("Entity", "Community", "Relation", "Alias")}
    counts = corpus.counts()
    (folder / "people").mkdir()
    for file in sorted(folder.glob("*.md")):
        file.rename(folder / "people" / file.name)
    assert corpus.sync(folder, dry_run=True).plan.renamed[0] == (
        "world/elva-kron.md",
        "world/people/elva-kron.md",
    )
    progress = _Counting()
    report = corpus.sync(folder, build=GRAPHS, progress=progress)
    assert (len(report.plan.renamed), report.plan.added, report.plan.removed) == (len(small_world.WORLD), (), ())
    assert progress.embedded == 0
    assert {label: ids(graph, corpus_name, label) for label in before} == before
    assert corpus.counts() == counts
    assert client.doctor(corpus=corpus_name).faults == ()
    found = corpus.search("Who founded the Reyer Academy?", k=1).hits[0]
    assert found.chunk.document_id == "world/people/tomas-reyer.md"
    assert not corpus.sync(folder, build=GRAPHS).plan


def test_files_are_read_again_when_they_are_read_otherwise(
    client: Tetragraph, corpus_name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = client.corpus(corpus_name)
    write(folder / "ships.csv", "id,text,remark\none,The Alma sank in 1902.,The Alma was a brig of two masts.\n")
    other = ReadingOptions(text_key="remark")
    corpus.sync(folder, build=())
    assert not corpus.sync(folder, dry_run=True).plan
    assert corpus.sync(folder, reading=other, dry_run=True).plan.changed == ("one",)
    with monkeypatch.context() as patched:
        patched.setattr(DocumentWriter, "delete", _fail)
        with pytest.raises(errors.StoreError):
            corpus.sync(folder, build=(), reading=other)
    assert corpus.sync(folder, build=()).plan.changed == ("one",)
    assert corpus.sync(folder, build=(), reading=other).plan.changed == ("one",)
    assert not corpus.sync(folder, build=(), reading=other).plan
    assert corpus.search("brig", method="keyword", k=1).hits[0].chunk.text == "The Alma was a brig of two masts."


def _fail(*_: object) -> None:
    raise errors.StoreError("the store went away")


def test_added_changed_and_removed_files_end_as_an_ingest_of_the_folder(
    client: Tetragraph, corpus_name: str, folder: Path, fingerprint: Fingerprint
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=())
    (folder / "halvik.md").unlink()
    write(
        folder / "old-port.md", "# Old Port\n\nOld Port is the seat of Sund County and has a new mayor, Ida Brandt.\n"
    )
    write(folder / "mayors.md", "# Mayors\n\nIda Brandt is the mayor of Old Port.\n")
    plan = corpus.sync(folder, dry_run=True).plan
    assert (plan.added, plan.changed, plan.removed) == (
        ("world/mayors.md",),
        ("world/old-port.md",),
        ("world/halvik.md",),
    )
    report = corpus.sync(folder, build=())
    assert report.removed == ("world/halvik.md",)
    other = client.corpus(f"{corpus_name}-b")
    other.ingest(folder, build=())
    assert fingerprint(client, corpus_name) == fingerprint(client, other.name)
    other.drop()
    with pytest.raises(errors.InvalidInput, match="what to build must be one of"):
        corpus.sync(folder, build=["gain", "granite"], dry_run=True)
    record = client.connection.settings.home / "sync" / f"{corpus_name}.jsonl"
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert [(len(row["added"]), len(row["removed"])) for row in rows] == [(12, 0), (1, 1)]


def test_what_nobody_may_have_deleted_stays_until_it_is_confirmed(
    client: Tetragraph, corpus_name: str, folder: Path
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=())
    away = folder.with_name("away")
    folder.rename(away)
    with pytest.raises(errors.InvalidInput, match="nothing was changed"):
        corpus.sync(folder, build=())
    folder.mkdir()
    for wanted in ("the folder is empty", "12 of 12 documents are gone"):
        held = corpus.sync(folder, build=())
        assert (held.plan.held, held.removed) == (wanted, ())
        assert held.ingest is not None
        assert any("documents stay" in note for note in held.ingest.notes)
        write(folder / "new.md", "# New\n\nA new page.\n")
    assert corpus.counts()["documents"] == 12 + 1
    assert len(corpus.sync(folder, build=(), confirmed=True).removed) == 12
    record = client.connection.settings.home / "sync" / f"{corpus_name}.jsonl"
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert [(len(row["removed"]), row["held"]) for row in rows] == [(0, ""), (0, wanted), (12, "")]
    shutil.rmtree(away)
    assert corpus.counts()["documents"] == 1


def test_documents_of_other_places_stay(client: Tetragraph, corpus_name: str, folder: Path) -> None:
    corpus = client.corpus(corpus_name)
    taken = Document("world/taken.md", "Taken", "A document of the caller whose id a file is going to have.")
    corpus.ingest([Document("mine", "Mine", "A document of the caller."), taken], build=())
    corpus.sync(folder, build=())
    (folder / "halvik.md").rename(folder / "taken.md")
    refused = corpus.sync(folder, build=()).ingest
    assert refused is not None
    assert "would replace it" in refused.skipped[0].reason
    (folder / "taken.md").unlink()
    for file in folder.glob("[a-m]*.md"):
        file.unlink()
    corpus.sync(folder, build=(), confirmed=True)
    assert corpus.ingest([Document("mine", "Mine", "A document of the caller.")], build=()).unchanged == 1


def test_an_id_that_two_files_have_is_written_once_and_reported(
    client: Tetragraph, corpus_name: str, tmp_path: Path
) -> None:
    corpus, folder = client.corpus(corpus_name), tmp_path / "offices"
    folder.mkdir()
    write(folder / "a.jsonl", '{"id": "7", "text": "The office is in Oslo."}\n')
    write(folder / "b.jsonl", '{"id": "8", "text": "The port is in Bergen."}\n{"id": "7", "text": "It is in Rome."}\n')
    reason = f"ids must be unique, '7' of {folder / 'b.jsonl'}:2 is taken by {folder / 'a.jsonl'}"
    for place in (":1", ":1", ""):  # at last the first file is not read, so its line is not known
        planned = corpus.sync(folder, dry_run=True).plan.skipped
        done = corpus.sync(folder, build=())
        assert done.ingest
        assert [one.reason.partition(";")[0] for one in (*planned, *done.plan.skipped)] == 2 * [f"{reason}{place}"]
        assert {*done.ingest.skipped} <= {*done.plan.skipped}
        assert corpus.search("office", method="keyword", k=1).hits[0].chunk.text == "The office is in Oslo."
        write(folder / "c.jsonl", '{"id": "9", "text": "The mill is in Voss."}\n')
    assert corpus.counts()["documents"] == 3


def test_a_file_renamed_over_another_of_its_size_and_time_is_read(
    client: Tetragraph, corpus_name: str, folder: Path
) -> None:
    corpus = client.corpus(corpus_name)
    for name, word in (("current.txt", "brig"), ("next.txt", "bark")):
        (folder / name).write_text(f"The Alma was a {word} of two masts.", encoding="utf-8")
        os.utime(folder / name, (1_700_000_000, 1_700_000_000))
    corpus.sync(folder, build=())
    assert corpus.sync(folder, build=()).plan.unchanged == len(small_world.WORLD) + 2
    (folder / "next.txt").replace(folder / "current.txt")
    plan = corpus.sync(folder, build=()).plan
    assert (plan.changed, plan.removed) == (("world/current.txt",), ("world/next.txt",))
    assert "bark" in corpus.search("Alma", method="keyword", k=1).hits[0].chunk.text


def test_a_folder_in_the_place_of_a_file_removes_its_document(
    client: Tetragraph, corpus_name: str, folder: Path
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=())
    (folder / "halvik.md").unlink()
    (folder / "halvik.md").mkdir()
    write(folder / "halvik.md" / "i.txt", "Halvik has a new harbour.")
    assert corpus.find_gone(folder) == ("world/halvik.md",)
    plan = corpus.sync(folder, build=()).plan
    assert (plan.added, plan.removed) == (("world/halvik.md/i.txt",), ("world/halvik.md",))


class _Killed(BaseException):
    """Stands for the end of the process."""


def _die(*_: object, **__: object) -> None:
    raise _Killed


@pytest.mark.parametrize("stage", ["vectors", "notes"])
def test_a_rename_that_is_killed_is_completed_by_the_next_sync(
    client: Tetragraph, corpus_name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, graph: Graph, stage: str
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.sync(folder)
    entities = ids(graph, corpus_name, "Entity")
    (folder / "halvik.md").rename(folder / "town.md")
    with monkeypatch.context() as patch:
        _kill_at(patch, client, stage)
        with pytest.raises(_Killed):
            corpus.sync(folder)
    corpus.sync(folder)
    assert client.doctor(corpus=corpus_name).faults == ()
    assert ids(graph, corpus_name, "Entity") == entities
    assert "world/town.md" in ids(graph, corpus_name, "Document")


def test_a_file_renamed_to_one_whose_deletion_was_killed_leaves_nothing_of_that(
    client: Tetragraph, corpus_name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=GRAPHS)
    (folder / "halvik.md").unlink()
    with monkeypatch.context() as patch:
        patch.setattr("tetragraph.indexing.publishing.find_change", _die)
        with pytest.raises(_Killed):
            corpus.sync(folder, build=GRAPHS)
    (folder / "old-port.md").rename(folder / "halvik.md")
    report = corpus.sync(folder, build=GRAPHS)
    assert report.plan.renamed == (("world/old-port.md", "world/halvik.md"),)
    assert client.doctor(corpus=corpus_name).faults == ()


def _kill_at(patch: pytest.MonkeyPatch, client: Tetragraph, stage: str) -> None:
    """End the process before the vectors of old ids are deleted, or before the transaction in Neo4j."""
    if stage == "vectors":
        patch.setattr(client.connection.vectors, "delete", _die)
    else:
        patch.setattr("tetragraph.indexing.renames._write", _die)


def test_the_command_shows_the_plan_and_holds_removals_back(cli: Cli, corpus_name: str, folder: Path) -> None:
    assert cli("sync", folder, "-c", corpus_name, "--build", "none").returncode == 0
    for file in list(folder.glob("*.md"))[1:]:
        file.unlink()
    planned = cli("sync", folder, "-c", corpus_name, "--build", "none", "--dry-run")
    assert "11 to remove" in planned.stdout
    held = cli("sync", folder, "-c", corpus_name, "--build", "none")
    assert (held.returncode, "11 documents stay" in held.stderr, "--yes" in held.stderr) == (3, True, True)
    lines = held.stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines[:11]] == ["stays"] * 11
    assert lines[11:13] == [
        "0 to add, 0 to change, 0 to rename, 11 held back, 1 unchanged",
        "nothing changed: the removals are held back",
    ]
    assert cli("sync", folder, "-c", corpus_name, "--build", "none", "--yes").returncode == 0


def test_the_command_reads_files_as_its_options_state(
    cli: Cli, client: Tetragraph, corpus_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / "a.csv").write_bytes("key;remark\none;Übergröße\n".encode("cp1252"))
    options = ("--encoding", "cp1252", "--text-column", "remark", "--id-column", "key", "--build", "none")
    done = cli("sync", folder, "-c", corpus_name, *options)
    assert (done.returncode, "guessed" in done.stderr) == (0, False)
    hit = client.corpus(corpus_name).search("Übergröße", method="keyword", k=1).hits[0]
    assert (hit.chunk.document_id, hit.chunk.text) == ("one", "Übergröße")


def test_what_is_skipped_is_not_all_that_there_is(cli: Cli, corpus_name: str, folder: Path) -> None:
    assert cli("sync", folder, "-c", corpus_name, "--build", "none").returncode == 0
    (folder / "broken.csv").write_bytes(b"\0\0\0")
    done = cli("sync", folder, "-c", corpus_name, "--build", "none")
    assert done.returncode == 0
    assert "nothing changed: 1 skipped, everything else is up to date" in done.stdout
    stated = ("valid_from: 2024-13-01", "supersedes: world/n1.md", "supersedes: world/nothing.md")
    for number, line in enumerate(stated):
        write(folder / f"n{number}.md", f"---\n{line}\n---\n# {number}\n\nPage {number}.\n")
    planned = cli("sync", folder, "-c", corpus_name, "--build", "none", "--dry-run")
    assert "add     world/n2.md\n1 to add" in planned.stdout
    done = cli("sync", folder, "-c", corpus_name, "--build", "none")
    for ended in (planned, done):
        assert ended.stderr.count("skipped world/n0.md: valid_from must be a day") == 1
        assert ended.stderr.count("skipped world/n1.md: supersedes must name other documents") == 1
    assert done.stderr.count("skipped world/n2.md: supersedes must name documents of the corpus") == 1
    assert "nothing changed: 4 skipped, everything else is up to date" in done.stdout


def test_removals_come_first_in_a_long_plan(cli: Cli, corpus_name: str, folder: Path) -> None:
    assert cli("sync", folder, "-c", corpus_name, "--build", "none").returncode == 0
    (folder / "halvik.md").unlink()
    for number in range(30):
        write(folder / f"n{number}.md", f"# {number}\n\nPage {number}.\n")
    planned = cli("sync", folder, "-c", corpus_name, "--build", "none", "--dry-run").stdout
    assert planned.startswith("remove  world/halvik.md\nadd     world/n0.md\n")
