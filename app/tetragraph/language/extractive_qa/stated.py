"""A number that a text states, and the number of what a noun names: "three acts", "about 25 species of herbs"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tetragraph.language.lexicon.words import stem

DIGITS: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEARS: Final = (1500, 2100)
"""Numbers without a comma that are taken for years ("a 1996 film")."""
_NUMBER_WORDS: Final = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS: Final = {
    **{word: float(value) for value, word in enumerate(_NUMBER_WORDS.split(), start=1)},
    "sole": 1.0,
    "single": 1.0,
    "twenty": 20.0,
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "hundred": 100.0,
}
"""Values of words for numbers."""
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
    """The first number of what a noun names that a text states.

    Args:
        text: The text.
        noun: Stem of the noun.
    """
    words = list(re.finditer(r"\d[\d,.]*\d|\w+", text))
    for place, word in enumerate(words):
        if stem(word[0].lower()) == noun:
            before = words[max(place - _NEAR, 0) : place][::-1]
            for near in words[place + 1 : place + 1 + _NEAR] if noun == _POPULATION else before:
                if (value := _number(near[0])) is not None:
                    return Stated(value, near.span())
    return None


def _number(word: str) -> float | None:
    if not DIGITS.fullmatch(word):
        return NUMBERS.get(word.lower())
    value = float(word.replace(",", ""))
    return None if "," not in word and _YEARS[0] <= value <= _YEARS[1] else value
