"""Conditions on metadata, which the command line and the page read, collected to the filters of a search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from tetragraph.errors import InvalidInput

_BOUNDS: Final = {"!=": "ne", ">=": "gte", "<=": "lte", ">": "gt", "<": "lt"}
COMPARISON: Final = "!=|>=|<=|=|>|<"
"""Signs of a condition, as a regular expression."""


class Condition(NamedTuple):
    """A condition on one key: ``year >= 1990``.

    Attributes:
        key: Metadata key, or one of :data:`~tetragraph.model.FILE_FILTERS`.
        sign: One of the signs of :data:`COMPARISON`.
        value: The value; a list or tuple has several, which are alternatives after ``=``, and all excluded after
            ``!=``.
    """

    key: str
    sign: str
    value: Any


def collect_conditions(conditions: Iterable[Condition]) -> dict[str, Any]:
    """The filters of a search in which all conditions hold; values of several conditions on a key are alternatives.

    >>> collect_conditions([Condition("year", ">=", 1990), Condition("kind", "!=", "a"), Condition("kind", "!=", "b")])
    {'year': {'gte': 1990}, 'kind': {'ne': ['a', 'b']}}

    Raises:
        InvalidInput: a condition contradicts another one on the same key.
    """
    filters: dict[str, Any] = {}
    for key, sign, value in conditions:
        values = list(value) if isinstance(value, list | tuple) else [value]
        if sign == "=":
            _add_values(filters, key, values)
        else:
            _add_bound(filters, key, _BOUNDS[sign], values)
    return {key: _simplify(wanted) for key, wanted in filters.items()}


def _add_values(filters: dict[str, Any], key: str, values: list[Any]) -> None:
    if isinstance(filters.setdefault(key, []), dict):
        raise _contradiction(key)
    filters[key].extend(values)


def _add_bound(filters: dict[str, Any], key: str, bound: str, values: list[Any]) -> None:
    bounds = filters.setdefault(key, {})
    if isinstance(bounds, list):
        raise _contradiction(key)
    if bound == "ne":
        bounds.setdefault(bound, []).extend(values)
    elif bound in bounds:
        raise InvalidInput(f"a filter may have each bound of {key!r} once, got it twice: leave one of them out")
    else:
        bounds[bound] = values


def _contradiction(key: str) -> InvalidInput:
    return InvalidInput(
        f"a filter on {key!r} must have either values ({key}=…) or bounds and exclusions ({key}>=…, {key}!=…), got "
        "both: leave one of them out"
    )


def _simplify(wanted: Any) -> Any:
    """A single value in place of a list of one."""
    if isinstance(wanted, dict):
        return {name: _simplify(bound) for name, bound in wanted.items()}
    return wanted[0] if len(wanted) == 1 else wanted
