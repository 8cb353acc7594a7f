"""Renders tables as Markdown, in groups of rows that repeat the header, and divides long tables of Markdown so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt

GROUP_CHARACTERS = 800
"""Number of characters after which a group of rows ends; about what the smallest window of an embedder holds."""
MOST_CAPTION = 200
"""Largest number of characters of a caption that is repeated."""
_DELIMITER = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$", re.MULTILINE)
"""The line between the header and the rows of a table."""
_LINE_END = re.compile(r"\r\n?")


def render_groups(rows: Sequence[Sequence[str]], caption: str = "") -> Iterator[tuple[int, str]]:
    """Yield groups of rows as Markdown tables, each with the caption and the header.

    Blank rows and columns are left out; line ends in cells become blanks. The header is the first row that is not
    blank; a table of one row has no other.

    Args:
        rows: Cells of each row; a short row ends in blank cells.
        caption: Words above each group, such as a title with the units; all of them above the first group, and at most
            ``MOST_CAPTION`` characters above the others.

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
    above, repeated = ([words] if words else [] for words in (caption, _cut(caption)))
    head = [header, _line(["---"] * len(used))]
    if not body:
        yield number, "\n".join([*above, header])
    lead = len("\n".join([*repeated, *head]))
    group: list[str] = []
    first, size = 0, lead
    for number, line in body:
        if group and size + len(line) > GROUP_CHARACTERS:
            yield first, "\n".join([*above, *head, *group])
            above, group, size = repeated, [], lead
        first = first if group else number
        group.append(line)
        size += len(line) + 1
    if group:
        yield first, "\n".join([*above, *head, *group])


def _cut(caption: str) -> str:
    """The beginning of a caption, as far as it is repeated."""
    if len(caption) <= MOST_CAPTION:
        return caption
    beginning = caption[:MOST_CAPTION]
    return f"{beginning.rpartition(' ')[0] or beginning} …"


def repeat_headers(text: str) -> str:
    r"""A Markdown text whose long tables are several tables, each with the header and the line above it as caption.

    A table of at most ``GROUP_CHARACTERS`` characters stays as it is, and so do all rows. A caption is a paragraph of
    one line above the table, of at most ``MOST_CAPTION`` characters, which ends with a colon, begins with "Table", or
    is in parentheses, as units are. The lines of a text with tables end with ``\n``.
    """
    normal = _LINE_END.sub("\n", text)
    if not _DELIMITER.search(normal):
        return text
    lines = normal.split("\n")
    for token in reversed(MarkdownIt("commonmark").enable("table").parse(normal)):
        if token.type == "table_open" and token.level == 0 and token.map:
            start, end = token.map
            if sum(len(line) + 1 for line in lines[start:end]) > GROUP_CHARACTERS:
                lines[start:end] = _divide(lines[start:end], _find_caption(lines[:start]))
    return "\n".join(lines)


def _divide(table: Sequence[str], caption: str) -> list[str]:
    """The lines of a table in groups of rows, each but the first with the caption, and with the header."""
    lead = sum(len(line) + 1 for line in (caption, *table[:2]))
    groups: list[list[str]] = [[]]
    size = lead
    for row in table[2:]:
        if groups[-1] and size + len(row) > GROUP_CHARACTERS:
            groups.append([])
            size = lead
        groups[-1].append(row)
        size += len(row) + 1
    found = [*table[:2], *groups[0]]
    for group in groups[1:]:
        found += ["", *([caption, ""] if caption else []), *table[:2], *group]
    return found


def _find_caption(above: Sequence[str]) -> str:
    """The caption at the end of the lines above a table; empty if there is none."""
    lines = [line.strip() for line in above[-3:]]
    while lines and not lines[-1]:
        lines.pop()
    if not lines or len(lines[-1]) > MOST_CAPTION or lines[-1].startswith(("#", "|", "```", "~~~", "<")):
        return ""
    is_alone = len(lines) < 2 or not lines[-2]
    line = lines[-1]
    is_unit = line.startswith("(") and line.endswith(")")
    is_caption = line.endswith(":") or is_unit or line.lower().lstrip("*_").startswith("table")
    return line if is_alone and is_caption else ""


def _tidy(cell: str) -> str:
    return " ".join(cell.replace("\0", "").split()).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
