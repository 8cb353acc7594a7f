"""A number that a text states, and the number of what a noun names: "three acts", "about 25 species of herbs"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.extractive_qa.numerals import MULTIPLIERS, NUMBERS, SPACED, read_number
from tetragraph.language.lexicon.words import stem

_YEARS: Final = (1500, 2100)
"""Numbers without a comma that are taken for years ("a 1996 film")."""
_WORD: Final = re.compile(rf"(?<!\d){SPACED.pattern}(?![\d,.]*\d)|\d[\d,.]*\d|\w+")
_JOINT: Final = re.compile(r"[\s-]*")
"""Text between the words of one number, but for "and"."""
_VAGUE: Final = re.compile(r"few|several|many|couple|half|thirds?|quarters?", re.IGNORECASE)
"""Words before a number that make it another one, of which the value is not read."""
_MULTIPLYING: Final = re.compile(
    r"thirds|quarters|(?:dozen|hundred|thousand|lakh|million|crore|billion)s|score|gross|k|mn?|bn?|percent",
    re.IGNORECASE,
)
"""Such words behind a number."""
_PART: Final = re.compile(r"\s*[%‰½¼¾⅓⅔]|-(?:first|second|third|\w+th)\b|[/⁄]\d")
"""Text behind a number that makes it a share, a fraction or a rank."""
_GLUED: Final = re.compile(r"\d+(?:k|m|mn|bn|b)", re.IGNORECASE)
"""Digits with letters for a multiplier."""
_POPULATION: Final = stem("population")
"""Stem of the noun that stands before its number: "a population of about 12,000"."""
_NEAR: Final = 3
"""Largest distance, in words, between a number and its noun: "11 accepted species"."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a text states, with its place there: start and end, in characters."""

    value: float
    place: tuple[int, int]


def find_count(text: str, noun: str) -> Stated | None:
    """The first number of what a noun names that a text states; None if it is not understood, as in "6 score".

    Args:
        text: The text.
        noun: Stem of the noun.

    >>> [find_count(text, "act").value for text in ("Twenty-five acts", "6.2 million acts")]
    [25.0, 6200000.0]
    """
    words = list(_WORD.finditer(text))
    for place, word in enumerate(words):
        if stem(word[0].lower()) == noun:
            before = range(place - 1, max(place - _NEAR, 0) - 1, -1)
            behind = range(place + 1, min(place + 1 + _NEAR, len(words)))
            for near in behind if noun == _POPULATION else before:
                if _is_number(words[near]):
                    return _read(text, words, near)
    return None


def _is_number(word: re.Match[str]) -> bool:
    """Whether a word belongs to a number, and is no year."""
    text = word[0].lower()
    if not text[0].isdigit():
        return text in NUMBERS or text in MULTIPLIERS
    is_year = text.isdecimal() and _YEARS[0] <= int(text) <= _YEARS[1]
    return not is_year and (not re.search(r"[^\W\d]", text) or bool(_GLUED.fullmatch(text)))


def _read(text: str, words: Sequence[re.Match[str]], place: int) -> Stated | None:
    """The number to which a word belongs, with all its words; None if a word beside it makes it another one."""
    first = last = place
    while last + 1 < len(words) and (step := _step(text, words, last, 1)):
        last += step
    while first and (step := _step(text, words, first, -1)):
        first -= step
    number = [word[0].lower() for word in words[first : last + 1] if word[0].lower() != "and"]
    before, start, end = first - 1, words[first].start(), words[last].end()
    while number[0] in MULTIPLIERS and before > 0 and words[before][0].lower() in ("a", "an", "of"):
        before -= 1
    is_beside = before >= 0 and (number[0] in MULTIPLIERS or _are_joint(text, words[before], words[first]))
    if (
        (is_beside and _VAGUE.fullmatch(words[before][0]))
        or _PART.match(text, end)
        or text[:start].endswith(("/", "⁄"))
    ):
        return None
    behind = words[last + 1] if last + 1 < len(words) else None
    if behind and _MULTIPLYING.fullmatch(behind[0]) and _are_joint(text, words[last], behind):
        return None
    value = read_number(number)
    return None if value is None else Stated(value, (start, end))


def _step(text: str, words: Sequence[re.Match[str]], place: int, step: int) -> int:
    """How many words further a number goes on, which is 2 behind a multiplier and "and"; 0 if it ends."""
    beyond = place + step
    if _is_number(words[beyond]) and _are_joint(text, *sorted((words[place], words[beyond]), key=re.Match.start)):
        return 1
    other = place + 2 * step
    if words[beyond][0].lower() != "and" or not 0 <= other < len(words) or not _is_number(words[other]):
        return 0
    return 2 * (words[min(place, other)][0].lower() in MULTIPLIERS)


def _are_joint(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    return bool(_JOINT.fullmatch(text, one.end(), other.start()))
