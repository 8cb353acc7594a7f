"""Values of numbers in digits and in words: "1,200", "6.2 million", "two hundred and fifty"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

DIGITS: Final = re.compile(r"\d+(?:(?:,\d{2,3})*,\d{3})?(?:\.\d+)?")
"""A number in digits, with commas before its thousands, lakhs or crores."""
SPACED: Final = re.compile(r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?")
"""A number in digits with spaces before its thousands."""
_SMALL: Final = (
    "one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS: Final = {
    **{word: float(value) for value, word in enumerate(_SMALL.split(), start=1)},
    **{word: float(value) for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)},
    "sole": 1.0,
    "single": 1.0,
}
"""Values of words for numbers below a hundred."""
_HUNDRED: Final = 100.0
MULTIPLIERS: Final = {
    "dozen": 12.0,
    "hundred": _HUNDRED,
    "thousand": 1e3,
    "lakh": 1e5,
    "million": 1e6,
    "crore": 1e7,
    "billion": 1e9,
    "trillion": 1e12,
}
"""Values of words that multiply the number before them."""


def read_digits(text: str) -> float | None:
    """Value of a number in digits; None if it is of no common form, as "1,5" and "1.200.000" are.

    "1.200" is none either, as the point may divide thousands.

    >>> read_digits("1,200.5"), read_digits("1 200"), read_digits("0.125"), read_digits("1.200")
    (1200.5, 1200.0, 0.125, None)
    """
    if not (DIGITS.fullmatch(text) or SPACED.fullmatch(text)) or re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", text):
        return None
    return float(re.sub(r"[^\d.]", "", text))


def read_number(words: Sequence[str]) -> float | None:
    """Value of a number, by its words in small letters or digits; None if they are no number together.

    >>> read_number(["two", "hundred", "fifty"]), read_number(["6.2", "million"]), read_number(["two", "six"])
    (250.0, 6200000.0, None)
    """
    total, part, most = 0.0, 0.0, float("inf")
    room = most
    for word in words:
        factor = MULTIPLIERS.get(word)
        if factor is None:
            value = read_digits(word) if word[0].isdigit() else NUMBERS.get(word)
            if value is None or value >= room:
                return None
            part, room = part + value, 10.0 if value >= 20 and value % 10 == 0 and not word[0].isdigit() else 0.0
        elif factor == _HUNDRED and part < _HUNDRED:
            part, room = (part or 1.0) * factor, factor
        elif factor < most:
            total, part, most, room = total + (part or 1.0) * factor, 0.0, factor, factor
        else:
            return None
    return total + part
