"""Numbers that texts state, for questions that compare by them: "more acts", "the most species", "higher".

A number counts what the noun behind it names ("three acts", "about 25 species of herbs"); heights are numbers before
metres or feet, and lengths, depths and widths have their noun beside the unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from tetragraph.language.extractive_qa.in_common import count_occupations
from tetragraph.language.extractive_qa.members import MEMBER, find_members
from tetragraph.language.extractive_qa.numerals import DIGITS
from tetragraph.language.extractive_qa.stated import Stated, find_count
from tetragraph.language.lexicon.names import WORD
from tetragraph.language.lexicon.words import STOP_WORDS, stem

_MORE: Final = re.compile(
    r"\b(?:(?P<more>more|most|greater|greatest|larger|largest)|fewer|fewest|less|(?<!at )least|smaller|smallest)\b"
    r"(?!\s+than\b(?!\s+(?:the\s+)?_))",
    re.IGNORECASE,
)
_HIGHER: Final = re.compile(r"\b(?:(?P<more>higher|highest|taller|tallest)|(?:lower|lowest))\b", re.IGNORECASE)
_HEIGHT: Final = re.compile(rf"({DIGITS.pattern})[\s-]*(m|met(?:re|er)s?|ft|feet|foot)\b")
_RANK: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th)[\s-](?:highest|tallest)\b[^.]*?\bin the world\b")
_FOOT: Final = 0.3048
_UNITS: Final = {
    r"m|met(?:re|er)s?": 1.0,
    r"km|kilomet(?:re|er)s?": 1000.0,
    r"ft|feet|foot": _FOOT,
    r"mi|miles?": 1609.344,
    r"min|minutes?": 1.0,
}
"""Units of extents, as patterns, with their metres; minutes count as they are."""
_LENGTH: Final = "long|length|running time"
_DEPTH: Final = "deep|depth"
_WIDTH: Final = "wide|width"
_EXTENTS: Final = (
    (re.compile(r"\b(?:(?P<more>longer|longest)|shorter|shortest)\b", re.IGNORECASE), _LENGTH),
    (re.compile(r"\b(?:(?P<more>deeper|deepest)|shallower|shallowest)\b", re.IGNORECASE), _DEPTH),
    (re.compile(r"\b(?:(?P<more>wider|widest)|narrower|narrowest)\b", re.IGNORECASE), _WIDTH),
)
"""Comparatives of an extent, and the words for it in a text."""
_OCCUPATIONS: Final = re.compile(
    r"\b(?:(?P<more>more|most|wider|widest|broader|broadest|greater)|fewer|fewest|less)\b"
    r"[^_]{0,30}?\b(?:careers?|jobs?|occupations?|positions?|professions?)\b",
    re.IGNORECASE,
)
"""Words of a question that compares by what somebody is: "a wider scope of profession", "a more diverse career"."""
_NOUNS: Final = 2
"""Number of words behind "more" among which the noun is."""
_COUNTED: Final = frozenset(["children", "men", "people", "population", "women"])
"""Nouns of a number of people, which need no ending of a plural."""

Measure = Callable[[str], Stated | None]
"""Returns the number that a text states; None if it states none."""


def find_measures(rest: str) -> tuple[list[Measure], bool]:
    """Find the numbers that a question compares by, and whether it asks for the larger one.

    Args:
        rest: The question without the names of what it compares.

    Returns:
        Functions that read such a number from a text, the likeliest first; and whether the larger number is asked for.

    >>> measures, is_larger = find_measures("Which opera has more acts, _ or _?")
    >>> [measure("An opera in five acts of 1884.").value for measure in measures], is_larger
    ([5.0], True)
    """
    if work := _OCCUPATIONS.search(rest):
        return [count_occupations], bool(work["more"])
    if high := _HIGHER.search(rest):
        return [find_height], bool(high["more"])
    for pattern, noun in _EXTENTS:
        if extent := pattern.search(rest):
            return [partial(find_extent, noun=noun)], bool(extent["more"])
    more = _MORE.search(rest)
    if not more:
        return [], True
    words = [match[0] for match in WORD.finditer(rest, more.end())][:_NOUNS]
    nouns = [stem(word.lower()) for word in words if _is_counted(word.lower())]
    measures: list[Measure] = [find_members if noun == MEMBER else partial(find_count, noun=noun) for noun in nouns]
    return measures, bool(more["more"])


def find_ranks(rest: str) -> list[Measure]:
    """Find the ranks that a question compares by; the lower one is that of the larger thing.

    Args:
        rest: The question without the names of what it compares.
    """
    return [find_rank] if _HIGHER.search(rest) else []


def _is_counted(word: str) -> bool:
    """Whether a word behind "more" is a noun in the plural, and not an adjective such as "famous"."""
    return word in _COUNTED or (word.endswith("s") and not word.endswith(("ous", "ss")) and word not in STOP_WORDS)


def find_height(text: str) -> Stated | None:
    """The first height that a text states, in metres.

    >>> find_height("It is the eighth highest at 8,163 m.").value, find_height("A tower of 716 ft (218 m).").value
    (8163.0, 218.2368)
    """
    found = _HEIGHT.search(text)
    if not found:
        return None
    value = float(found[1].replace(",", ""))
    return Stated(round(value * _FOOT, 4) if found[2].startswith("f") else value, found.span())


def find_rank(text: str) -> Stated | None:
    """The rank by height in the world that a text states.

    >>> find_rank("It is the 23rd-highest peak in the world.").value
    23.0
    """
    found = _RANK.search(text)
    return Stated(float(found[1]), found.span()) if found else None


def find_extent(text: str, noun: str) -> Stated | None:
    """The first length, depth or width that a text states, in metres, or in minutes.

    Args:
        text: The text.
        noun: Words for the extent, as a pattern.

    >>> find_extent("The bridge is 420 metres long.", _LENGTH).value, find_extent("A depth of 1.2 km.", _DEPTH).value
    (420.0, 1200.0)
    """
    amount = rf"(?P<amount>{DIGITS.pattern})[\s-]*(?P<unit>{'|'.join(_UNITS)})\b"
    found = re.search(rf"{amount}[^.;\d]{{0,12}}\b(?:{noun})\b", text)
    found = found or re.search(rf"\b(?:{noun})\b[^.;\d]{{0,20}}{amount}", text)
    if not found:
        return None
    factor = next(factor for unit, factor in _UNITS.items() if re.fullmatch(unit, found["unit"]))
    return Stated(round(float(found["amount"].replace(",", "")) * factor, 4), found.span("amount"))
