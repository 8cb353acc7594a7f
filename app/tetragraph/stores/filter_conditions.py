"""Metadata filters as checked conditions, which each Qdrant adapter translates."""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tetragraph.errors import InvalidInput
from tetragraph.model import Filters

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_BOUNDS = ("gt", "gte", "lt", "lte")


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


Condition: TypeAlias = OneOf | Is | Within


def conditions(filters: Filters | None) -> list[list[Condition]]:
    """The conditions of filters: every inner list must hold, by at least one of its conditions.

    Numbers are compared as 64-bit floats, so 3 equals 3.0. ``True`` is not 1.

    >>> conditions({"year": [1999, 2001]})[0][1]
    Within(path='year', gt=None, gte=2001.0, lt=None, lte=2001.0)

    Raises:
        InvalidInput: a key, value or bound cannot be compared with a payload.
    """
    return [_alternatives(_path(key), key, wanted) for key, wanted in (filters or {}).items()]


def metadata_path(key: str) -> str | None:
    """The key as Qdrant reads it, where dots and brackets mean nesting unless it is quoted; None if it cannot be read.

    >>> metadata_path("year"), metadata_path("a.b"), metadata_path('say "x"')
    ('year', '"a.b"', None)
    """
    if _PLAIN.fullmatch(key):
        return key
    return None if not key or '"' in key or "\\" in key else f'"{key}"'


def _path(key: str) -> str:
    path = metadata_path(key)
    if path is None:
        raise InvalidInput(f"a filter key must not be empty nor hold a quote or a backslash, got {key!r}")
    return path


def _alternatives(path: str, key: str, wanted: object) -> list[Condition]:
    if isinstance(wanted, Mapping):
        return [_within(path, key, wanted)]
    values = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else list(wanted)
    if not values:
        raise InvalidInput(f"the filter on {key!r} must name at least one value, got an empty list")
    texts = tuple(value for value in values if isinstance(value, str))
    if halves := [text for text in texts if any("\ud800" <= character <= "\udfff" for character in text)]:
        raise InvalidInput(f"the filter on {key!r} must be whole characters of Unicode, got half of one: {halves[0]!r}")
    found: list[Condition] = [OneOf(path, texts)] if texts else []
    return found + [_equality(path, key, value) for value in values if not isinstance(value, str)]


def _equality(path: str, key: str, value: object) -> Condition:
    if isinstance(value, bool):
        return Is(path, value)
    number = _number(key, value)
    return Within(path, gte=number, lte=number)


def _within(path: str, key: str, bounds: Mapping[Any, object]) -> Within:
    unknown = [name for name in bounds if name not in _BOUNDS]
    if unknown or not bounds:
        raise InvalidInput(
            f"a range on {key!r} must be made of the bounds {', '.join(_BOUNDS)}, got {list(bounds) or 'none'}"
        )
    return Within(path, **{name: _number(key, value) for name, value in bounds.items()})


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise InvalidInput(
            f"the filter on {key!r} must compare with texts, booleans or finite numbers, a range with numbers only, "
            f"got {reprlib.repr(value)}"
        )
    return float(value)
