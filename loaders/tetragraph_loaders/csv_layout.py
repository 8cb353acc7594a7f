"""Finds the delimiter and the header of a CSV file by its first lines, and names its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from tetragraph.errors import UnreadableDocument
from tetragraph_loaders.csv_rows import Row, Rows
from tetragraph_loaders.reading import Line
from tetragraph_loaders.rows import named, number_or_text

_DELIMITERS = ",;\t|"
_MOST_TITLES = 5
"""Largest number of lines above the header, without blank ones."""
_LINE_ENDS = re.compile(r"\s*[\r\n]\s*")


@dataclass(frozen=True, slots=True)
class Layout:
    """The delimiter of a file, and the number of rows above its header."""

    delimiter: str
    header: int


def find_layout(lines: Sequence[Line], stated: str | None, text: str) -> Layout:
    """Find the delimiter, unless the file states it, and the header.

    The delimiter is the one that divides most rows into no more cells than their header; of several the one with the
    most columns, then the one with fewer rows that are too wide, and then the one that is followed by fewer blanks,
    which prose has after its commas.

    Args:
        lines: First lines of the file, without one that states the delimiter.
        stated: The delimiter that the file states.
        text: Name of the column of the text, which no other line than the header has as a cell.
    """
    samples = {one: list(Rows(lines, one, 1)) for one in ([stated] if stated else _DELIMITERS)}
    layouts = [Layout(one, _find_header(rows, text)) for one, rows in samples.items()]
    return max(layouts, key=lambda one: _rate(lines, samples[one.delimiter], one))


def _rate(lines: Sequence[Line], rows: Sequence[Row], layout: Layout) -> tuple[int, ...]:
    """How well a delimiter divides the first lines, as numbers of which the first that differ decide."""
    if not rows:
        return ()
    header, below = rows[layout.header], rows[layout.header + 1 :]
    names = len(header.cells) or lines[header.line - 1].text.count(layout.delimiter)
    blanks = sum(cell.startswith(" ") for row in rows for cell in row.cells[1:])
    too_wide = sum(row.width > len(header.cells) for row in below)
    return sum(_fits(row, header) for row in below), -layout.header, names, -too_wide, -blanks


def _fits(row: Row, header: Row) -> bool:
    """Whether a row is divided, into no more cells than the header."""
    return len(row.cells) > 1 and row.width <= len(header.cells)


def _find_header(rows: Sequence[Row], text: str) -> int:
    """Place of the header: the first row with several cells if only few lines of one cell, titles, are above it."""
    first = next((place for place, row in enumerate(rows) if row.problem or row.filled), 0)
    for place in range(first, min(first + _MOST_TITLES + 1, len(rows))):
        if rows[place].problem or text in rows[place].filled:
            return place
        if len(rows[place].filled) > 1:
            return place if place == first or _has_titles(rows[first:place], rows[place:]) else first
    return first


def _has_titles(above: Sequence[Row], table: Sequence[Row]) -> bool:
    """Whether lines of one cell are titles above a table, and not a header of one name and its rows.

    Below a header most rows must have as many cells. Where the lines above have two cells as the table has, of which
    one is blank, they may be a header with a column without a name: then the table must have a name above numbers.
    """
    header, *below = table
    rows = [row for row in below if row.filled]
    if not rows or 2 * sum(len(row.cells) == len(header.cells) for row in rows) <= len(rows):
        return False
    return header.width > 2 or all(len(row.cells) < 2 for row in above) or _names_numbers(header, rows)


def _names_numbers(header: Row, rows: Sequence[Row]) -> bool:
    """Whether a row has no number, and in one of its columns all rows below have numbers."""
    if any(_is_number(cell) for cell in header.filled):
        return False
    columns = ([row.cells[place] for row in rows if place < len(row.cells)] for place in range(header.width))
    return any(cells and all(_is_number(cell.strip()) for cell in cells) for cells in columns)


def _is_number(cell: str) -> bool:
    return not isinstance(number_or_text(cell), str)


def name_columns(header: Row) -> tuple[list[str], str]:
    """The names of the columns, each once, and a note on those that were named more than once.

    Raises:
        UnreadableDocument: the header cannot be read, or has no name.
    """
    if header.problem:
        raise UnreadableDocument(header.problem)
    if not header.filled:
        raise UnreadableDocument("must name the columns, this one has no name; add a first line with the names")
    cells = [_LINE_ENDS.sub(" ", cell.strip()) for cell in header.cells]
    wanted = [cell or f"column {number}" for number, cell in enumerate(cells, start=1)]
    taken = set(wanted)
    counts: dict[str, int] = {}
    names: dict[str, None] = {}
    renamed = []
    for name in wanted:
        if name in names:
            number = next(number for number in count(counts.get(name, 2)) if f"{name} {number}" not in taken)
            counts[name] = number + 1
            renamed.append(f"{name} {number}")
        names[renamed[-1] if name in names else name] = None
    return list(names), f"columns named more than once are numbered: {named(renamed)}" if renamed else ""
