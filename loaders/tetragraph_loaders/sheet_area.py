"""Area of the sheets of an XLSX, XLSB or ODS file, found before a reader reserves memory for all of it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final, cast

_BLOCK: Final = 1 << 20
_LONGEST_TAG: Final = 1 << 12
_TAG: Final = re.compile(rb"<(?:\w+:)?(row|c)\b([^<>]*)>(\s*<(?:\w+:)?(?:v|is|f)\b)?")
"""A row or a cell, its attributes, and whether the cell has a value."""
_PLACE: Final = re.compile(rb"""\br\s*=\s*["']([A-Za-z]*)([0-9]+)["']""")
_SHEET: Final = re.compile(rb"<(?:\w+:)?worksheet\b")
_OPEN_DOCUMENT: Final = "content.xml"
_OPEN_TAG: Final = re.compile(
    rb"""<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>"""
)
_REPEATED: Final = re.compile(rb"""\btable:number-(?:rows|columns)-repeated\s*=\s*["']([0-9]{1,18})["']""")
_OPEN_VALUE: Final = re.compile(rb"\b(?:office:|table:formula\b)")
_BEGIN_SHEET: Final = b"\x81\x01"
_END_OF_CELLS: Final = 0x92
_BINARY_ROW: Final = 0
_BINARY_CELLS: Final = range(2, 12)
"""Types of the records of cells with a value, in a sheet of an XLSB file."""


def largest_area(path: Path) -> int:
    """Number of cells of the smallest rectangle around the values of a sheet, for the sheet where it is largest.

    Of a sheet of ODS, the cells from the first column to the last value of each row, if these are more. 0 for a file
    that is no archive of sheets.

    Raises:
        OSError: the file cannot be opened.
        zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError: it is damaged.
    """
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        areas = [0]
        for entry in archive.infolist():
            name = entry.filename.lower()
            if name.endswith((".xml", ".bin")):
                with archive.open(entry) as file:
                    areas.append((_xml_area if name.endswith(".xml") else _binary_area)(name, file))
        return max(areas)


def _xml_area(name: str, file: IO[bytes]) -> int:
    head = file.read(_BLOCK)
    if name == _OPEN_DOCUMENT:
        return _open_document_area(head, file)
    return _rectangle(_filled(head, file)) if _SHEET.search(head, 0, _LONGEST_TAG) else 0


def _binary_area(name: str, file: IO[bytes]) -> int:
    stream = io.BufferedReader(cast(io.RawIOBase, file), _BLOCK)
    is_sheet = "worksheets/" in name or stream.peek(2)[:2] == _BEGIN_SHEET
    return _rectangle(_binary_filled(cast(IO[bytes], stream))) if is_sheet else 0


def _rectangle(filled: Iterable[tuple[int, int]]) -> int:
    rows: tuple[int, int] | None = None
    columns = (0, 0)
    for row, column in filled:
        if rows is None:
            rows, columns = (row, row), (column, column)
        rows = min(rows[0], row), max(rows[1], row)
        columns = min(columns[0], column), max(columns[1], column)
    return 0 if rows is None else (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1)


def _open_document_area(head: bytes, file: IO[bytes]) -> int:
    """The largest area of the tables of an OpenDocument file, whose rows and cells may be repeated."""
    largest = 0
    table = _OpenTable()
    for tag in _tags(head, file, _OPEN_TAG):
        match = _REPEATED.search(tag[2])
        repeated = int(match[1]) if match else 1
        if tag[1] == b"table":
            largest, table = max(largest, table.area()), _OpenTable()
        elif tag[1] == b"table-row":
            table.add_row(repeated)
        else:
            table.add_cells(repeated, is_filled=bool(_OPEN_VALUE.search(tag[2])))
    return max(largest, table.area())


class _OpenTable:
    """The places of the cells with a value of one table; rows and columns are counted from 1."""

    def __init__(self) -> None:
        self._row = self._repeated = self._column = self._width = 0
        self._expanded = 0
        self._corners: list[tuple[int, int]] = []

    def add_row(self, repeated: int) -> None:
        """Begin rows with the same cells."""
        self._expanded += self._width * self._repeated
        self._row += self._repeated
        self._repeated, self._column, self._width = repeated, 0, 0

    def add_cells(self, repeated: int, *, is_filled: bool) -> None:
        """Add equal cells to the rows that were begun last."""
        first = self._column + 1
        self._column += repeated
        if is_filled and repeated and self._repeated:
            self._width = self._column
            corners = (*self._corners, (self._row + 1, first), (self._row + self._repeated, self._column))
            rows, columns = zip(*corners, strict=True)
            self._corners = [(min(rows), min(columns)), (max(rows), max(columns))]

    def area(self) -> int:
        """Cells of the rectangle around those with a value, or up to the last of each row, if these are more."""
        return max(_rectangle(self._corners), self._expanded + self._width * self._repeated)


def _binary_filled(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Row and column, from 0, of each cell with a value in a sheet of an XLSB file."""
    row = 0
    while kind := file.read(1):
        number = kind[0]
        if number & 0x80:
            number = (number & 0x7F) | (_byte(file) & 0x7F) << 7
        length = shift = 0
        while shift < 28:
            part = _byte(file)
            length |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                break
        place = int.from_bytes(file.read(min(4, length)), "little")
        for at in range(4, length, _BLOCK):
            file.read(min(_BLOCK, length - at))
        if number == _END_OF_CELLS:
            return
        if number == _BINARY_ROW:
            row = place
        elif number in _BINARY_CELLS:
            yield row, place


def _byte(file: IO[bytes]) -> int:
    found = file.read(1)
    if not found:
        raise EOFError("a sheet ends inside of a record")
    return found[0]


def _filled(head: bytes, file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Row and column, from 1, of each cell with a value; a cell without a place follows the one before."""
    row = column = 0
    for tag in _tags(head, file, _TAG):
        place = _PLACE.search(tag[2])
        if tag[1] == b"row":
            row, column = int(place[2]) if place else row + 1, 0
            continue
        row, column = (int(place[2]), _column(place[1])) if place else (row, column + 1)
        if tag[3]:
            yield row, column


def _tags(text: bytes, file: IO[bytes], pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    while True:
        following = file.read(_BLOCK)
        # a tag near the end of a part may go on in the next one
        least = len(text) if not following else len(text) - _LONGEST_TAG
        end = 0
        for tag in pattern.finditer(text):
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
