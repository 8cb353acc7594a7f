"""Periods that texts state, for questions about what lasted longer: "from August 4 to September 18, 1950"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tetragraph.language.extractive_qa.dates import MONTH, Date, find_dates, month_number
from tetragraph.language.extractive_qa.stated import Stated

_LENGTH: Final = r"\s+(?:for\s+)?(?:the\s+)?(?:(?P<more>longer|longest)|shorter|shortest)\b"
_LASTED: Final = re.compile(
    r"\b(?:last(?:s|ed)?|ran|(?:in|on)\s+(?:the\s+)?(?:air|operation|service|use))" + _LENGTH, re.IGNORECASE
)
_HELD: Final = re.compile(r"\b(?:active|reign(?:ed)?|ruled?|served?|in\s+(?:office|power))" + _LENGTH, re.IGNORECASE)
"""Words for what persons do: dates in brackets are those of their lives."""
_TO: Final = re.compile(r"\s*,?\s*(to|until|till|through|and|[-–—])\s*")
_WITHOUT_YEAR: Final = re.compile(
    rf"(?:(?P<before>\d{{1,2}})\s+)?\b{MONTH}(?:\s+(?P<after>\d{{1,2}}))?(?={_TO.pattern}$)", re.IGNORECASE
)
"""A date right before another one that has the year of both."""
_BETWEEN: Final = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_WIDEST: Final = 40
"""Number of characters in which a date without its year stands before the other one."""


def asks_for_period(rest: str) -> bool:
    """Whether a question compares by how long something lasted, or somebody held an office or was active.

    Args:
        rest: The question without the names of what it compares.
    """
    return _comparative(rest) is not None


def is_longer(rest: str) -> bool:
    """Whether such a question asks for the longer period, and not for the shorter."""
    found = _comparative(rest)
    return bool(found and found["more"])


def _comparative(rest: str) -> re.Match[str] | None:
    return _LASTED.search(rest) or _HELD.search(rest)


def find_period(text: str, rest: str) -> Stated | None:
    """The first period that a text states, in days, a month as 30.

    Args:
        text: Text of a chunk.
        rest: The question without the names of what it compares. If it is about a person, periods in brackets are
            left out.

    >>> find_period("The siege lasted from August 4 to September 18, 1950.", "Which lasted longer, _ or _?").value
    44.0
    """
    for begin, end in _periods(text):
        is_in_brackets = text.rfind("(", 0, begin.start) > text.rfind(")", 0, begin.start)
        if end.days >= begin.days and not (is_in_brackets and _HELD.search(rest)):
            return Stated(float(end.days - begin.days), (begin.start, end.end))
    return None


def _periods(text: str) -> Iterator[tuple[Date, Date]]:
    """Begin and end of each period, in order."""
    earlier: Date | None = None
    for end in find_dates(text):
        begin = _same_year(text, end) or earlier
        joint = _TO.fullmatch(text, begin.end, end.start) if begin else None
        if begin and joint and (joint[1] != "and" or _BETWEEN.search(text, 0, begin.start)):
            yield begin, end
        earlier = end


def _same_year(text: str, end: Date) -> Date | None:
    """The date without a year that stands before a date with month and year; None if there is none."""
    found = _WITHOUT_YEAR.search(text, max(end.start - _WIDEST, 0), end.start) if end.month else None
    if not found:
        return None
    day = int(found["before"] or found["after"] or 0)
    return Date(end.year, month_number(found["month"]), day, *found.span())
