"""Files and folders that killed processes left are removed; those of living ones stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tetragraph.errors import StoreError
from tetragraph.host.file_lock import lock_new, remove_unlocked
from tetragraph.host.temporary_folder import temporary_folder


def test_a_locked_file_is_removed_when_its_process_has_ended(tmp_path: Path) -> None:
    file = tmp_path / "part"
    descriptor = lock_new(file)
    assert file.stat().st_mode & 0o777 == 0o600
    remove_unlocked(file)
    assert file.exists()
    os.close(descriptor)
    remove_unlocked(file)
    assert not file.exists()
    remove_unlocked(file)
    with pytest.raises(FileExistsError):
        lock_new(tmp_path)


def test_a_file_behind_a_link_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text", encoding="utf-8")
    (tmp_path / "part").symlink_to(tmp_path / "text")
    remove_unlocked(tmp_path / "part")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["part", "text"]


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    script = (
        "import os, pathlib; from tetragraph.host.temporary_folder import temporary_folder; "
        f"held = temporary_folder(pathlib.Path({str(tmp_path)!r}), 'X'); "
        "(held.__enter__() / 'file').write_text('text'); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    (left,) = tmp_path.glob("*/files/file")
    with temporary_folder(tmp_path, "X") as first, temporary_folder(tmp_path, "X") as second:
        assert not left.parents[1].exists()
        assert first.is_dir(), "that of a living process stays"
        assert list(second.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_a_place_that_is_no_folder_is_reported_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="TETRAGRAPH_CACHE"), temporary_folder(tmp_path / "file", "TETRAGRAPH_CACHE"):
        pass
