"""Reads tables of web pages as rows of cells, with the header in the first row."""

from __future__ import annotations

from collections import Counter

from selectolax.lexbor import LexborHTMLParser, LexborNode

LONGEST_CELL = 300
"""Largest number of characters of a cell; tables with longer ones mostly arrange a page."""
MOST_SPANNED = 100
"""Largest number of columns or rows that one cell may cover."""
MOST_REPEATED = 20
"""Largest number of cells to which each cell of a page may come in full tables; a legend over many columns is one."""
MOST_CELLS = 50_000
"""Number of cells in the full tables of a page up to which any number of repetitions is accepted."""
Rows = list[list[str]]


def has_full_tables(page: LexborHTMLParser) -> bool:
    """Whether the tables of a page, with all rows as long as the longest, have many times the cells that it states.

    Each table may be small: a few bytes state a hundred cells in a hundred rows, and a page has any number of tables.
    """
    stated = full = 0
    rows: Counter[int] = Counter()
    widths: dict[int, int] = {}
    for row in page.css("tr"):
        table = row.parent.parent if row.parent is not None else None
        key = table.mem_id if table is not None else 0
        spans = [(_span(cell, "colspan"), _span(cell, "rowspan")) for cell in row.iter() if cell.tag in {"td", "th"}]
        stated += len(spans)
        full += sum(columns * down for columns, down in spans)
        rows[key] += 1
        widths[key] = max(widths.get(key, 0), sum(columns for columns, _ in spans))
    full += sum(count * widths[key] for key, count in rows.items())
    return full > MOST_CELLS + MOST_REPEATED * stated


def read_table(table: LexborNode) -> tuple[Rows, str] | None:
    """The rows of a table of data, and its caption.

    A cell that covers several columns or rows is repeated in each of them, and the rows of a header of several rows are
    joined, so that each column has one header with all of its words.

    Returns:
        None for a table that has less than two rows and columns, or that arranges the parts of a page.
    """
    if table.css_first("table table, h1, h2, h3, ul, ol, pre, form") is not None:
        return None
    rows: Rows = []
    headers = 0
    open_cells: dict[int, tuple[str, int]] = {}
    for row in table.css("tr"):
        cells = [cell for cell in row.iter() if cell.tag in {"td", "th"}]
        if not cells:
            continue
        if headers == len(rows) and all(cell.tag == "th" for cell in cells):
            headers += 1
        rows.append(_read_row(cells, open_cells))
    if len(rows) < 2 or max(map(len, rows)) < 2 or max(len(cell) for row in rows for cell in row) > LONGEST_CELL:
        return None
    caption = table.css_first("caption")
    joined = [_join_headers(rows[:headers])] if 1 < headers < len(rows) else rows[:headers]
    return joined + rows[headers:], _words(caption) if caption is not None else ""


def _read_row(cells: list[LexborNode], open_cells: dict[int, tuple[str, int]]) -> list[str]:
    """The texts of a row, with those of cells above that reach into it; notes which cells reach further down."""
    row: list[str] = []

    def fill() -> None:
        while len(row) in open_cells:
            text, left = open_cells.pop(len(row))
            if left > 1:
                open_cells[len(row)] = (text, left - 1)
            row.append(text)

    for cell in cells:
        fill()
        text, down = _words(cell), _span(cell, "rowspan")
        for _ in range(_span(cell, "colspan")):
            if down > 1:
                open_cells[len(row)] = (text, down - 1)
            row.append(text)
    fill()
    return row


def _join_headers(rows: Rows) -> list[str]:
    """The words of each column in several rows, without repetitions."""
    width = max(map(len, rows))
    columns = [[row[column] for row in rows if column < len(row) and row[column]] for column in range(width)]
    return [" ".join(dict.fromkeys(column)) for column in columns]


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or ""
    return min(max(int(value), 1), MOST_SPANNED) if value.isascii() and value.isdigit() else 1


def _words(node: LexborNode) -> str:
    return " ".join((node.text() or "").split())
