"""reStructuredText: one document with its headings; the text stays as it is, so offsets refer to the source.

A heading is a line with a line of one repeated punctuation character below it, at least as long, and possibly above it,
too. Levels are numbered in the order in which the kinds of lines occur.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tetragraph.model import Document, Heading, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.reading import load_one, title_from

_ADORNMENT = re.compile(r"([^\w\s])\1+[ \t]*")
_ROLE = re.compile(
    r":[\w:.+-]+:`([^`<]*?)(?:\s*<[^`]*>)?`|`([^`<]*[^`<\s])\s*<[^`<>]*>`_{1,2}|[*`]{1,2}([^*`]+)[*`]{1,2}_{0,2}"
)
"""A role, a link with its address, and marked words."""


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document, titled by its first heading."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix), options)


def _parse(text: str, path: Path, source: str) -> Document:
    headings = tuple(find_headings(text))
    title = headings[0].title if headings and headings[0].level == 1 else ""
    return Document(source, title or title_from(path), text, source=source, headings=headings, named_by_file=not title)


def find_headings(text: str) -> Iterator[Heading]:
    r"""Find the headings of a text in order.

    >>> list(find_headings("Tides\n=====\n\nHigh water.\n"))
    [Heading(start=0, level=1, title='Tides')]
    """
    lines = text.split("\n")
    levels: dict[tuple[str, bool], int] = {}
    start = 0
    for number, line in enumerate(lines):
        before, after = lines[number - 1] if number else "", lines[number + 1] if number + 1 < len(lines) else ""
        words = " ".join(_ROLE.sub(lambda match: match[1] or match[2] or match[3], line).split())
        if _is_heading(line, before, after) and 0 < len(words) <= MAX_TITLE:
            overlined = before.rstrip() == after.rstrip()
            level = levels.setdefault((after[0], overlined), len(levels) + 1)
            yield Heading(start - len(before) - 1 if overlined else start, level, words)
        start += len(line) + 1


def _is_heading(line: str, before: str, after: str) -> bool:
    if not line.strip() or _ADORNMENT.fullmatch(line) or not _ADORNMENT.fullmatch(after):
        return False
    if len(after.rstrip()) < len(line.rstrip()):
        return False
    overlined = before.rstrip() == after.rstrip()
    return overlined or (not before.strip() and not line[0].isspace())
