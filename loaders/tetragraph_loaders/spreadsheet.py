"""Spreadsheets (XLSX, XLS, XLSB, ODS): one document for each file, with a heading for each sheet.

A sheet may have several tables with blank rows between them (:mod:`tetragraph_loaders.sheet_tables`). Rows are groups
of a Markdown table that repeat the header and the lines above it, so that a cell is found by the words of its row and
its column. Groups are pages: a hit shows the sheet and the row, as the program that made the file counts them. Needs
the extra ``docs``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.host.optional_imports import install_command
from tetragraph.model import Document, Unreadable
from tetragraph_loaders.archive import DAMAGED
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.reading import NO_TEXT, cannot_open, title_from
from tetragraph_loaders.sheet_area import largest_area
from tetragraph_loaders.sheet_tables import divide_sheet

_NO_PACKAGE = f"spreadsheets need the package python-calamine, which is not installed; run: {install_command('docs')}"
MAX_CELLS = 5_000_000
"""Largest number of cells of a sheet; more are mostly an archive that expands without end."""


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read all sheets of the file as one document."""
    try:
        yield _read(path, id_prefix)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))


def _read(path: Path, source: str) -> Document:
    composer = Composer()
    for number, (name, rows) in enumerate(_sheets(path), start=1):
        tables = divide_sheet(rows)
        if not tables:
            continue
        composer.begin_page(number, f"sheet {name}")
        composer.add_heading(1, name)
        for table in tables:
            above = rows[table.first : table.header]
            caption = "\n".join(" ".join(cell for cell in row if cell) for row in above if any(row))
            composer.add_table(rows[table.header : table.end], caption, (number, name), first=table.header + 1)
    if not composer.text.strip():
        raise UnreadableDocument(NO_TEXT)
    return composer.document(source, "", title_from(path))


def _sheets(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Name and cells of each sheet, from its first row and column on."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise UnreadableDocument(_NO_PACKAGE) from error
    try:
        if largest_area(path) > MAX_CELLS:
            raise UnreadableDocument(
                f"a sheet may have {MAX_CELLS:,} cells between its first and its last, one has more; split it"
            )
        with CalamineWorkbook.from_path(path) as book:
            for name in book.sheet_names:
                sheet = book.get_sheet_by_name(name)
                if sheet.total_height * sheet.total_width > MAX_CELLS:
                    raise UnreadableDocument(f"a sheet may have {MAX_CELLS:,} cells, {name!r} has more; split it")
                yield name, [[_shown(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    except (CalamineError, *DAMAGED) as error:
        raise UnreadableDocument(
            f"the spreadsheet cannot be read: {error}; open and save it again, or leave it out"
        ) from error


def _shown(cell: object) -> str:
    """The value of a cell as text; of a number the 15 digits that a sheet shows, so that 0.1 + 0.5 is 0.6."""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else f"{cell:.15g}"
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return str(cell.date())
    return str(cell).strip()
