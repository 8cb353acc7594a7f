"""Versions of documents are checked before they are written, follow a file of versions, and are searched by day."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from command_line import Cli
from tetragraph import Corpus, Document, Tetragraph

QUESTION = "How many days of leave are there?"


def leave(name: str, days: int, **metadata: str) -> Document:
    return Document(name, f"Leave {name}", f"There are {days} days of leave in a year.", metadata=metadata)


@pytest.fixture
def corpus(client: Tetragraph, corpus_name: str) -> Corpus:
    return client.corpus(corpus_name)


def stored(corpus: Corpus) -> dict[str, object]:
    return {one.id: (one, corpus.document(one.id)) for one in corpus.documents()}


def test_nothing_of_a_faulty_document_is_written(corpus: Corpus) -> None:
    corpus.ingest([leave("2022", 25), leave("2023", 26, supersedes="2022")], build=())
    before = stored(corpus)
    faulty = [
        leave("2022", 27, supersedes="2023"),
        leave("2024", 28, supersedes="2021"),
        leave("2025", 29, valid_from="1.1.2025"),
        leave("2026", 30, valid_from="2026-01-01", valid_to="2025-01-01"),
        leave("2027", 31),
    ]
    report = corpus.ingest(faulty, build=())
    assert report.added == ("2027",)
    assert report.changed == ()
    reasons = {one.source: one.reason for one in report.skipped}
    assert set(reasons) == {"2022", "2024", "2025", "2026"}
    assert "in a cycle" in reasons["2022"]
    assert "got '2021'" in reasons["2024"]
    assert {name: one for name, one in stored(corpus).items() if name != "2027"} == before
    assert {one.source for one in corpus.preview(faulty).skipped} == set(reasons)


def test_a_successor_is_changed_after_its_predecessor_was_deleted_and_gives_way_again(corpus: Corpus) -> None:
    corpus.ingest([leave("2024", 28, supersedes="2023"), leave("2023", 26)], build=())
    assert corpus.search(QUESTION, k=2, method="dense")[1].superseded_by == ("2024",)
    corpus.delete("2023")
    report = corpus.ingest([leave("2024", 29, supersedes="2023")], build=())
    assert report.changed == ("2024",)
    corpus.ingest([leave("2023", 26)], build=())
    corpus.delete("2024")
    (only,) = corpus.search(QUESTION, k=2, method="dense")
    assert only.superseded_by == ()


def test_a_folder_follows_its_file_of_versions(cli: Cli, client: Tetragraph, corpus_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "leave"
    folder.mkdir()
    for year, days in ((2023, 26), (2024, 28)):
        file = folder / f"{year}.md"
        file.write_text(f"# Leave {year}\n\nThere are {days} days of leave in a year.\n", encoding="utf-8")
        os.utime(file, (time.time() - 60, time.time() - 60))
    versions = tmp_path / "versions.csv"
    versions.write_text("id,valid_from,supersedes\nleave/2024.md,2024-01-01,leave/2023.md\n", encoding="utf-8")
    arguments = ("sync", folder, "-c", corpus_name, "--versions", versions, "--build", "none")
    assert cli(*arguments).returncode == 0
    assert "nothing changed" in cli(*arguments).stdout

    def documents(day: str) -> list[str]:
        found = cli("search", QUESTION, "-c", corpus_name, "-m", "dense", "--as-of", day, "--json")
        return [hit["chunk"]["document_id"] for hit in json.loads(found.stdout)["hits"]]

    assert (documents("2023-12-31"), documents("2024-01-01")) == (["leave/2023.md"], ["leave/2024.md"])
    versions.write_text("id,valid_from,supersedes\nleave/2024.md,2025-01-01,leave/2023.md\n", encoding="utf-8")
    assert cli(*arguments).returncode == 0
    assert documents("2024-01-01") == ["leave/2023.md"]
    versions.write_text("id,valid_from\nleave/2024.md,soon\n", encoding="utf-8")
    refused = cli(*arguments)
    assert (refused.returncode, "versions.csv:2: valid_from must be a day" in refused.stderr) == (2, True)
    answer = cli("ask", QUESTION, "-c", corpus_name, "--as-of", "2023-06-30", "-m", "dense", "--extractive")
    assert "26" in answer.stdout


def test_no_note_asks_for_a_correction_that_was_made_with_the_rename(
    client: Tetragraph, corpus_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "leave"
    folder.mkdir()
    for name in ("old", "new", "newer", "draft"):
        stated = "" if name == "old" else "---\nsupersedes: leave/old.md\n---\n"
        text = f"{stated}# Rule {name}\n\nThere are days of leave, as the {name} rule has it.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=())
    (folder / "old.md").rename(folder / "2023.md")
    (folder / "draft.md").unlink()
    (folder / "new.md").write_text(
        (folder / "new.md").read_text(encoding="utf-8").replace("leave/old.md", "leave/2023.md"), encoding="utf-8"
    )
    report = corpus.sync(folder, build=())
    assert report.ingest is not None
    assert (report.plan.renamed, report.plan.changed) == ((("leave/old.md", "leave/2023.md"),), ("leave/new.md",))
    notes = [note for note in report.ingest.notes if "supersede" in note]
    assert ["1 documents supersede" in note and "'leave/newer.md'" in note for note in notes] == [True]
    by_metadata = corpus.search(QUESTION, method="dense", filters={"supersedes": "leave/2023.md"}).hits
    assert {hit.chunk.document_id for hit in by_metadata} == {"leave/new.md", "leave/newer.md"}


@pytest.mark.parametrize("moved", [("2023",), ("2023", "2024")])
def test_a_renamed_predecessor_stays_superseded(
    cli: Cli, client: Tetragraph, corpus_name: str, tmp_path: Path, moved: tuple[str, ...]
) -> None:
    folder = tmp_path / "leave"
    folder.mkdir()
    for year, days, supersedes in ((2023, 26, ""), (2024, 28, "\nsupersedes: leave/2023.md")):
        text = f"---\nvalid_from: {year}-01-01{supersedes}\n---\n# Leave {year}\n\nThere are {days} days of leave.\n"
        (folder / f"{year}.md").write_text(text, encoding="utf-8")
    corpus = client.corpus(corpus_name)
    corpus.sync(folder, build=())
    for name in moved:
        (folder / f"{name}.md").rename(folder / f"leave-{name}.md")
    report = corpus.sync(folder, build=()).ingest
    assert report is not None
    assert any("name them by the new ids now" in note and "'leave/2023.md'" in note for note in report.notes)
    successor = "leave/leave-2024.md" if "2024" in moved else "leave/2024.md"
    found = corpus.search(QUESTION, k=2, method="dense").hits
    assert [(hit.chunk.document_id, hit.superseded_by) for hit in found] == [
        (successor, ()),
        ("leave/leave-2023.md", (successor,)),
    ]
    by_metadata = corpus.search(QUESTION, method="dense", filters={"supersedes": "leave/leave-2023.md"}).hits
    assert [hit.chunk.document_id for hit in by_metadata] == [successor]
    assert client.doctor(corpus=corpus_name).faults == ()
    file = folder / successor.rpartition("/")[2]
    file.write_text(file.read_text(encoding="utf-8").replace("28", "29"), encoding="utf-8")
    refused = corpus.sync(folder, build=()).ingest
    assert refused is not None
    assert "got 'leave/2023.md': correct the id" in refused.skipped[0].reason
