"""The state of a folder shows which files may have changed since the last sync."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tetragraph.indexing.folder_state import FolderState


def write(file: Path, text: str) -> Path:
    """Write a file whose content has the time of all others, some time ago."""
    file.write_text(text, encoding="utf-8")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    return file


def test_two_files_of_one_size_and_time_that_are_swapped_have_both_changed(tmp_path: Path) -> None:
    one, two, aside = write(tmp_path / "one", "brig"), write(tmp_path / "two", "bark"), tmp_path / "aside"
    before = FolderState.look([one, two]).files
    assert FolderState.look([one, two]).files == before
    one.rename(aside)
    two.rename(one)
    aside.rename(two)
    after = FolderState.look([one, two]).files
    assert [after[str(file)] != before[str(file)] for file in (one, two)] == [True, True]


def test_a_file_written_in_place_with_its_old_time_has_changed(tmp_path: Path) -> None:
    file = write(tmp_path / "one", "brig")
    before = FolderState.look([file]).files
    os.utime(file)
    write(file, "bark")
    assert FolderState.look([file]).files != before


def test_files_of_an_earlier_form_count_as_changed_and_their_devices_stay(tmp_path: Path) -> None:
    file = write(tmp_path / "one", "brig")
    seen = FolderState.look([file])
    size, _, changed, _ = seen.files[str(file)]
    (tmp_path / "state").write_text(json.dumps({"files": {str(file): [size, changed]}, "devices": seen.devices}))
    stored = FolderState.load(tmp_path / "state")
    assert stored.files[str(file)] != seen.files[str(file)]
    assert stored.devices == seen.devices


def test_a_state_is_read_as_it_was_stored_and_a_damaged_one_is_empty(tmp_path: Path) -> None:
    seen = FolderState.look([write(tmp_path / "one", "brig")])
    seen.save(tmp_path / "states" / "a.json")
    assert FolderState.load(tmp_path / "states" / "a.json") == seen
    for damaged in ("{", "[]", '{"files": {"a": 1}, "devices": {}}'):
        (tmp_path / "states" / "a.json").write_text(damaged)
        assert FolderState.load(tmp_path / "states" / "a.json") == FolderState()
