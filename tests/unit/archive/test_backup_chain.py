"""An incremental backup replaces no file that it needs, and needs a bounded number of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.archive import backup
from tetragraph.archive.backup import _read_base
from tetragraph.archive.file_format import Base, Manifest, SavedCorpus
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.writing import BackupWriter, complete_or_absent
from tetragraph.errors import InvalidInput
from tetragraph.stores import migrations

CORPUS = SavedCorpus("world", "2026-01-01T00:00:00Z", "bge-small", 4, "{}", 5, 3, (), (), "")


def write(path: Path, since: Path | None = None) -> Path:
    base = None
    if since:
        with BackupReader.open(since) as reader:
            base = Base(since.name, reader.sha256)
    with complete_or_absent(path) as file:
        writer = BackupWriter(file, base)
        writer.write("nodes/Chunk", {"id": "c0", "properties": {}})
        writer.finish(Manifest("0.1.0", migrations.schema_version(), CORPUS, None, {}))
    return path


def test_no_file_of_the_chain_is_replaced(tmp_path: Path) -> None:
    monday = write(tmp_path / "monday.tetragraph")
    tuesday = write(tmp_path / "tuesday.tetragraph", monday)
    wednesday = write(tmp_path / "wednesday.tetragraph", tuesday)
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
    monday = write(tmp_path / "monday.tetragraph")
    tuesday = write(tmp_path / "tuesday.tetragraph", monday)
    wednesday = write(tmp_path / "wednesday.tetragraph", tuesday)
    assert _read_base(wednesday, tuesday)[0]
    with pytest.raises(InvalidInput, match=r"may need 3 files, .*wednesday\.tetragraph' is the last of 3: make a full"):
        _read_base(tmp_path / "thursday.tetragraph", wednesday)
