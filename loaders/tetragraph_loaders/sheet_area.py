"""Area of the sheets of an XLSX file, found before the file is read: a reader reserves memory for all of it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

_BLOCK: Final = 1 << 20
_LONGEST_TAG: Final = 1 << 12
_TAG: Final = re.compile(rb"<(?:\w+:)?(row|c)\b([^<>]*)>(\s*<(?:\w+:)?(?:v|is|f)\b)?")
"""A row or a cell, its attributes, and whether the cell has a value."""
_PLACE: Final = re.compile(rb"""\br\s*=\s*["']([A-Za-z]*)([0-9]+)["']""")
_SHEET: Final = re.compile(rb"<(?:\w+:)?worksheet\b")


def largest_area(path: Path) -> int:
    """Number of cells of the smallest rectangle around the values of a sheet, for the sheet where it is largest.

    0 for a file that is no archive of sheets as XML.

    Raises:
        OSError: the file cannot be opened.
        zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError: it is damaged.
    """
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        areas = [0]
        for entry in archive.infolist():
            if entry.filename.lower().endswith(".xml"):
                with archive.open(entry) as file:
                    areas.append(_area(file))
        return max(areas)


def _area(file: IO[bytes]) -> int:
    head = file.read(_BLOCK)
    if not _SHEET.search(head, 0, _LONGEST_TAG):
        return 0
    rows: tuple[int, int] | None = None
    columns = (0, 0)
    for row, column in _filled(head, file):
        if rows is None:
            rows, columns = (row, row), (column, column)
        rows = min(rows[0], row), max(rows[1], row)
        columns = min(columns[0], column), max(columns[1], column)
    return 0 if rows is None else (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1)


def _filled(head: bytes, file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Row and column, from 1, of each cell with a value; a cell without a place follows the one before."""
    row = column = 0
    for tag in _tags(head, file):
        place = _PLACE.search(tag[2])
        if tag[1] == b"row":
            row, column = int(place[2]) if place else row + 1, 0
            continue
        row, column = (int(place[2]), _column(place[1])) if place else (row, column + 1)
        if tag[3]:
            yield row, column


def _tags(text: bytes, file: IO[bytes]) -> Iterator[re.Match[bytes]]:
    while True:
        following = file.read(_BLOCK)
        # a tag near the end of a part may go on in the next one
        least = len(text) if not following else len(text) - _LONGEST_TAG
        end = 0
        for tag in _TAG.finditer(text):
            if tag.start() >= least:
                break
            yield tag
            end = tag.end()
        if not following:
            return
        text = text[max(end, least, 0) :] + following


def _column(letters: bytes) -> int:
    """Number of a column, from 1.

    >>> _column(b"A"), _column(b"Z"), _column(b"XFD")
    (1, 26, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number
