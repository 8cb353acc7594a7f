"""Renders tables as Markdown, in groups of rows that repeat the header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GROUP_CHARACTERS = 800
"""Number of characters after which a group of rows ends; about what the smallest window of an embedder holds."""


def render_groups(rows: Sequence[Sequence[str]], caption: str = "") -> Iterator[tuple[int, str]]:
    """Yield groups of rows as Markdown tables, each with the caption and the header.

    Blank rows and columns are left out; line ends in cells become blanks. The header is the first row that is not
    blank; a table of one row has no other.

    Args:
        rows: Cells of each row; a short row ends in blank cells.
        caption: Words above each group, such as a title with the units.

    Yields:
        Number of the first row of the group, counted in ``rows`` from 1, and its text.
    """
    cells = [(number, [_tidy(cell) for cell in row]) for number, row in enumerate(rows, start=1)]
    filled = [(number, row) for number, row in cells if any(row)]
    width = max((len(row) for _, row in filled), default=0)
    used = [column for column in range(width) if any(column < len(row) and row[column] for _, row in filled)]
    lines = [(number, _line([row[column] if column < len(row) else "" for column in used])) for number, row in filled]
    if not lines:
        return
    (number, header), *body = lines
    lead = "\n".join(line for line in (caption, header, _line(["---"] * len(used))) if line)
    if not body:
        yield number, "\n".join(line for line in (caption, header) if line)
    group: list[str] = []
    first, size = 0, 0
    for number, line in body:
        if group and size + len(line) > GROUP_CHARACTERS - len(lead):
            yield first, "\n".join([lead, *group])
            group, size = [], 0
        first = first if group else number
        group.append(line)
        size += len(line) + 1
    if group:
        yield first, "\n".join([lead, *group])


def _tidy(cell: str) -> str:
    return " ".join(cell.replace("\0", "").split()).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
