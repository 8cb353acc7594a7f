"""Folders and files that only their owner may read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from file_limit import largest_file
from tetragraph.host.private_files import close_to_others, make_private_folder, write_private


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_folder_is_open_to_its_owner_alone(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "home" / "vectors")
    assert rights(tmp_path / "home" / "vectors") == 0o700


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022])
def test_no_umask_opens_a_folder_that_is_created_on_the_way(tmp_path: Path, umask: int) -> None:
    tmp_path.joinpath("shared").mkdir()
    tmp_path.joinpath("shared").chmod(0o755)
    before = os.umask(umask)
    try:
        make_private_folder(tmp_path / "shared" / "data" / "home" / "vectors")
    finally:
        os.umask(before)
    assert [rights(tmp_path / "shared" / path) for path in ("data", "data/home", "data/home/vectors")] == [0o700] * 3
    assert rights(tmp_path / "shared") == 0o755


def test_an_existing_folder_is_closed_to_others(tmp_path: Path) -> None:
    tmp_path.joinpath("arrays").mkdir(mode=0o755)
    make_private_folder(tmp_path / "arrays")
    assert rights(tmp_path / "arrays") == 0o700


def test_a_file_keeps_the_rights_of_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "replies.sqlite"
    file.write_text("texts", encoding="utf-8")
    file.chmod(0o444)
    close_to_others(file)
    assert rights(file) == 0o400


def test_a_file_that_the_disk_has_no_room_for_leaves_what_was_there(tmp_path: Path) -> None:
    write_private(tmp_path / "key", "old")
    with largest_file(100), pytest.raises(OSError, match="File too large"):
        write_private(tmp_path / "key", "x" * 200)
    assert [one.name for one in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").read_text() == "old"
