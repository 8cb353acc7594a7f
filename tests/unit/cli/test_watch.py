"""A sync with --watch goes on when its folder or a store is away for a moment, whatever it was doing then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest

from tetragraph.cli.output import TerminalProgress
from tetragraph.cli.sync import _watch
from tetragraph.errors import CorpusBusy, InvalidInput, StoreUnavailable
from tetragraph.indexing.sync import SyncReport
from tetragraph.indexing.sync_plan import SyncPlan
from tetragraph.model import Unreadable

Step = Callable[[], SyncPlan]


@pytest.fixture(autouse=True)
def short_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that comes before the system watches the folder is found soon."""
    monkeypatch.setattr("tetragraph.cli.sync.PERIOD_S", 2)


def watch(folder: Path, *steps: Step, progress: TerminalProgress | None = None) -> None:
    """Watch with a sync that takes one step each time, and is interrupted after the last."""
    left = iter(steps)

    def run() -> SyncReport:
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        return SyncReport(step())

    with pytest.raises(KeyboardInterrupt):
        _watch(folder, run, progress or TerminalProgress(quiet=True), json=False)


def failing(folder: Path, error: Exception) -> Step:
    """A step that fails, while a file of the folder changes a moment later."""

    def step() -> SyncPlan:
        touch_soon(folder)
        raise error

    return step


def touch_soon(folder: Path) -> None:
    Timer(0.5, (folder / "a.md").write_text, ["changed"]).start()


def test_the_first_sync_is_tried_again_when_a_store_is_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def succeed() -> SyncPlan:
        touch_soon(tmp_path)
        return SyncPlan(unchanged=7)

    away, busy = StoreUnavailable("Neo4j does not answer"), CorpusBusy("it is being changed")
    watch(tmp_path, failing(tmp_path, away), failing(tmp_path, busy), succeed)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["not now: Neo4j does not answer", "not now: it is being changed"]
    assert "7 unchanged" in printed.out


def test_a_folder_that_is_away_is_read_when_it_is_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, away = tmp_path / "docs", tmp_path / "away"
    folder.mkdir()

    def leave() -> SyncPlan:
        folder.rename(away)
        Timer(1.5, away.rename, [folder]).start()
        raise InvalidInput("a sync follows a folder, which is none now")

    watch(folder, leave, lambda: SyncPlan(unchanged=3))
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["not now: a sync follows a folder, which is none now"]
    assert "3 unchanged" in printed.out


def test_a_wrong_argument_ends_it(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such loader"):
        watch(tmp_path, failing(tmp_path, InvalidInput("no such loader")))


def test_the_progress_of_a_sync_ends_with_it(tmp_path: Path) -> None:
    class Progress(TerminalProgress):
        resets = 0

        def reset(self) -> None:
            super().reset()
            self.resets += 1

    progress = Progress(quiet=True)

    def succeed() -> SyncPlan:
        touch_soon(tmp_path)
        return SyncPlan()

    watch(tmp_path, failing(tmp_path, CorpusBusy("it is being changed")), succeed, progress=progress)
    assert progress.resets == 3


def test_what_is_found_again_is_not_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = Unreadable("a.md", "valid_from must be a day")

    def find(*added: str, skipped: tuple[Unreadable, ...] = (), unchanged: int = 0) -> Step:
        def step() -> SyncPlan:
            touch_soon(tmp_path)
            return SyncPlan(added, skipped=skipped, unchanged=unchanged)

        return step

    plans = [find("a.md"), find("a.md", unchanged=1), find(skipped=(faulty,)), find(skipped=(faulty,)), find()]
    watch(tmp_path, *plans, find("b.md"))
    printed = capsys.readouterr()
    assert [line for line in printed.out.splitlines() if line.startswith("add")] == ["add     a.md", "add     b.md"]
    assert len(printed.out.splitlines()) == 2 + 3
    assert printed.err.splitlines() == ["skipped a.md: valid_from must be a day"]
