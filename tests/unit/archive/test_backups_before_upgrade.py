"""The check before an upgrade names for each backup what is to be done, and what was checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_backups import write_backup
from tetragraph import Settings, Tetragraph
from tetragraph.archive import file_format
from tetragraph.stores import migrations

COPY = "use another copy of the file, or make the backup again"
LATER = "keep the version that made it, or install a later one"
BASE = "put the base that it was made with beside it"
READABLE = "name a file that can be read"


def check(folder: Path, *paths: Path) -> list[tuple[str, bool, str, str]]:
    """The lines of backups, without any store: subject, whether nothing is to be done, detail and action."""
    report = Tetragraph.check_upgrade(Settings(home=folder / "home", neo4j_uri=""), backups=paths)
    return [(one.subject, one.is_current, one.detail, one.action) for one in report.steps[1:]]


def test_a_file_that_cannot_be_used_has_the_remedy_of_its_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = write_backup(tmp_path / "whole")
    text, cut = tmp_path / "text", tmp_path / "cut"
    text.write_text("Halvik is a town by the sea.", encoding="utf-8")
    cut.write_bytes(whole.read_bytes()[:1500])
    schema = write_backup(tmp_path / "schema", schema=migrations.schema_version() + 1)
    moved = tmp_path / "moved"
    moved.mkdir()
    lone = write_backup(tmp_path / "lone", since=whole).rename(moved / "lone")
    missing = tmp_path / "missing"
    found = check(tmp_path, text, cut, missing, schema, lone, tmp_path, whole)
    assert [one[0] for one in found] == [
        f"backup {path}" for path in (text, cut, missing, schema, lone, tmp_path, whole)
    ]
    assert [one[3] for one in found] == [COPY, COPY, READABLE, LATER, BASE, READABLE, ""]
    assert [one[1] for one in found] == [False] * 6 + [True]
    write_backup(moved / "whole", rows=2)
    ((_, _, detail, action),) = check(tmp_path, lone)
    assert ("is another backup than the base" in detail, action) == (True, BASE)
    monkeypatch.setattr(file_format, "VERSION", 0)
    ((_, _, detail, action),) = check(tmp_path, whole)
    assert ("reads backups up to format 0, this one has format 1" in detail, action) == (True, LATER)


def test_the_line_of_a_backup_states_what_was_checked(tmp_path: Path) -> None:
    newest, whole = migrations.schema_version(), write_backup(tmp_path / "whole")
    increment = write_backup(tmp_path / "increment", since=whole)
    old = write_backup(tmp_path / "old", schema=newest - 1)
    checked = "; only format and schema were checked, `tetragraph verify` checks the contents"
    assert [one[1:3] for one in check(tmp_path, whole, increment, old)] == [
        (True, f"of tetragraph 0.1.0, format 1, schema {newest}{checked}"),
        (True, f"of tetragraph 0.1.0, format 2, schema {newest}{checked}"),
        (
            True,
            f"of tetragraph 0.1.0, format 1, schema {newest - 1}, which a restore brings to schema {newest}{checked}",
        ),
    ]
