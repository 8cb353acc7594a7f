"""Files of rollouts: every form can be written as every kind of file, and a place is checked before the episodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from pyarrow import parquet

from file_limit import largest_file
from tetragraph.errors import InvalidInput, StoreError
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model.episodes import Episode, Reward, Turn
from tetragraph.rl.rollout_files import check_file, write_rows
from tetragraph.rl.rollouts import Form, Rollout, Rollouts

MANIFEST = {"corpus": "demo", "filters": {}, "options": {"turns": 3}}
EPISODE = Episode(
    "Who?",
    "scripted",
    ("Query the facts.", "Who?"),
    (Turn(1, "<think>a</think><answer>Ada</answer>", "a", "", "Ada", ""),),
    "answered",
    reward=Reward(0.5, 1.0, -0.5),
    manifest=MANIFEST,
)
FOUND = Rollouts((Rollout(GoldQuestion("q1", "Who?", answers=("Ada",)), EPISODE),))


@pytest.mark.parametrize("form", get_args(Form))
def test_a_table_has_the_rows_of_each_form(form: Form, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    FOUND.write(file, form)
    (row,) = parquet.read_table(file).to_pylist()
    if form == "episodes":
        row["manifest"] = json.loads(row["manifest"])
    assert row == json.loads(json.dumps(FOUND[0].row(form)))


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_rows_that_cannot_be_written_leave_the_file_as_it_was(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"rows{suffix}"
    file.write_text("kept")
    with largest_file(1000), pytest.raises(StoreError, match="raise the limit of file sizes"):
        write_rows([{"text": str(number)} for number in range(2000)], file)
    assert file.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [file]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    for place in (folder, Path("/proc/none.jsonl")):
        with pytest.raises(InvalidInput, match="a file of rollouts needs a place that can be written to, got"):
            check_file(place)
    with pytest.raises(InvalidInput, match="the folder of a file must exist"):
        check_file(tmp_path / "none" / "rows.jsonl")
