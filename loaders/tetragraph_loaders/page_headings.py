"""Headings of a text in pages whose file marks none, as a PDF does not: found by the look of their lines.

A heading is short, has capitals in most of its words or the number of a section, and ends without punctuation. It opens
a page, or stands above prose where another sentence has ended. Lines that many pages have at their edges, such as the
name of the report and the number of the page, are none; above a heading they belong to its section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import groupby, takewhile

from tetragraph.model import Heading, Page

_EDGE = 4
"""Number of lines at each end of a page that may be those of many pages."""
_LEAST_PAGES, _PAGE_SHARE = 3, 0.1
"""A line of so many pages, and of this share of all, is one of many pages."""
_MOST_LINES = 4
"""Number of lines of a heading at the top of a page."""
_LEAST_WORDS = 3
"""Number of words, each on a line of its own, that are one line."""
_MOST_WORDS, _MOST_CHARACTERS = 14, 150
_WORD_SHARE, _CAPITAL_SHARE = 0.6, 0.8
"""Smallest share of words among all tokens of a line, and of those with a capital among the words that may have one."""
_PROSE_SHARE = 0.6
"""Length of a line of prose, relative to that which a quarter of all lines exceed."""
_SMALL = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to", "with")
)
"""Words that have no capital in a heading."""
_NUMBER = re.compile(r"\d+")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s")
"""Number of a section at the start of a heading."""
WORD = re.compile(r"[^\W\d_]{2,}")
"""Two letters or more in a row."""
_ENDS = ".:?!"
"""Characters that end a sentence or announce what follows; a heading ends in none of them."""
_Line = tuple[int, str]
"""Offset of a line in the text, and the line without blanks at its ends."""


def find_headings(text: str, pages: Sequence[Page]) -> Iterator[Heading]:
    """The headings of a text, all of level 1, in its order.

    Args:
        text: Text of the whole document.
        pages: Its pages, ascending.
    """
    ends = [*(page.start for page in pages[1:]), len(text)]
    found = [_lines(text, page.start, end) for page, end in zip(pages, ends, strict=True)]
    lengths = sorted(len(line) for lines in found for _, line in lines)
    if not lengths:
        return
    prose = _PROSE_SHARE * lengths[len(lengths) * 3 // 4]
    running = _find_running(found)
    for page, lines in zip(pages, found, strict=True):
        yield from _find_on_page(_without_running(lines, running), page.start, prose)


def _lines(text: str, start: int, end: int) -> list[_Line]:
    """The lines of a page that are not blank; words that each have a line of their own are joined to one."""
    found: list[_Line] = []
    for line in text[start:end].splitlines(keepends=True):
        if words := line.strip():
            found.append((start + len(line) - len(line.lstrip()), words))
        start += len(line)
    return [joined for is_word, run in groupby(found, _is_one_word) for joined in _join(list(run), is_word)]


def _is_one_word(line: _Line) -> bool:
    return " " not in line[1]


def _join(lines: Sequence[_Line], is_word: bool) -> Sequence[_Line]:
    """The lines as one if they are several words, of which some PDF has each on a line."""
    if not is_word or len(lines) < _LEAST_WORDS:
        return lines
    return [(lines[0][0], " ".join(line for _, line in lines))]


def _find_running(pages: Sequence[Sequence[_Line]]) -> Set[str]:
    """Lines at the edges of many pages, whatever their numbers."""
    counts = Counter(key for lines in pages for key in {_key(line) for _, line in (*lines[:_EDGE], *lines[-_EDGE:])})
    least = max(_LEAST_PAGES, _PAGE_SHARE * len(pages))
    return {key for key, count in counts.items() if count >= least}


def _without_running(lines: Sequence[_Line], running: Set[str]) -> list[_Line]:
    last = len(lines) - _EDGE
    return [
        (start, line) for place, (start, line) in enumerate(lines) if _EDGE <= place < last or _key(line) not in running
    ]


def _key(line: str) -> str:
    return _NUMBER.sub("#", " ".join(line.split()))


def _find_on_page(lines: Sequence[_Line], start_of_page: int, prose: float) -> Iterator[Heading]:
    """The heading at the top of a page, of one or several lines, which begins with it, and those above prose."""
    top = list(takewhile(lambda line: _is_like_heading(line[1]), lines[:_MOST_LINES]))
    while len(title := " ".join(line for _, line in top)) > _MOST_CHARACTERS:
        top.pop()
    if 0 < len(top) < len(lines):
        yield Heading(start_of_page, 1, title)
    rest = lines[max(len(top) - 1, 0) :]
    for (_, before), (start, line), (_, after) in zip(rest, rest[1:], rest[2:], strict=False):
        if before[-1] in _ENDS and _is_like_heading(line) and len(after) >= prose and after[0].isupper():
            yield Heading(start, 1, line)


def _is_like_heading(line: str) -> bool:
    tokens = line.split()
    words = [word for token in tokens if (word := WORD.search(token))]
    if len(tokens) > _MOST_WORDS or len(line) > _MOST_CHARACTERS or line[-1] in _ENDS or line[-1] in ",;":
        return False
    if len(words) < max(1, _WORD_SHARE * len(tokens)):
        return False
    if _SECTION.match(line):
        return words[0][0][0].isupper()
    capital = [word[0][0].isupper() for word in words if word[0].lower() not in _SMALL]
    return sum(capital) >= max(1, _CAPITAL_SHARE * len(capital))
