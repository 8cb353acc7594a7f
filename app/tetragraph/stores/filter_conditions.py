"""Metadata filters as checked conditions, which each Qdrant adapter translates."""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tetragraph.errors import InvalidInput
from tetragraph.model import FILE_FILTERS, HIDDEN_DOCUMENTS, Filters
from tetragraph.model.validity import read_day
from tetragraph.stores.points import field_of

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
BOUNDS = ("gt", "gte", "lt", "lte")
NOT = "ne"
"""Key of the values that are excluded, in the place of a bound."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """The text at ``path`` is one of ``texts``."""

    path: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Is:
    """The boolean at ``path`` is ``flag``."""

    path: str
    flag: bool


@dataclass(frozen=True, slots=True)
class Within:
    """The number at ``path`` respects every bound that is not None."""

    path: str
    gt: float | None = None
    gte: float | None = None
    lt: float | None = None
    lte: float | None = None


@dataclass(frozen=True, slots=True)
class NoneOf:
    """No condition of ``excluded`` holds, as where there is no value."""

    excluded: tuple[OneOf | Is | Within, ...]


Condition: TypeAlias = OneOf | Is | Within | NoneOf


def conditions(filters: Filters | None) -> list[list[Condition]]:
    """The conditions of filters on metadata: every inner list must hold, by at least one of its conditions.

    Numbers are compared as 64-bit floats, so 3 equals 3.0. ``True`` is not 1. Those on files are left out, and so are
    bounds that are days, as no collection has an order of texts.

    >>> conditions({"year": [1999, 2001]})[0][1]
    Within(path='year', gt=None, gte=2001.0, lt=None, lte=2001.0)

    Raises:
        InvalidInput: a key, value or bound cannot be compared with a payload.
    """
    others = (*FILE_FILTERS, HIDDEN_DOCUMENTS)
    own = ((key, wanted) for key, wanted in (filters or {}).items() if key not in others)
    return [group for key, wanted in own for group in _groups(_path(key), key, wanted)]


def has_days(wanted: object) -> bool:
    """Whether what a filter wants has bounds that are texts, which must be days."""
    return isinstance(wanted, Mapping) and any(isinstance(wanted.get(bound), str) for bound in BOUNDS)


def values_of(key: str, wanted: object) -> list[Any]:
    """The value or values that a filter names, as a list.

    Raises:
        InvalidInput: the list is empty, or a text has half a surrogate pair, which no store can hold.
    """
    values = list(wanted) if isinstance(wanted, Sequence) and not isinstance(wanted, str) else [wanted]
    if not values:
        raise InvalidInput(f"the filter on {key!r} must name at least one value, got an empty list")
    texts = (value for value in values if isinstance(value, str))
    if halves := [text for text in texts if any("\ud800" <= character <= "\udfff" for character in text)]:
        raise InvalidInput(f"the filter on {key!r} must be whole characters of Unicode, got half of one: {halves[0]!r}")
    return values


def payload_path(field: str) -> str | None:
    """A field as Qdrant reads it, where dots and brackets mean nesting unless it is quoted; None if it cannot be read.

    >>> payload_path("year"), payload_path("a.b"), payload_path('say "x"')
    ('year', '"a.b"', None)
    """
    if _PLAIN.fullmatch(field):
        return field
    return None if not field or '"' in field or "\\" in field else f'"{field}"'


def _path(key: str) -> str:
    path = payload_path(field_of(key))
    if path is None:
        raise InvalidInput(f"a filter key must not be empty nor hold a quote or a backslash, got {key!r}")
    return path


def _groups(path: str, key: str, wanted: object) -> list[list[Condition]]:
    if not isinstance(wanted, Mapping):
        return [[*_alternatives(path, key, wanted)]]
    bounds = {name: bound for name, bound in wanted.items() if name != NOT}
    found: list[list[Condition]] = []
    if has_days(bounds):
        _check_days(key, bounds)
    elif bounds or NOT not in wanted:
        found.append([_within(path, key, bounds)])
    if NOT in wanted:
        found.append([NoneOf(tuple(_alternatives(path, key, wanted[NOT])))])
    return found


def _alternatives(path: str, key: str, wanted: object) -> list[OneOf | Is | Within]:
    values = values_of(key, wanted)
    texts = tuple(value for value in values if isinstance(value, str))
    found: list[OneOf | Is | Within] = [OneOf(path, texts)] if texts else []
    return found + [_equality(path, key, value) for value in values if not isinstance(value, str)]


def _equality(path: str, key: str, value: object) -> Is | Within:
    if isinstance(value, bool):
        return Is(path, value)
    number = _number(key, value)
    return Within(path, gte=number, lte=number)


def _within(path: str, key: str, bounds: Mapping[Any, object]) -> Within:
    _check_names(key, bounds)
    return Within(path, **{name: _number(key, value) for name, value in bounds.items()})


def _check_days(key: str, bounds: Mapping[Any, object]) -> None:
    _check_names(key, bounds)
    for value in bounds.values():
        if not isinstance(value, str):
            raise InvalidInput(f"bounds of the filter on {key!r} must be all numbers or all days, got {value!r:.100}")
        read_day(f"a bound of the filter on {key!r} that is no number", value)


def _check_names(key: str, bounds: Mapping[Any, object]) -> None:
    unknown = [name for name in bounds if name not in BOUNDS]
    if unknown or not bounds:
        raise InvalidInput(
            f"a range on {key!r} must be made of the bounds {', '.join((*BOUNDS, NOT))}, got {list(bounds) or 'none'}"
        )


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise InvalidInput(
            f"the filter on {key!r} must compare with texts, booleans or finite numbers, a range with numbers or with "
            f"days as texts, like '2024-05-31', got {reprlib.repr(value)}"
        )
    return float(value)
