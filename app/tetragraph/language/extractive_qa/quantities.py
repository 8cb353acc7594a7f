"""Numbers that texts state, for questions that compare by them: "more acts", "the most species", "higher".

A number counts what the noun behind it names ("three acts", "about 25 species of herbs"); heights are numbers before
metres or feet, and lengths, depths and widths have their noun beside the unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from tetragraph.language.extractive_qa.amounts import AMOUNT, is_long, is_time, read_amount
from tetragraph.language.extractive_qa.in_common import count_occupations
from tetragraph.language.extractive_qa.members import MEMBER, find_members
from tetragraph.language.extractive_qa.stated import Stated, find_count
from tetragraph.language.lexicon.names import WORD
from tetragraph.language.lexicon.words import STOP_WORDS, stem

_MORE: Final = re.compile(
    r"\b(?:(?P<more>more|most|greater|greatest|larger|largest)|fewer|fewest|less|(?<!at )least|smaller|smallest)\b"
    r"(?!\s+than\b(?!\s+(?:the\s+)?_))",
    re.IGNORECASE,
)
_HIGHER: Final = re.compile(r"\b(?:(?P<more>higher|highest|taller|tallest)|(?:lower|lowest))\b", re.IGNORECASE)
_AMOUNT: Final = re.compile(AMOUNT)
_HIGH: Final = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:high|tall|above|in\s+(?:height|elevation|altitude))\b")
_HIGH_BEFORE: Final = re.compile(r"\b(?:height|elevation|altitude)s?\b[^.;\d]{0,20}$")
_NOT_HIGH: Final = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:wide|long|deep|broad|across|away|from|in\s+(?:length|width|depth|diameter))\b"
)
_NOT_HIGH_BEFORE: Final = re.compile(r"\b(?:length|width|depth|diameter|distance)s?\b[^.;\d]{0,20}$")
_OF_HEIGHT: Final = re.compile(
    r"heights?|elevations?|altitudes?|peaks?|mountains?|summits?|points?|tops?|hills?|volcano(?:e?s)?|cliffs?|plateaus?"
    r"|buildings?|towers?|skyscrapers?|structures?|bridges?|dams?|waterfalls?|sea|level|ground|ones?|two|world|[A-Z].*"
)
"""Words behind "higher" of a question that compares heights."""
_TALLER: Final = re.compile(r"tall", re.IGNORECASE)
_RATIO: Final = frozenset(["decline", "density", "growth", "percentage", "rate", "ratio", "share"])
"""Nouns behind that of a number, which is not what is compared: "population density"."""
_RANK: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th)[\s-](?:highest|tallest)\b[^.]*?\bin the world\b")
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
_MARK: Final = re.compile(r"[_,;:?]")
_BEFORE: Final = 40
"""Number of characters in which the noun stands before its amount: "a height of about"."""
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
        return _measures_of(rest, high), bool(high["more"])
    for pattern, noun in _EXTENTS:
        if extent := pattern.search(rest):
            return [partial(find_extent, noun=noun)], bool(extent["more"])
    more = _MORE.search(rest)
    if not more:
        return [], True
    words = [match[0] for match in WORD.finditer(rest, more.end())][:_NOUNS]
    return _counts(words), bool(more["more"])


def _measures_of(rest: str, high: re.Match[str]) -> list[Measure]:
    """Height, unless the words behind "higher" name something else: its number, or what is not read from texts."""
    end = _MARK.search(rest, high.end())
    run: list[str] = []
    for match in WORD.finditer(rest, high.end(), end.start() if end else len(rest)):
        if match[0].lower() not in STOP_WORDS:
            run.append(match[0])
        elif run and match[0].lower() != "of":
            break
    if _TALLER.match(high[0]) or all(_OF_HEIGHT.fullmatch(word) for word in run):
        return [find_height]
    return _counts(run[-1:]) or [_find_nothing]


def _counts(words: Sequence[str]) -> list[Measure]:
    """The numbers of what words name; none is found in any text if they name a ratio."""
    if _RATIO & {word.lower() for word in words}:
        return [_find_nothing]
    nouns = [stem(word.lower()) for word in words if _is_counted(word.lower())]
    return [find_members if noun == MEMBER else partial(find_count, noun=noun) for noun in nouns]


def _find_nothing(_: str) -> None:
    """The number of something that is not read from texts, so that words do not decide in its place."""


def find_ranks(rest: str) -> list[Measure]:
    """Find the ranks that a question compares by; the lower one is that of the larger thing.

    Args:
        rest: The question without the names of what it compares.
    """
    return [find_rank] if find_height in find_measures(rest)[0] else []


def _is_counted(word: str) -> bool:
    """Whether a word behind "more" is a noun in the plural, and not an adjective such as "famous"."""
    return word in _COUNTED or (word.endswith("s") and not word.endswith(("ous", "ss")) and word not in STOP_WORDS)


def find_height(text: str) -> Stated | None:
    """The first height that a text states, in metres.

    >>> find_height("It is the eighth highest at 8,163 m.").value, find_height("A tower of 716 ft (218 m).").value
    (8163.0, 218.2368)
    """
    for found in _AMOUNT.finditer(text):
        amount = found["amount"]
        before = max(found.start() - _BEFORE, 0)
        is_high = _HIGH.match(text, found.end()) or _HIGH_BEFORE.search(text, before, found.start())
        is_other = _NOT_HIGH.match(text, found.end()) or _NOT_HIGH_BEFORE.search(text, before, found.start())
        if is_high or not (is_other or is_long(amount) or is_time(amount)):
            return _stated(found)
    return None


def _stated(found: re.Match[str]) -> Stated | None:
    value = read_amount(found["amount"])
    return None if value is None else Stated(value, found.span("amount"))


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
    found = re.search(rf"{AMOUNT}[^.;\d]{{0,12}}\b(?:{noun})\b", text)
    found = found or re.search(rf"\b(?:{noun})\b[^.;\d]{{0,20}}{AMOUNT}", text)
    return _stated(found) if found else None
