"""Progress without a terminal: lines, so that a log shows that work goes on."""

from __future__ import annotations

import threading
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


def test_a_running_stage_prints_lines_with_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _Lines()
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.01)
    progress = TerminalProgress()
    progress.start("documents", None, "documents")
    progress.start("embedding", 40, "chunks")
    progress.advance("embedding", 30)
    progress.start("embedding", 1_000, "chunks")
    with progress:
        assert lines.has_come.wait(30)
    assert lines.texts[0].startswith("… documents 0 documents, embedding 30/1,000 chunks; ")


def test_a_total_that_is_exceeded_is_no_longer_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _Lines()
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.01)
    progress = TerminalProgress()
    progress.start("documents", 400, "documents")
    progress.advance("documents", 400)
    progress.advance("documents", 880)
    with progress:
        assert lines.has_come.wait(30)
    assert lines.texts[0].startswith("… documents 1,280 documents; ")


@pytest.mark.parametrize(("seconds_ago", "left"), [(3.0, "9 s"), (600.0, "30 min")])
def test_a_line_tells_the_time_left_at_the_rate_so_far(
    monkeypatch: pytest.MonkeyPatch, seconds_ago: float, left: str
) -> None:
    lines, now = _Lines(), [0.0]
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.01)
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: now[0]))
    progress = TerminalProgress()
    progress.start("documents", 1, "documents")
    progress.start("embedding", 1_000, "chunks")
    progress.advance("embedding", 250)
    now[0] = seconds_ago
    with progress:
        assert lines.has_come.wait(30)
    assert lines.texts[0].endswith(f"250/1,000 chunks; 0 s, about {left} left")


def test_a_quiet_progress_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _Lines()
    monkeypatch.setattr(output, "err", lines)
    monkeypatch.setattr(output, "LINE_S", 0.0)
    with TerminalProgress(quiet=True) as progress:
        progress.start("embedding", 40, "chunks")
        assert not lines.has_come.wait(0.05)
