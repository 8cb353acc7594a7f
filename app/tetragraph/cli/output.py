"""Output of the commands: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
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
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from tetragraph.host.system_errors import report_unwritable
from tetragraph.host.whole_files import check_writable, write_whole
from tetragraph.model.display import to_plain

LINE_S = 10.0
"""Seconds between two lines of progress without a terminal."""
_MINUTE_S = 60
_LEAST_SHARE = 0.02
"""Share of a stage that is done before its remaining time is estimated: the start is no measure of the rest."""
_RATE_S = 60.0
"""Seconds over which the rate is measured: what needs no work is passed quickly after a restart."""
_LEAST_MOMENTS = 3
"""Number of moments of progress over which it is measured at least."""
UNLIMITED_COLUMNS = 100_000
"""Width of a file or pipe: no line is wrapped there."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that command a terminal, or change the direction of its text; newline and tab are none of them."""

_WRITTEN = "the output"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class LineConsole(Console):
    """A console that wraps nothing unless it writes to a terminal, so that a line can be searched for or copied.

    ``COLUMNS`` sets the width of both. Terminals wrap long lines by themselves, and copy them whole. Control characters
    in texts, which may be those of documents and models, are removed.
    """

    @property
    def size(self) -> ConsoleDimensions:
        """Size of the terminal; otherwise so wide that every line fits."""
        known = super().size
        if self.is_terminal or self._environ.get("COLUMNS", "").isdecimal():
            return known
        return ConsoleDimensions(UNLIMITED_COLUMNS, known.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Segments of an object, without the characters of texts that command a terminal."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(_CONTROL.sub("", segment.text), segment.style)


out = LineConsole(highlight=False, emoji=False, soft_wrap=True)
err = LineConsole(stderr=True, highlight=False, emoji=False, soft_wrap=True)
_bars = Console(stderr=True, highlight=False)
"""Draws bars, which must not be longer than a line of the terminal."""


def print_json(value: Any) -> None:
    """Print one JSON document on standard output, keys in the order of the fields."""
    print_json_text(json.dumps(to_plain(value), ensure_ascii=False, indent=2) + "\n")


def print_json_text(text: str) -> None:
    """Print text in JSON for other programs; where the encoding lacks a character, as JSON's escape sequences."""
    try:
        text.encode(getattr(out.file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = _NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)
    print_data(text)


def print_data(text: str) -> None:
    """Print text for other programs on standard output: as it is, unless that is a terminal."""
    if out.is_terminal:
        out.print(text, end="", soft_wrap=True, markup=False)
    else:
        out.file.write(text)


def write_text(file: Path, text: str) -> None:
    """Replace a file, whose folder is made if it is missing; after an error it is as it was.

    Raises:
        InvalidInput: there can be no such file.
        StoreError: the disk is full, or another resource is used up.
    """
    with report_unwritable(file, _WRITTEN):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)


def check_place(file: Path | None) -> None:
    """Check that :func:`write_text` can write a file, if there is one to write; for the errors see there."""
    if file is None:
        return
    with report_unwritable(file, _WRITTEN):
        check_writable(file)


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None) -> None:
    """Print a table on standard output; numbers, and texts justified to the right, are aligned to the right.

    Cells are wrapped between words to fit a terminal; no word, such as an id or a link, is divided.
    """
    grid = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        right = bool(rows) and all(_is_right(row[index]) for row in rows)
        words = [word for row in rows for word in _text(row[index]).plain.split()]
        longest = max(map(cell_len, [*column.split(), *words]), default=0)
        grid.add_column(Text(column), justify="right" if right else "left", min_width=longest)
    for row in rows:
        grid.add_row(*map(_text, row))
    out.print(grid, soft_wrap=False, crop=False)


def _text(cell: Any) -> Text:
    return cell if isinstance(cell, Text) else Text(_cell(cell))


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
    """Progress as text: bars with rate and remaining time; without a terminal a line a stage, and every ten seconds.

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
            console=_bars,
            disable=quiet or not err.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._running: list[str] = []
        self._totals: dict[str, int | None] = {}
        self._ended = threading.Event()
        self._work_began: float | None = time.monotonic()
        self._began: dict[str, float] = {}
        self._moments: dict[str, deque[tuple[float, int]]] = {}
        self._done: dict[str, tuple[int, str]] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        self._work_began = time.monotonic()
        if not self._quiet and not err.is_terminal:
            threading.Thread(target=self._print_lines, name="progress", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._bars.stop()
        if isinstance(error, KeyboardInterrupt):  # typer turns it into an exit code and drops its notes
            for note in getattr(error, "__notes__", []):
                err.print(note, markup=False, soft_wrap=True)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bars while the terminal shows a question."""
        self._bars.stop()
        try:
            yield
        finally:
            self._bars.start()

    def start(self, stage: str, total: int | None, unit: str) -> None:
        """Show the start of a stage, or a new total of a running one."""
        self._totals[stage] = total
        if stage in self._running:
            self._bars.update(self._tasks[stage], total=total)
            return
        self._began.pop(stage, None)  # so that the last one is the last that began
        self._began[stage] = time.monotonic()
        if self._work_began is None:
            self._work_began = self._began[stage]
        self._moments[stage] = deque([(self._began[stage], 0)])
        self._done[stage] = (0, unit)
        self._tasks[stage] = self._bars.add_task(stage, total=total, unit=unit)
        self._running.append(stage)

    def advance(self, stage: str, amount: int = 1) -> None:
        """Show that ``amount`` more units are done; a total that they exceed was an estimate, and is not shown then."""
        done, unit = self._done[stage]
        self._done[stage] = (done + amount, unit)
        if amount:
            self._remember(stage, done + amount)
        self._bars.advance(self._tasks[stage], amount)
        total = self._totals[stage]
        if total is not None and done + amount > total:
            self._totals[stage] = None
            self._bars.update(self._tasks[stage], total=None)

    def finish(self, stage: str) -> None:
        """Show the end of the stage; one that had nothing to do is not shown any more."""
        done, unit = self._done[stage]
        is_shown = bool(done or not unit)
        if stage in self._running:
            self._running.remove(stage)
        self._bars.update(self._tasks[stage], total=done, completed=done, visible=is_shown)
        if not self._quiet and not err.is_terminal and is_shown:
            amount = f"{done / 1e6:.1f} MB in " if unit == "bytes" else f"{done:,} {unit} in " if done else ""
            err.print(f"{stage}: {amount}{time.monotonic() - self._began[stage]:.1f} s")

    def reset(self) -> None:
        """Forget the stages, as the work that had them has ended: none is shown until the next work begins."""
        for task in self._bars.tasks:
            if task.description in self._running:
                self._bars.update(task.id, visible=False)  # of a failed work, whose threads may still advance it
            else:
                self._bars.remove_task(task.id)
        self._running.clear()
        self._work_began = None

    def _print_lines(self) -> None:
        """Print a line with the running stages, or the last one, every ten seconds until the end of the work."""
        while not self._ended.wait(LINE_S):
            shown = list(self._running) or list(self._began)[-1:]
            began = self._work_began
            if shown and began is not None:
                stages = ", ".join(f"{stage} {self._so_far(stage)}" for stage in shown)
                elapsed = f"{time.monotonic() - began:.0f} s{self._time_left(shown)}"
                err.print(f"… {stages}; {elapsed}", markup=False, soft_wrap=True)

    def _remember(self, stage: str, done: int) -> None:
        """Keep the amount done at this moment, and forget those from before the time over which rates are measured."""
        now, moments = time.monotonic(), self._moments[stage]
        if len(moments) > 1 and now - moments[-1][0] < 1:
            moments[-1] = (moments[-1][0], done)
        else:
            moments.append((now, done))
        while len(moments) > _LEAST_MOMENTS and moments[1][0] < now - _RATE_S:
            moments.popleft()

    def _time_left(self, stages: Sequence[str]) -> str:
        """The remaining time of the first stage at its recent rate; of the next one, if it is a stage of one unit.

        Later stages know the part of their total that the first one has begun. The rate is that up to the last advance,
        as documents advance by batches; the time since then counts down.
        """
        stage = next((stage for stage in stages if self._totals[stage] != 1), stages[-1])
        done, total = self._done[stage][0], self._totals[stage]
        if total is None or not _LEAST_SHARE * total <= done < total:
            return ""
        (began, before), (last, _) = self._moments[stage][0], self._moments[stage][-1]
        seconds = (last - began) * (total - done) / (done - before) - (time.monotonic() - last)
        if seconds <= 0:
            return ""
        left = f"{seconds:.0f} s" if seconds < _MINUTE_S else f"{seconds / _MINUTE_S:.0f} min"
        return f", about {left} left"

    def _so_far(self, stage: str) -> str:
        done, unit = self._done[stage]
        total = self._totals[stage]
        scale = 1e6 if unit == "bytes" else 1.0
        numbers = [f"{number / scale:,.0f}" for number in (done, total) if number is not None]
        return f"{'/'.join(numbers)} {'MB' if unit == 'bytes' else unit}"
