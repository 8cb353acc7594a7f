"""Divides a sheet into its tables, which stand below each other with blank rows between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

MOST_TITLES = 5
"""Largest number of rows above a header, blank ones counted."""
_WORDS = re.compile(r"(?!\W*\d).*[^\W\d_]{2}", re.DOTALL)
_MISSING = frozenset({"na", "nil", "none", "null", "tba", "tbd", "unknown"})
"""Words that stand for a missing value, and so are no names of columns."""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """One table of a sheet: places of its first row, which may be a title, of its header, and after its last row."""

    first: int
    header: int
    end: int


@dataclass(slots=True)
class _Block:
    """Rows between blank ones.

    Attributes:
        first: Place of the first row.
        header: Place of the first row with several cells, if it is among the first; otherwise None.
        names: Cells of that row by column.
        rows: Number of rows below it that have several cells.
        filled: Number of cells of these rows by column.
        words: Number of those cells that are words, by column.
        repeats: Whether one of these rows has a name of the header in its column.
    """

    first: int
    header: int | None
    names: dict[int, str] = field(default_factory=dict)
    rows: int = 0
    filled: Counter[int] = field(default_factory=Counter)
    words: Counter[int] = field(default_factory=Counter)
    repeats: bool = False

    @property
    def columns(self) -> set[int]:
        """Columns that have cells."""
        return {*self.names, *self.filled}

    def add(self, other: _Block) -> None:
        """Add further rows of the same table."""
        if self.header is None:
            self.header, self.names = other.header, other.names
        elif other.names:
            self.rows += 1
            self.filled.update(other.names.keys())
            self.words.update(column for column, cell in other.names.items() if _is_words(cell))
        self.rows += other.rows
        self.filled += other.filled
        self.words += other.words


def divide_sheet(rows: Sequence[Sequence[str]]) -> list[SheetTable]:
    """The tables of a sheet, in order; none of a blank sheet.

    After blank rows a table begins where a row of words is above other rows that have cells in its columns only, and
    the columns or their kinds of values differ from those of the table before. Otherwise the rows go on with that
    table, as groups of rows do. A title before the blank rows belongs to the table below.
    """
    starts: list[int] = []
    table = previous = _Block(0, None)
    for first, end in _find_blocks(rows):
        block = _read_block(rows, first, end)
        if not starts:
            starts.append(first)
            table = block
        elif _begins_table(block, table):
            has_title = block.header == first and previous.header is None and previous.first > starts[-1]
            starts.append(previous.first if has_title and first - previous.first <= MOST_TITLES else first)
            table = block
        else:
            table.add(block)
        previous = block
    ends = [*starts[1:], len(rows)][: len(starts)]
    return [SheetTable(first, find_header(rows, first, end), end) for first, end in zip(starts, ends, strict=True)]


def find_header(rows: Sequence[Sequence[str]], first: int, end: int) -> int:
    """Place of the header: the first row with several cells, if only few lines of one cell are above it."""
    for place in range(first, min(first + MOST_TITLES + 1, end)):
        if _count(rows[place]) > 1:
            return place
    return first


def _find_blocks(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Places of the first row and after the last row of each run of rows that are not blank."""
    first = None
    for place, row in enumerate(rows):
        if any(row):
            first = place if first is None else first
        elif first is not None:
            yield first, place
            first = None
    if first is not None:
        yield first, len(rows)


def _read_block(rows: Sequence[Sequence[str]], first: int, end: int) -> _Block:
    header = find_header(rows, first, end)
    if _count(rows[header]) < 2:
        return _Block(first, None)
    block = _Block(first, header, {column: cell for column, cell in enumerate(rows[header]) if cell})
    for row in rows[header + 1 : end]:
        cells = {column: cell for column, cell in enumerate(row) if cell}
        if len(cells) > 1:
            block.rows += 1
            block.filled.update(cells.keys())
            block.words.update(column for column, cell in cells.items() if _is_words(cell))
            block.repeats = block.repeats or any(block.names.get(column) == cell for column, cell in cells.items())
    return block


def _begins_table(block: _Block, table: _Block) -> bool:
    """Whether a block begins a table of its own, and does not go on with the one above."""
    if block.header is None:
        return False
    if table.header is None:
        return block.header - table.first > MOST_TITLES
    if block.names == table.names and block.rows:
        return True
    is_header = all(_is_words(cell) and cell.casefold() not in _MISSING for cell in block.names.values())
    if not is_header or not block.rows or block.repeats or len(set(block.names.values())) < len(block.names):
        return False
    return block.columns <= block.names.keys() and _differs(block, table)


def _differs(block: _Block, table: _Block) -> bool:
    """Whether the columns of a block are others than those of a table, or have values of another kind."""
    if block.columns - table.columns:
        return True
    if table.rows > 1 and any(table.filled[column] == table.rows for column in table.columns - block.columns):
        return True
    numbers = {column for column in block.columns if block.filled[column] and not block.words[column]}
    were_numbers = {column for column in block.columns if table.filled[column] and not table.words[column]}
    return bool(numbers) or any(0 < block.filled[column] == block.words[column] for column in were_numbers)


def _count(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell)


def _is_words(cell: str) -> bool:
    """Whether a cell has words, and does not begin with a number as ``3 kg`` does."""
    return _WORDS.match(cell) is not None
