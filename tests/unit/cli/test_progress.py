"""Progress without a terminal: lines, so that a log shows that work goes on."""

from __future__ import annotations

import threading
import time
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from tetragraph.cli import output
from tetragraph.cli.output import TerminalProgress


class _Lines(Console):
    """Standard error without a terminal; sets an event when a line is printed."""

    def __init__(self) -> None:
        super().__init__(file=StringIO(), force_terminal=False)
        self.texts: list[str] = []
        self.has_come = threading.Event()

    def print(self, *texts: Any, **_: Any) -> None:
        self.texts += texts
        self.has_come.set()


def _lines(monkeypatch: pytest.MonkeyPatch) -> _Lines:
    """Standard error, on which progress prints a line every hundredth of a second."""
    lines = _Lines()
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.01)
    return lines


def _clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that progress reads, the only element, in seconds."""
    now = [0.0]
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def _first_line(progress: TerminalProgress, lines: _Lines) -> str:
    """The first line that a progress prints."""
    with progress:
        assert lines.has_come.wait(30)
    return lines.texts[0]


def test_a_running_stage_prints_lines_with_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _lines(monkeypatch)
    progress = TerminalProgress()
    progress.start("documents", None, "documents")
    progress.start("embedding", 40, "chunks")
    progress.advance("embedding", 30)
    progress.start("embedding", 1_000, "chunks")
    assert _first_line(progress, lines).startswith("… documents 0 documents, embedding 30/1,000 chunks; ")


def test_a_total_that_is_exceeded_is_no_longer_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _lines(monkeypatch)
    progress = TerminalProgress()
    progress.start("documents", 400, "documents")
    progress.advance("documents", 400)
    progress.advance("documents", 880)
    assert _first_line(progress, lines).startswith("… documents 1,280 documents; ")


@pytest.mark.parametrize(("seconds_ago", "left"), [(3.0, "9 s"), (600.0, "30 min")])
def test_a_line_tells_the_time_left_at_the_rate_so_far(
    monkeypatch: pytest.MonkeyPatch, seconds_ago: float, left: str
) -> None:
    lines, now = _lines(monkeypatch), _clock(monkeypatch)
    progress = TerminalProgress()
    progress.start("documents", 1, "documents")
    progress.start("embedding", 1_000, "chunks")
    now[0] = seconds_ago
    progress.advance("embedding", 250)
    assert _first_line(progress, lines).endswith(f"250/1,000 chunks; 0 s, about {left} left")


def _line(monkeypatch: pytest.MonkeyPatch, total: int, advances: list[tuple[float, int]]) -> str:
    """The line of an ingest of ``total`` documents at the last of some moments, each with the documents done then."""
    lines, now = _lines(monkeypatch), _clock(monkeypatch)
    progress = TerminalProgress()
    progress.start("documents", total, "documents")
    progress.start("embedding", 40, "chunks")
    progress.advance("embedding", 39)
    for moment, amount in advances:
        now[0] = moment
        progress.advance("documents", amount)
    return _first_line(progress, lines)


def test_the_time_left_is_unknown_at_the_start_whatever_the_chunks_read_so_far_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "left" not in _line(monkeypatch, 211, [])
    assert "left" not in _line(monkeypatch, 211, [(20.0, 1)])
    assert _line(monkeypatch, 211, [(20.0, 1), (30.0, 59)]).endswith("about 1 min left")


def test_the_rate_is_that_of_the_last_minute_not_of_what_was_passed_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [(1.0 + second, 1_000) for second in range(5)]
    assert _line(monkeypatch, 10_000, passed).endswith("about 5 s left")
    written = [(40.0, 200), (80.0, 200), (120.0, 200)]
    assert _line(monkeypatch, 10_000, passed + written).endswith("about 15 min left")


def test_the_time_left_counts_down_between_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = [(20.0, 100), (40.0, 100)]
    assert _line(monkeypatch, 400, batches).endswith("about 40 s left")
    assert _line(monkeypatch, 400, [*batches, (55.0, 0)]).endswith("about 25 s left")
    assert "left" not in _line(monkeypatch, 400, [*batches, (90.0, 0)])


def test_a_stage_that_had_nothing_to_do_leaves_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr(output, "err", terminal)
    monkeypatch.setattr(output, "_bars", terminal)
    with TerminalProgress() as progress:
        progress.start("documents", 2, "documents")
        progress.start("embedding", None, "chunks")
        progress.advance("documents", 2)
        progress.finish("embedding")
        progress.finish("documents")
    last = terminal.file.getvalue().rpartition("documents")  # type: ignore[attr-defined]  # the file of this test
    assert "2/2" in last[2]
    assert "embedding" not in last[2]


def test_a_quiet_progress_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _Lines()
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.0)
    with TerminalProgress(quiet=True) as progress:
        progress.start("embedding", 40, "chunks")
        assert not lines.has_come.wait(0.05)


def test_between_two_works_nothing_is_shown_and_the_time_is_that_of_the_present_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines, now = _lines(monkeypatch), _clock(monkeypatch)
    with TerminalProgress() as progress:
        progress.start("documents", 2, "documents")
        progress.start("terms", 5, "changes")
        progress.finish("terms")
        progress.reset()
        time.sleep(0.1)  # a line that was being printed is printed
        lines.texts.clear()
        lines.has_come.clear()
        assert not lines.has_come.wait(0.1)
        now[0] = 600.0
        progress.start("embedding", 40, "chunks")
        assert lines.has_come.wait(30)
    assert lines.texts[-1] == "… embedding 0/40 chunks; 0 s"


def test_bars_of_an_ended_work_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr(output, "err", terminal)
    monkeypatch.setattr(output, "_bars", terminal)
    with TerminalProgress() as progress:
        for stage in ("documents", "terms"):
            progress.start(stage, 2, stage)
        progress.finish("terms")
        progress.reset()
        progress.advance("documents")
        progress.start("embedding", 40, "chunks")
    last = terminal.file.getvalue().rpartition("embedding")  # type: ignore[attr-defined]  # the file of this test
    assert "0/40" in last[2]
    assert "documents" not in last[0].rpartition("embedding")[2] + last[2]
