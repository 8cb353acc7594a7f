"""Rows of a CSV file with the lines on which they begin; a broken row does not affect others."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tetragraph.errors import UnreadableDocument
from tetragraph_loaders.columns import Columns
from tetragraph_loaders.reading import Line
from tetragraph_loaders.rows import scalar_of


@dataclass(frozen=True, slots=True)
class Row:
    """Cells of one row, or the problem with them.

    Attributes:
        line: Number of the line of the file on which the row begins.
        cells: Cells; empty if there is a problem.
        problem: Reason why the row cannot be read; empty if it can.
        note: What reading its lines has guessed or replaced, in words.
    """

    line: int
    cells: Sequence[str]
    problem: str = ""
    note: str = ""

    @property
    def filled(self) -> list[str]:
        """The cells that are not blank."""
        return [cell.strip() for cell in self.cells if cell.strip()]

    @property
    def width(self) -> int:
        """Number of cells up to the last one that is not blank."""
        return max((place for place, cell in enumerate(self.cells, start=1) if cell.strip()), default=0)

    def by_name(self, names: Sequence[str]) -> Mapping[str, str]:
        """Column to cell, as far as the row has cells."""
        return dict(zip(names, self.cells, strict=False))

    def fields(self, names: Sequence[str], columns: Columns) -> dict[str, object]:
        """Column to cell; empty cells are left out, except an empty text. A short row ends in empty cells.

        Raises:
            UnreadableDocument: the row is broken, or has more cells than there are columns, and not only empty ones.
        """
        if self.problem:
            raise UnreadableDocument(self.problem)
        if self.width > len(names):
            cells = f"the header has {len(names)} cells, this row {self.width}"
            raise UnreadableDocument(f"a row must have no more cells than the header: {cells}; mend it")
        padded = [*self.cells[: len(names)], *[""] * (len(names) - len(self.cells))]
        named = {name: cell for name, cell in zip(names, padded, strict=True) if cell or name == columns.text}
        return {name: cell if name in columns.own else scalar_of(cell) for name, cell in named.items()}


class Rows:
    """The rows of lines, of which the first has a number in its file; reading continues after a broken row."""

    def __init__(self, lines: Iterable[Line], delimiter: str, first: int) -> None:
        self._lines = lines
        self._first = first
        self._problem = ""
        self._note = ""
        self._reader = csv.reader(self._feed(), delimiter=delimiter, strict=True)

    def _feed(self) -> Iterator[str]:
        for line in self._lines:
            self._problem = self._problem or line.problem
            self._note = self._note or line.note
            yield line.text + "\n"

    def __iter__(self) -> Iterator[Row]:
        cells: list[str] | None = []
        while cells is not None:
            begins = self._first + self._reader.line_num
            self._problem = self._note = ""
            try:
                cells = next(self._reader, None)
            except csv.Error as error:
                cells = []
                self._problem = self._problem or f"a row must be CSV, got {error}; mend its quotes"
            ends = self._first + self._reader.line_num - 1
            if self._problem and ends > begins:  # as of a quote that is not closed, which goes on to the next one
                self._problem += f"; lines {begins:,} to {ends:,} were not read"
            if cells or self._problem:
                yield Row(begins, () if self._problem else cells or (), self._problem, self._note)


def divide_at_returns(lines: Iterator[Line]) -> Iterator[Line]:
    r"""The lines of a file, divided at each ``\r`` if the first line of the file ends so, as of Excel for Mac."""
    first = next(lines, Line(1, ""))
    before, end, _ = first.text.partition("\r")
    is_divided = bool(end) and before.count('"') % 2 == 0  # one inside of a quoted cell ends no line
    yield first if not is_divided else Line(1, before, note=first.note)
    number = 1
    if is_divided:
        for text in first.text.split("\r")[1:]:
            number += 1
            yield Line(number, text)
    for line in lines:
        for place, text in enumerate(line.text.split("\r") if is_divided else [line.text]):
            number += 1
            yield Line(number, text, line.problem, "" if place else line.note)
