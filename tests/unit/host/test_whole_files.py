"""A file is complete, or as it was before; what is no file of its own is written to and stays."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from file_limit import largest_file
from tetragraph.host.whole_files import check_writable, save_whole, write_whole

NOWHERE = Path("/proc/none/such.json")


def test_a_file_that_cannot_be_completed_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    write_whole(file, "one\r\n")
    with largest_file(1000), pytest.raises(OSError, match="File too large"):
        write_whole(file, "x" * 5000)
    assert file.read_bytes() == b"one\r\n"
    assert list(tmp_path.iterdir()) == [file]


def test_links_and_pipes_are_written_to_and_stay(tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    link.symlink_to(file)
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text(encoding="utf-8")))
    for place in (link, Path(os.devnull)):
        check_writable(place)
        write_whole(place, "one")
    check_writable(pipe)
    reader.start()
    write_whole(pipe, "two")
    reader.join()
    assert (found, pipe.is_fifo(), link.is_symlink(), file.read_text()) == (["two"], True, True, "one")
    assert Path(os.devnull).is_char_device()


def test_a_place_is_checked_without_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "new" / "file.json"
    check_writable(file)
    assert list(tmp_path.rglob("*")) == [file.parent]
    for refused in (file.parent, NOWHERE, Path("/proc/none.json")):
        with pytest.raises(OSError, match="director"):
            check_writable(refused)


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # a superuser may write to every file
    with pytest.raises(PermissionError):
        check_writable(file)


def test_the_writer_makes_the_file_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "file"
    save_whole(file, lambda beside: beside.write_text(str(file.exists())))
    assert file.read_text() == "False"
