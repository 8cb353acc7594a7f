"""CSV: a header row, then one document for each row, with the columns ``text``, ``id`` and ``title``.

Other columns are metadata: a number or a boolean if the whole cell is one, otherwise text; empty cells are left out. A
column without a name is called by its number, ``column 2``, and the second of a name ``Comment 2``. The delimiter is
that of a line ``sep=;`` before the header, as Excel writes it, otherwise the comma, semicolon, tab or ``|`` that
divides the rows as the header. Titles above the header are left out (:mod:`tetragraph_loaders.csv_layout`). Other
columns may hold text, title and id: see :mod:`tetragraph_loaders.columns`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.columns import SAMPLE_ROWS, choose_columns
from tetragraph_loaders.csv_layout import find_layout, name_columns
from tetragraph_loaders.csv_rows import Row, Rows, divide_at_returns
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, Line, cannot_open, read_lines
from tetragraph_loaders.rows import to_document, with_note

_STATED = re.compile(r'"?sep=([^\w"])"?', re.IGNORECASE)
_SAMPLE_CHARACTERS = 1_000_000
_MOST_OF_TITLES = 200


def load(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, max_bytes: int = MAX_BYTES
) -> Iterator[Document | Unreadable]:
    """Yield every row as a document, or the reason why it is not one, in order."""
    # The limit of the csv module applies to the whole process; its default rejects cells above 131,072 characters.
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes))
    try:
        with path.open("rb") as file:
            lines = divide_at_returns(read_lines(file, options, max_bytes=max_bytes))
            yield from _read_table(lines, id_prefix, options)
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))


def _read_table(lines: Iterator[Line], source: str, options: ReadingOptions) -> Iterator[Document | Unreadable]:
    first = next(lines, Line(1, ""))
    stated = _STATED.fullmatch(first.text)
    sample = _take_sample(lines if stated else chain([first], lines))
    layout = find_layout(sample, stated[1] if stated else None, options.text_key or "text")
    rows = iter(Rows(chain(sample, lines), layout.delimiter, 2 if stated else 1))
    above = list(islice(rows, layout.header))
    header = next(rows, Row(1, ()))
    try:
        names, renamed = name_columns(header)
    except UnreadableDocument as error:
        yield Unreadable(source, f"header: {error}")
        return
    guessed = [first.note if stated else "", *(row.note for row in (*above, header))]
    yield from _read_rows(rows, names, source, options, [*guessed, _note_titles(above), renamed])


def _take_sample(lines: Iterable[Line]) -> list[Line]:
    """The first lines, of which only the last may be long."""
    sample: list[Line] = []
    size = 0
    for line in islice(lines, SAMPLE_ROWS):
        sample.append(line)
        size += len(line.text)
        if size > _SAMPLE_CHARACTERS:
            break
    return sample


def _note_titles(rows: Sequence[Row]) -> str:
    words = " / ".join(" ".join(row.filled) for row in rows if row.filled)
    cut = words if len(words) <= _MOST_OF_TITLES else f"{words[:_MOST_OF_TITLES]} …"
    return f"lines above the header are left out: {cut}" if words else ""


def _read_rows(
    rows: Iterator[Row], names: Sequence[str], source: str, options: ReadingOptions, notes: Iterable[str]
) -> Iterator[Document | Unreadable]:
    """The documents of the rows below the header; the first has the notes on the file."""
    sample = list(islice(rows, SAMPLE_ROWS))
    columns = choose_columns(names, [row.by_name(names) for row in sample], options)
    if columns.text not in (None, *names):
        reason = f"must name a column {columns.text!r}, got {list(names[:8])}; --text-column (text_key=…) names another"
        yield Unreadable(source, f"header: {reason}")
        return
    is_empty = True
    for number, row in enumerate(chain(sample, rows), start=1):
        if not row.filled and not row.problem:
            continue
        is_empty = False
        where = f"{source}:{row.line}"
        try:
            fields = row.fields(names, columns)
            document = to_document(fields, source=where, fallback_id=f"{source}#{number}", columns=columns)
        except UnreadableDocument as error:
            yield Unreadable(where, str(error))
            continue
        for note in (row.note, *notes):
            document = with_note(document, note)
        yield document
        notes = ()
    if is_empty:
        yield Unreadable(source, NO_TEXT)
