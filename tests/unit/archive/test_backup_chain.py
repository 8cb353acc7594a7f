"""An incremental backup replaces no file that it needs, and needs a bounded number of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_backups import write_backup
from tetragraph.archive import backup
from tetragraph.archive.backup import _read_base
from tetragraph.errors import InvalidInput


def test_no_file_of_the_chain_is_replaced(tmp_path: Path) -> None:
    monday = write_backup(tmp_path / "monday.tetragraph")
    tuesday = write_backup(tmp_path / "tuesday.tetragraph", since=monday)
    wednesday = write_backup(tmp_path / "wednesday.tetragraph", since=tuesday)
    link = tmp_path / "link.tetragraph"
    link.symlink_to(monday)
    for path in (monday, tuesday, link):
        with pytest.raises(
            InvalidInput, match=r"must not replace a backup that it needs, got .*'wednesday\.tetragraph'"
        ):
            _read_base(path, wednesday)
    base, known = _read_base(tmp_path / "thursday.tetragraph", wednesday)
    assert base
    assert (base.name, len(known)) == ("wednesday.tetragraph", 1)


def test_a_chain_that_is_too_long_is_to_begin_with_a_full_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "MOST_FILES", 3)
    monday = write_backup(tmp_path / "monday.tetragraph")
    tuesday = write_backup(tmp_path / "tuesday.tetragraph", since=monday)
    wednesday = write_backup(tmp_path / "wednesday.tetragraph", since=tuesday)
    assert _read_base(wednesday, tuesday)[0]
    with pytest.raises(InvalidInput, match=r"may need 3 files, .*wednesday\.tetragraph' is the last of 3: make a full"):
        _read_base(tmp_path / "thursday.tetragraph", wednesday)
