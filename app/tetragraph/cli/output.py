"""Output of the commands: results on standard output, everything else on standard error."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """Print one JSON document on standard output, keys in the order of the fields."""
    out.print(json.dumps(plain(value), ensure_ascii=False, indent=2), soft_wrap=True, markup=False)


def plain(value: Any) -> Any:
    """Convert dataclasses, paths and tuples to types of JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return value


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None) -> None:
    """Print a table on standard output; numbers, and texts justified to the right, are aligned to the right."""
    grid = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        right = bool(rows) and all(_is_right(row[index]) for row in rows)
        grid.add_column(column, justify="right" if right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(_cell(cell)) for cell in row))
    out.print(grid)


def _is_right(cell: Any) -> bool:
    return cell.justify == "right" if isinstance(cell, Text) else isinstance(cell, int | float)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


class Rate(ProgressColumn):
    """A column with the rate in units per second."""

    def render(self, task: Task) -> Text:
        """Text of the column."""
        unit = task.fields.get("unit", "")
        if not task.speed:
            return Text("")
        if unit == "bytes":
            return Text(f"{task.speed / 1e6:.1f} MB/s", style="cyan")
        return Text(f"{task.speed:,.0f} {unit}/s", style="cyan")


class TerminalProgress:
    """Progress as text: bars with rate and remaining time on a terminal, one line for each stage elsewhere.

    Use it as a context manager; it implements ``tetragraph.Progress``.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._bars = RichProgress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
            console=err,
            disable=quiet or not err.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._began: dict[str, float] = {}
        self._done: dict[str, tuple[int, str]] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()
        if isinstance(error, KeyboardInterrupt):  # typer turns it into an exit code and drops its notes
            for note in getattr(error, "__notes__", []):
                err.print(note, markup=False, soft_wrap=True)

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Show the start of a stage."""
        self._began[stage] = time.monotonic()
        self._done[stage] = (0, unit)
        self._tasks[stage] = self._bars.add_task(stage, total=total, unit=unit)

    def advance(self, stage: str, amount: int = 1) -> None:
        """Show that ``amount`` more units are done."""
        done, unit = self._done[stage]
        self._done[stage] = (done + amount, unit)
        self._bars.advance(self._tasks[stage], amount)

    def finish(self, stage: str) -> None:
        """Show the end of the stage."""
        done, unit = self._done[stage]
        self._bars.update(self._tasks[stage], total=done, completed=done)
        if not self._quiet and not err.is_terminal and (done or not unit):
            amount = f"{done / 1e6:.1f} MB in " if unit == "bytes" else f"{done:,} {unit} in " if done else ""
            err.print(f"{stage}: {amount}{time.monotonic() - self._began[stage]:.1f} s")
