"""Gone and new documents of equal content are paired by file name and id, in one pass; each id is taken once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tetragraph.indexing.followed_folder import FollowedFolder
from tetragraph.indexing.sources import File, read_file
from tetragraph.indexing.sync_plan import Followed, Survey, _New, _pair, survey
from tetragraph.indexing.sync_source import Stored, Visit
from tetragraph.model import Document
from tetragraph.model.reading import ReadingOptions
from tetragraph.progress import NoProgress
from tetragraph.stores.corpus import CorpusStores

FILE = File(Path("a.md"), "a.md", "a.md")


def _gone(name: str, content: str) -> Stored:
    return Stored(name, content, f"/old/{name}", name)


def _new(name: str, content: str) -> _New:
    return _New(content, f"/new/{name}", name, FILE)


def test_a_file_of_the_same_name_is_preferred_and_the_others_follow_in_order() -> None:
    gone = [_gone(name, content) for name, content in (("a", "x"), ("b", "x"), ("c", "x"), ("d", "y"), ("e", ""))]
    new = {name: _new(name, content) for name, content in (("z", "x"), ("b", "x"), ("m", "x"), ("q", "y"), ("r", ""))}
    assert [(one.old, one.new) for one in _pair(new, gone)] == [("a", "m"), ("b", "b"), ("c", "z"), ("d", "q")]
    assert [(one.old, one.new) for one in _pair({"n": _new("n", "x")}, gone)] == [("a", "n")]
    assert [(one.old, one.new) for one in _pair(new, gone[:1])] == [("a", "b")]


def test_each_of_many_documents_of_equal_content_is_looked_at_a_fixed_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    def note(path: str) -> Path:
        seen.append(path)
        return Path(path)

    monkeypatch.setattr("tetragraph.indexing.sync_plan.Path", note)
    names = [f"{number:03}" for number in range(200)]
    gone = [_gone(name, "x") for name in names]
    found = _pair({f"n{name}": _new(f"n{name}", "x") for name in names}, gone)
    assert [(one.old, one.new) for one in found] == [(name, f"n{name}") for name in names]
    assert len(seen) == 2 * len(names)


class _Corpus:
    """Stores of a corpus with some documents from files."""

    name = "corpus"

    def __init__(self, *stored: Stored) -> None:
        self._stored = stored

    @property
    def graph(self) -> _Corpus:
        return self

    def pages(self, *_: object, **__: object) -> Iterator[dict[str, Any]]:
        names = ("id", "sha256", "origin", "source")
        yield from ({name: getattr(one, name) for name in names} for one in self._stored)

    def read(self, *_: object, **__: object) -> list[dict[str, Any]]:
        return []


def _survey(folder: Path, *stored: Stored, versions: Path | None = None) -> Survey:
    visit = Visit(folder.parent / "state.json", folder.parent, afresh=False, progress=NoProgress())
    stores = cast("CorpusStores", _Corpus(*stored)) if stored else None
    return survey(stores, Followed(FollowedFolder(folder), None, ReadingOptions(versions=versions)), visit)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.jsonl").write_text('{"id": "7", "text": "The office is in Oslo."}\n')
    return tmp_path / "docs"


def _repeat(folder: Path) -> None:
    rows = '{"id": "8", "text": "The port is in Bergen."}\n{"id": "7", "text": "The office is in Rome."}\n'
    (folder / "b.jsonl").write_text(rows)


def test_an_id_that_two_new_files_have_is_that_of_the_first(folder: Path) -> None:
    _repeat(folder)
    plan = _survey(folder).plan
    assert plan.added == ("7", "8")
    places = f"'7' of {folder / 'b.jsonl'}:2 is taken by {folder / 'a.jsonl'}:1; change one of them"
    assert [(one.source, places in one.reason) for one in plan.skipped] == [("docs/b.jsonl:2", True)]


def test_an_id_of_a_file_that_has_not_changed_is_not_taken_by_a_new_file(folder: Path) -> None:
    os.utime(folder / "a.jsonl", (0, 0))  # a file that was written just now is read again
    first = _survey(folder)
    first.look.save(folder.parent / "state.json")
    _repeat(folder)
    seven = Stored("7", "hash", str(folder / "a.jsonl"), "docs/a.jsonl:1")
    found = _survey(folder, seven)
    assert (found.plan.added, found.plan.changed, found.plan.unchanged) == (("8",), (), 1)
    assert [f"is taken by {folder / 'a.jsonl'}; change" in one.reason for one in found.plan.skipped] == [True]
    assert found.taken == {"7": str(folder / "a.jsonl")}
    (folder / "a.jsonl").unlink()
    moved = _survey(folder, seven)
    assert (moved.plan.added, moved.plan.changed, moved.plan.skipped, moved.taken) == (("8",), ("7",), (), {})


def test_rows_of_the_file_of_versions_that_are_of_no_document_of_the_source_are_reported(folder: Path) -> None:
    (folder / "bad.csv").write_bytes(b"\0\0\0")
    versions = folder.parent / "versions.csv"
    versions.write_text("id,valid_from\n7,2024-01-01\nbad,2024-01-01\ngone,2024-01-01\n9,2024-01-01\n")
    stored = {"bad": "bad.csv", "gone": "gone.md"}
    documents = [Stored(name, "hash", str(folder / file)) for name, file in stored.items()]
    found = _survey(folder, *documents, versions=versions).plan
    rule = "a row of the file of versions must be of a document of the source"
    assert [one.source for one in found.skipped if rule in one.reason] == ["gone", "9"]
    assert (found.added, found.removed) == (("7",), ("gone",))


def test_documents_that_break_a_rule_are_skipped_and_what_is_stored_of_them_stays(folder: Path) -> None:
    rows = ("7", "2024-13-01"), ("8", "2024-01-01"), ("9", "2024-02-30")
    lines = [f'{{"id": "{name}", "text": "The office is in Oslo.", "valid_from": "{day}"}}\n' for name, day in rows]
    (folder / "a.jsonl").write_text("".join(lines[:2]))
    (folder / "b.jsonl").write_text(lines[2])
    (folder / "c.jsonl").write_text('{"id": "9", "text": "The office is in Rome."}\n')
    found = _survey(folder, Stored("7", "hash", str(folder / "old.jsonl"), "docs/old.jsonl:1"))
    assert (found.plan.added, found.plan.changed, found.plan.removed) == (("8",), (), ())
    assert [one.source for one in found.plan.skipped] == ["docs/a.jsonl:1", "docs/b.jsonl:1", "docs/c.jsonl:1"]
    assert "valid_from must be a day" in found.plan.skipped[0].reason
    assert found.taken == {"9": f"{folder / 'b.jsonl'}:1"}
    assert not found.look.state.files  # type: ignore[attr-defined]  # the look of a folder


def test_rows_behind_a_quote_that_is_not_closed_stay(folder: Path) -> None:
    (folder / "a.jsonl").unlink()
    table = folder / "a.csv"
    table.write_text('id,text\n7,"The office is in Oslo.\n8,The port is in Bergen.\n')
    stored = (Stored(name, "hash", str(table), f"docs/a.csv:{line}") for name, line in (("7", 2), ("8", 3)))
    found = _survey(folder, *stored).plan
    assert found.removed == ()
    assert ["lines 2 to 3 were not read" in one.reason for one in found.skipped] == [True]


def test_a_stored_document_that_breaks_a_later_rule_is_unchanged(folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"id": "7", "text": "The office is in Oslo.", "valid_from": "2024-13-01"}')
    (document,) = read_file(File(folder / "a.jsonl", "docs/a.jsonl"))
    assert isinstance(document, Document)
    found = _survey(folder, Stored("7", document.sha256, str(folder / "a.jsonl"), "docs/a.jsonl:1")).plan
    assert (found.unchanged, found.skipped) == (1, ())
