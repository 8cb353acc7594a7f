"""CSV: a header row, then one document for each row, with the columns ``text``, ``id`` and ``title``.

Other columns are metadata: a number if the whole cell is one, otherwise text; empty cells are left out. A column
without a name is called by its number, ``column 2``. The delimiter is that of a line ``sep=;`` before the header, as
Excel writes it, otherwise the most frequent of comma, semicolon and tab in the header. Other columns may hold text,
title and id: see :mod:`tetragraph_loaders.columns`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.columns import SAMPLE_ROWS, Columns, choose_columns
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, Line, cannot_open, read_lines
from tetragraph_loaders.rows import number_or_text, to_document, with_note

_DELIMITER = re.compile(r'"?sep=([^\w"])"?', re.IGNORECASE)


def load(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, max_bytes: int = MAX_BYTES
) -> Iterator[Document | Unreadable]:
    """Yield every row as a document, or the reason why it is not one, in order."""
    # The limit of the csv module applies to the whole process; its default rejects cells above 131,072 characters.
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes))
    try:
        with path.open("rb") as file:
            yield from _read_table(read_lines(file, options, max_bytes=max_bytes), id_prefix, options)
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))


def _read_table(lines: Iterator[Line], source: str, options: ReadingOptions) -> Iterator[Document | Unreadable]:
    first = header = next(lines, Line(1, ""))
    if stated := _DELIMITER.fullmatch(first.text):
        header = next(lines, Line(2, ""))
    delimiter = stated[1] if stated else max(",;\t", key=header.text.count)
    try:
        names = _read_header(header, delimiter)
    except UnreadableDocument as error:
        yield Unreadable(source, f"header: {error}")
        return
    rows = iter(_Rows(lines, delimiter, header.number))
    sample = list(islice(rows, SAMPLE_ROWS))
    columns = choose_columns(names, [row.by_name(names) for row in sample], options)
    if columns.text not in (None, *names):
        reason = f"must name a column {columns.text!r}, got {names[:8]}; --text-column (text_key=…) names another"
        yield Unreadable(source, f"header: {reason}")
        return
    is_empty = True
    note = first.note
    for number, row in enumerate(chain(sample, rows), start=1):
        if row.is_empty:
            continue
        is_empty = False
        where = f"{source}:{row.line}"
        try:
            fields = row.fields(names, columns)
            document = to_document(fields, source=where, fallback_id=f"{source}#{number}", columns=columns)
            yield with_note(with_note(document, row.note), note)
            note = ""
        except UnreadableDocument as error:
            yield Unreadable(where, str(error))
    if is_empty:
        yield Unreadable(source, NO_TEXT)


def _read_header(line: Line, delimiter: str) -> list[str]:
    if line.problem:
        raise UnreadableDocument(line.problem)
    try:
        columns = [name.strip() for name in next(csv.reader([line.text], delimiter=delimiter, strict=True), [])]
    except csv.Error as error:
        raise UnreadableDocument(f"must be one line of column names, got {error}; mend it") from error
    if not any(columns):
        raise UnreadableDocument("must name the columns, this one has no name; add a first line with the names")
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise UnreadableDocument(f"each column must be named once, got {twice} more than once; rename them")
    return [name or f"column {number}" for number, name in enumerate(columns, start=1)]


class _Row:
    """Cells of one row, or the problem with them; ``line`` is the line of the file on which the row begins."""

    def __init__(self, line: int, cells: Sequence[str], problem: str, note: str) -> None:
        self.line = line
        self.note = note
        self._cells = cells
        self._problem = problem

    @property
    def is_empty(self) -> bool:
        """Whether all cells are blank."""
        return not self._problem and not any(cell.strip() for cell in self._cells)

    def by_name(self, names: Sequence[str]) -> Mapping[str, str]:
        """Column to cell, as far as the row has cells."""
        return dict(zip(names, self._cells, strict=False))

    def fields(self, names: Sequence[str], columns: Columns) -> dict[str, object]:
        """Column to cell; empty cells are left out, except an empty text."""
        if self._problem:
            raise UnreadableDocument(self._problem)
        if len(self._cells) != len(names):
            cells = f"the header has {len(names)} cells, this row {len(self._cells)}"
            raise UnreadableDocument(f"a row must have as many cells as the header: {cells}; mend it")
        named = {name: cell for name, cell in zip(names, self._cells, strict=True) if cell or name == columns.text}
        return {name: cell if name in columns.own else number_or_text(cell) for name, cell in named.items()}


class _Rows:
    """The rows after the header, which is on the line of that number; reading continues after a broken row."""

    def __init__(self, lines: Iterator[Line], delimiter: str, header: int) -> None:
        self._lines = lines
        self._header = header
        self._problem = ""
        self._note = ""
        self._reader = csv.reader(self._feed(), delimiter=delimiter, strict=True)

    def _feed(self) -> Iterator[str]:
        for line in self._lines:
            self._problem = self._problem or line.problem
            self._note = self._note or line.note
            yield line.text + "\n"

    def __iter__(self) -> Iterator[_Row]:
        cells: list[str] | None = []
        while cells is not None:
            begins = self._header + self._reader.line_num + 1  # the reader counts the lines after the header
            self._problem = self._note = ""
            try:
                cells = next(self._reader, None)
            except csv.Error as error:
                cells = []
                self._problem = self._problem or f"a row must be CSV, got {error}; mend its quotes"
            if cells or self._problem:
                yield _Row(begins, cells or [], self._problem, self._note)
