"""JSON lines, plain or gzipped: one document for each line, ``{"id", "title", "text", … metadata}``.

A row keeps its ``id`` unchanged; the id of a row without one is the file's id with ``#n``, where n is the number of the
row from 1, without blank lines. Reading continues after a line that cannot be read. Other keys may hold text, title and
id: see :mod:`tetragraph_loaders.columns`.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.columns import SAMPLE_ROWS, Columns, choose_columns
from tetragraph_loaders.reading import MAX_BLANK_LINES, MAX_BYTES, NO_TEXT, Line, cannot_open, open_bytes, read_lines
from tetragraph_loaders.rows import parse_object, to_document, with_note


def load(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, max_bytes: int = MAX_BYTES
) -> Iterator[Document | Unreadable]:
    """Yield every line as a document, or the reason why it is not one, in order."""
    rows = 0
    line = Line(0, "")
    try:
        with open_bytes(path) as file:
            lines = read_lines(file, options, max_bytes=max_bytes)
            first = _Sample(lines)
            columns = _choose_columns(first.lines, options)
            for line in chain(first, lines):
                if line.problem or line.text.strip():
                    rows += 1
                    yield _read_row(line, f"{id_prefix}:{line.number}", f"{id_prefix}#{rows}", columns)
                elif line.number - rows > MAX_BLANK_LINES:
                    yield Unreadable(id_prefix, f"a file may have {MAX_BLANK_LINES:,} blank lines, this one has more")
                    return
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        yield Unreadable(id_prefix, f"the gzip data are damaged after line {line.number}: {error}; compress it again")
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))
    else:
        if not rows:
            yield Unreadable(id_prefix, NO_TEXT)


class _Sample:
    """The first lines of a file; iterating ends with the error that reading them ended with, if any."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self.lines: list[Line] = []
        self._error: OSError | EOFError | zlib.error | None = None
        try:
            for line in islice(lines, SAMPLE_ROWS):
                self.lines.append(line)
        except (OSError, EOFError, zlib.error) as error:
            self._error = error

    def __iter__(self) -> Iterator[Line]:
        yield from self.lines
        if self._error is not None:
            raise self._error


def _choose_columns(lines: list[Line], options: ReadingOptions) -> Columns:
    """The keys of text, title and id, by the first lines; those that are no rows do not count."""
    rows = []
    for line in lines:
        try:
            rows.append(parse_object(line.text))
        except UnreadableDocument:
            continue
    return choose_columns((key for row in rows for key in row), rows, options)


def _read_row(line: Line, source: str, fallback_id: str, columns: Columns) -> Document | Unreadable:
    if line.problem:
        return Unreadable(source, line.problem)
    try:
        row = parse_object(line.text)
        return with_note(to_document(row, source=source, fallback_id=fallback_id, columns=columns), line.note)
    except UnreadableDocument as error:
        return Unreadable(source, str(error))
