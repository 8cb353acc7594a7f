"""Main text of a web page, found by trafilatura: the page without the navigation, teasers and notices around it.

Such a finder is made for articles. It can miss most of another page, such as a reference of many short entries; so its
result is compared with the text of the whole page, and is not used if too much of that is missing.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from tetragraph_loaders.composing import Composer

Table: TypeAlias = tuple[Sequence[Sequence[str]], str]
"""Rows of a table, and its caption."""
LEAST_CHARACTERS: Final = 1_000
"""Least length of the text of a page in which a main text is looked for; a shorter one is read whole."""
MOST_CHARACTERS: Final = 3_000_000
"""Largest page in characters in which a main text is looked for."""
MOST_MISSING: Final = 0.95
"""Share of the long paragraphs of a page that may be missing."""
MOST_MISSING_OF_MAIN: Final = 0.4
"""The same where the page marks its main part, so that less of its text is of the site."""
MUCH: Final = 0.5
"""Share of the long paragraphs above which a note says that they are left out."""
_LONG = 20
"""Least number of words of a paragraph that counts as long."""
_RUN = 3
"""Words of the runs by which a paragraph is found in the main text."""
_WORD = re.compile(r"\w+")
_SIGN = re.compile(r"[^\w\s]")
_LEVEL = re.compile(r"h([1-6])")
_BLOCKS = frozenset({"p", "head", "quote", "code", "item", "list", "table", "row", "cell", "body", "main", "div", "ab"})

logging.getLogger("trafilatura").addHandler(logging.NullHandler())


def find_main_text(page: str, tables: Sequence[Table] = ()) -> Composer | None:
    """The main text of a page with its headings and tables; None where none is found.

    Args:
        page: The page.
        tables: All tables of data of the page, in order, each with its rows and its caption. Those of the main text
            are taken from them, as trafilatura drops captions and cells that cover several columns.

    Raises:
        ImportError: trafilatura is not installed.
    """
    from trafilatura import bare_extraction

    found = bare_extraction(page, fast=True, include_comments=False, include_tables=True, with_metadata=False)
    body = getattr(found, "body", None)
    if body is None:
        return None
    composer = Composer()
    _Blocks(composer, tables).add(body)
    return composer if composer.text else None


def missing_share(main: str, page: str) -> float:
    """The share of the long paragraphs of a page, in characters, that its main text lacks, 0 to 1.

    Args:
        main: The main text.
        page: Text of the whole page; its paragraphs are separated by blank lines.

    Returns:
        0 for a page without long paragraphs. A paragraph is there as :func:`find_membership` says.
    """
    is_part = find_membership(main)
    missing = total = 0
    for paragraph in page.split("\n\n"):
        if len(list(_runs(paragraph))) + _RUN > _LONG:
            total += len(paragraph)
            missing += 0 if is_part(paragraph) else len(paragraph)
    return missing / total if total else 0.0


def find_membership(main: str) -> Callable[[str], bool]:
    """A test whether a paragraph is part of a main text.

    A paragraph is part of it if half of its runs of three words are; a shorter one if it is a line of it.
    """
    known = {*_runs(main)}
    lines = {_bare(line) for line in main.splitlines()}

    def is_part(paragraph: str) -> bool:
        runs = list(_runs(paragraph))
        return sum(run in known for run in runs) >= len(runs) / 2 if runs else _bare(paragraph) in lines

    return is_part


def _bare(line: str) -> str:
    return " ".join(_WORD.findall(line.lower()))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return zip(*(words[start:] for start in range(_RUN)), strict=False)


class _Blocks:
    """Adds the paragraphs, headings and tables of a main text to a composer."""

    def __init__(self, composer: Composer, tables: Sequence[Table]) -> None:
        self._composer = composer
        self._tables = list(tables)

    def add(self, element: Any) -> None:
        """Add what is below an element."""
        for child in element:
            if child.tag == "table":
                self._add_table([[_words(cell) for cell in row.iter("cell")] for row in child.iter("row")])
            elif child.tag == "head":
                level = _LEVEL.fullmatch(str(child.get("rend") or ""))
                self._composer.add_heading(int(level[1]) if level else 2, _words(child))
            elif child.tag == "list" or (child.tag in _BLOCKS and any(below.tag in _BLOCKS for below in child)):
                self._add_text(child.text)
                self.add(child)
            elif child.tag in {"quote", "code"}:
                self._composer.add("".join(_texts(child)).replace("\0", "\n"))
            elif child.tag in _BLOCKS:
                self._composer.add(_words(child))
            else:
                self._add_text("".join(_texts(child)))
            self._add_text(child.tail)

    def _add_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add the smallest table of the page that has all of these rows; the rows themselves where none has."""
        known = [[_row_words([caption]), *map(_row_words, own)] for own, caption in self._tables]
        wanted = [words for row in rows if (words := _distinctive_words(row))]
        places = [place for place, own in enumerate(known) if wanted and _has_rows(own, wanted)]
        if places:
            place = min(places, key=lambda place: len(set().union(*known[place])))
            self._composer.add_table(*self._tables.pop(place))
        else:
            self._composer.add_table(rows)

    def _add_text(self, text: str | None) -> None:
        self._composer.add(" ".join((text or "").replace("\0", " ").split()))


def _row_words(row: Sequence[str]) -> set[str]:
    """Words and signs of a row."""
    return {word for cell in row for word in (*_WORD.findall(cell), *_SIGN.findall(cell))}


def _distinctive_words(row: Sequence[str]) -> set[str]:
    """Words of a row; its signs if it has no word."""
    return {word for cell in row for word in _WORD.findall(cell)} or _row_words(row)


def _has_rows(known: Sequence[set[str]], wanted: Sequence[set[str]]) -> bool:
    """Whether each wanted row is in a known one, in the same order; several may be in one, as headers are joined."""
    place = 0
    for words in wanted:
        while place < len(known) and not words <= known[place]:
            place += 1
    return place < len(known)


def _words(element: Any) -> str:
    """The text of an element, with line breaks only where the page has them."""
    return "\n".join(line for part in "".join(_texts(element)).split("\0") if (line := " ".join(part.split())))


def _texts(element: Any) -> Iterator[str]:
    """Yield the texts inside an element; a line break is NUL, which no page has."""
    yield element.text or ""
    for child in element:
        if child.tag == "lb":
            yield "\0"
        yield from _texts(child)
        yield child.tail or ""
