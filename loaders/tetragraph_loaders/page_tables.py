"""Repeats the header of long tables of years in a text in pages, whose file marks no tables, as a PDF does not.

A passage from the middle of such a table would not say which year a number belongs to. The header is the line that
names the years, with the period, the units and the name of its first column around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tetragraph.model import Page
from tetragraph_loaders.tables import GROUP_CHARACTERS

_LEAST_ROWS = 4
"""Number of lines with numbers below a header, without which it is none."""
_MOST_ABOVE = 3
"""Number of lines above the years that may belong to the header."""
_MOST_WORDS = 14
"""Number of words of a line above which it is prose."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_PERIODS_LIST = """
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec first second third fourth quarter quarters month months year years week weeks fiscal three six nine
twelve ended ending end as of at the for period periods change increase decrease percent
"""
_PERIODS = frozenset(_PERIODS_LIST.split())
"""Words that stand among the years of a header."""
_DAY = re.compile(r"\d{1,2}")
_NUMBER = re.compile(r"\d")
_AMOUNT = re.compile(r"[($€£-]*\d(?:[\d,.]*\d)?[)%]*|[—–-]|\$|%|\)")
_IN_PARENTHESES = re.compile(r"\(.*\)")
_AROUND = "()*:;.,%$"


def repeat_headers(text: str, pages: Sequence[Page]) -> tuple[str, tuple[Page, ...]]:
    """The text with tables of years as paragraphs, the long ones as several that each begin with the header.

    Args:
        text: Text of the whole document.
        pages: Its pages, ascending.

    Returns:
        The text, and its pages.
    """
    starts = [page.start for page in pages]
    parts = [text[: starts[0]] if starts else text]
    found: list[Page] = []
    length = len(parts[0])
    for page, end in zip(pages, [*starts[1:], len(text)], strict=False):
        found.append(Page(length, page.number, page.label))
        parts.append("\n".join(_divide(text[page.start : end].split("\n"))))
        length += len(parts[-1])
    return "".join(parts), tuple(found)


def _divide(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a page, with blank ones around each group of the rows of a table."""
    done = 0
    for at, line in enumerate(lines):
        if at < done or not _names_years(line):
            continue
        above = list(takewhile(_names_period, reversed(lines[max(at - _MOST_ABOVE, done) : at])))[::-1]
        below = list(takewhile(_names_period, lines[at + 1 :]))
        header = [*above, line, *below]
        rows = list(takewhile(_is_of_table, lines[at + 1 + len(below) :]))
        while rows and not _has_amounts(rows[-1]):
            rows.pop()
        if sum(map(_has_amounts, rows)) < _LEAST_ROWS:
            continue
        yield from lines[done : at - len(above)]
        for group in _group(rows, sum(map(len, header))):
            yield from ("", *header, *group)
        yield ""
        done = at + 1 + len(below) + len(rows)
    yield from lines[done:]


def _group(rows: Sequence[str], lead: int) -> Iterator[list[str]]:
    """The rows in groups of about the same size, none of which ends with the name of a part of the table."""
    length = sum(map(len, rows))
    size = length / -(-length // max(GROUP_CHARACTERS - lead, GROUP_CHARACTERS // 2))
    group: list[str] = []
    for row in rows:
        if group and sum(map(len, group)) + len(row) / 2 > size and _has_amounts(group[-1]):
            yield group
            group = []
        group.append(row)
    yield group


def _names_years(line: str) -> bool:
    """Whether a line ends with two years or more, with no words between them but those of periods."""
    words = _words(line)
    years = [place for place, word in enumerate(words) if _YEAR.fullmatch(word)]
    if len(years) < 2 or len(words) - len(years) > _MOST_WORDS:
        return False
    has_number = any(_NUMBER.search(word) and not _is_of_period(word) for word in words[: years[0]])
    return not has_number and all(map(_is_of_period, words[years[0] :]))


def _is_of_table(line: str) -> bool:
    """Whether a line below a header may belong to the table: it has amounts at its end, or is short and no sentence."""
    is_short = len(line.split()) <= _MOST_WORDS and not line.rstrip().endswith(".")
    return (is_short or _has_amounts(line)) and not _names_years(line)


def _has_amounts(line: str) -> bool:
    words = line.split()
    return len(words) > 1 and _AMOUNT.fullmatch(words[-1]) is not None


def _names_period(line: str) -> bool:
    """Whether a line names a period or, in parentheses, units, and nothing else."""
    words = _words(line)
    is_period = any(word in _PERIODS or _YEAR.fullmatch(word) for word in words) and all(map(_is_of_period, words))
    return is_period or _IN_PARENTHESES.fullmatch(line.strip()) is not None


def _is_of_period(word: str) -> bool:
    return word in _PERIODS or _YEAR.fullmatch(word) is not None or _DAY.fullmatch(word) is not None


def _words(line: str) -> list[str]:
    return [word for word in (part.strip(_AROUND).lower() for part in line.split()) if word]
