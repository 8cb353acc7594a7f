"""Lengths and times that a text states in digits: "1,200 m", "5 ft 11 in", "1 hour 35 minutes"."""

from __future__ import annotations

import re
from typing import Final

from tetragraph.language.extractive_qa.numerals import SPACED, read_digits

_METRE, _KILOMETRE, _FOOT = r"m|met(?:re|er)s?", r"km|kilomet(?:re|er)s?", r"ft|feet|foot"
_HOUR, _MINUTE = r"h|hrs?|hours?", r"mins?|minutes?"
_UNITS: Final = {
    _KILOMETRE: 1000.0,
    _METRE: 1.0,
    r"cm|centimet(?:re|er)s?": 0.01,
    r"mi|miles?": 1609.344,
    _FOOT: 0.3048,
    _HOUR: 60.0,
    _MINUTE: 1.0,
}
"""Units, as patterns, with their metres or minutes."""
_PARTS: Final = {
    _KILOMETRE: (_METRE, 1.0),
    _METRE: (r"cm|centimet(?:re|er)s?", 0.01),
    _FOOT: (r"in|inch(?:es)?", 0.0254),
    _HOUR: (_MINUTE, 1.0),
    _MINUTE: (r"s|secs?|seconds?", 1 / 60),
}
"""The smaller unit that may follow a unit, with its metres or minutes."""
_NUMBER: Final = rf"(?<![\d.,])(?:{SPACED.pattern}|\d[\d,.]*\d|\d)"
_AMOUNTS: Final = "|".join(
    rf"{_NUMBER}[\s-]*(?:{unit})\b"
    + (rf"(?:,?\s+(?:and\s+)?{_NUMBER}[\s-]*(?:{_PARTS[unit][0]})\b)?" if unit in _PARTS else "")
    for unit in _UNITS
)
AMOUNT: Final = rf"(?P<amount>{_AMOUNTS})(?!\s*/|\s+and\s+a\s)"
"""Pattern of an amount, as a group of that name; "2 km and a half" and "120 km/h" are none."""
_STATED: Final = re.compile(rf"({_NUMBER})[\s-]*([a-z]+)")


def read_amount(amount: str) -> float | None:
    """Metres or minutes of an amount; None if its number is of no common form.

    >>> read_amount("1.2 km"), read_amount("5 ft 10 in"), read_amount("1 hour 35 minutes"), read_amount("1.200 km")
    (1200.0, 1.778, 95.0, None)
    """
    (number, unit), *rest = _STATED.findall(amount)
    name = _name(unit)
    parts = [(read_digits(number), _UNITS[name])]
    parts += [(read_digits(number), _PARTS[name][1]) for number, _ in rest]
    value = 0.0
    for read, factor in parts:
        if read is None:
            return None
        value += read * factor
    return round(value, 4)


def is_long(amount: str) -> bool:
    """Whether an amount is in kilometres or miles, in which texts state heights only with words for them."""
    return _UNITS[_name(_unit(amount))] >= _UNITS[_KILOMETRE]


def is_time(amount: str) -> bool:
    """Whether an amount is in hours or minutes."""
    return _name(_unit(amount)) in (_HOUR, _MINUTE)


def _unit(amount: str) -> str:
    unit: str = _STATED.findall(amount)[0][1]
    return unit


def _name(unit: str) -> str:
    return next(name for name in _UNITS if re.fullmatch(name, unit))
