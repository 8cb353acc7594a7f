"""Equivalence of spellings: different letters for one sound, British and American forms, singular and plural."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ə": "a"}
)
_BRITISH = (
    (re.compile(r"is(e[ds]?|ing|ations?|ers?)$"), r"iz\1"),
    (re.compile(r"(?<=[a-z]{3})our(s|ed|ing|ful|able|ite|ites)?$"), r"or\1"),
    (re.compile(r"(?<=[a-z]{2}[^aeiou]t)re(s)?$"), r"er\1"),
    (re.compile(r"^centre(s)?$"), r"center\1"),
    (re.compile(r"^theatre(s)?$"), r"theater\1"),
    (re.compile(r"^defence(s)?$"), r"defense\1"),
    (re.compile(r"^programme(s)?$"), r"program\1"),
    (re.compile(r"^jewell"), "jewel"),
    (re.compile(r"^grey"), "gray"),
)
_MAYBE_BRITISH = re.compile(r"is[aei]|our|tres?$|defence|programme|jewell|grey")
_LONGEST_FIXED = 5
_NO_PLURAL_LIST = """
arms news goods customs glasses works means forces headquarters series species spirits blues grounds quarters arts
waters communications finances rights troops affairs stocks ruins savings earnings premises proceedings damages twenties
thirties forties fifties sixties seventies eighties nineties hostilities peoples minutes letters manners looks airs
spectacles pains times games writings remains thanks odds woods
"""
_NO_PLURALS = frozenset(_NO_PLURAL_LIST.split())
"""Plurals with a meaning other than several of the singular."""
_SOUNDS: Final = (
    ("ph", "f"), ("sch", "s"), ("sh", "s"), ("ck", "k"), ("ch", "k"), ("th", "t"), ("kh", "k"), ("gh", "g"),
    ("dh", "d"), ("bh", "b"), ("zh", "z"), ("ou", "u"), ("oo", "u"), ("ee", "i"), ("ie", "i"), ("ei", "i"),
    *((umlaut + "e", sound) for umlaut, sound in (("a", "e"), ("o", "e"), ("u", "u"))),
    ("q", "k"), ("c", "k"), ("z", "s"), ("w", "v"), ("y", "i"), ("j", "i"),
)  # fmt: skip
"""Spellings of one sound, longer ones first."""
_DOUBLED = re.compile(r"(.)\1+")
_SOFT = frozenset("aeiouh")
_SHORTEST_NEAR = 5


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Reduce spellings that differ in special letters or in British and American usage to one form of a word.

    >>> [fold(word) for word in ("næss", "ʿadud", "organisation", "colour", "theatre", "paris", "four")]
    ['naess', 'adud', 'organization', 'color', 'theater', 'paris', 'four']
    """
    plain = word
    if not word.isascii():
        plain = "".join(letter for letter in word if unicodedata.category(letter) != "Lm").translate(_LETTERS)
    if len(plain) > _LONGEST_FIXED and plain.isascii():
        for british, american in _BRITISH if _MAYBE_BRITISH.search(plain) else ():
            plain = british.sub(american, plain)
    return plain or word


def singular(word: str) -> str:
    """Singular of a noun by its letters; the word itself if it has none, or one with another meaning.

    >>> [singular(word) for word in ("films", "cities", "churches", "glass", "arms", "politics", "series", "bus")]
    ['film', 'city', 'church', 'glass', 'arms', 'politics', 'series', 'bus']
    """
    if len(word) < 4 or word in _NO_PLURALS or not word.isalpha() or word.endswith(("ss", "us", "is", "ics", "as")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word.removesuffix("s")


def is_near(first: str, second: str) -> bool:
    """Whether two different words can be spellings of one name: they sound the same, except for one letter inside.

    Their first letters and their ends are equal, as other ends make another word ("Paul" and "Paula", "Korea" and
    "Korean", "prince" and "princess").

    >>> is_near("luxembourg", "luxemburg"), is_near("shastra", "sastra"), is_near("maria", "mario")
    (True, True, False)
    """
    one, other = _sound(first), _sound(second)
    if min(len(first), len(second)) < _SHORTEST_NEAR or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if first.startswith(second) or second.startswith(first):
        return one == other
    return one == other or _is_one_letter_apart(one, other)


def _sound(word: str) -> str:
    for letters, sound in _SOUNDS:
        word = word.replace(letters, sound)
    return _DOUBLED.sub(r"\1", word)


def _is_one_letter_apart(one: str, other: str) -> bool:
    """Whether one more vowel or "h", or one other vowel, turns one word into the other."""
    short, long = sorted((one, other), key=len)
    start = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) == len(long):
        return short[start + 1 :] == long[start + 1 :] and {short[start], long[start]} <= _SOFT
    return short[start:] == long[start + 1 :] and long[start] in _SOFT


def skeleton(word: str) -> str:
    """Common part of words that are near each other: their sound without vowels and "h"."""
    return "".join(letter for letter in _sound(word) if letter not in _SOFT)
