"""Conditions on metadata, combined to the filters of a corpus: conditions that all hold.

What a corpus cannot decide is refused and never left out, as a filter that is ignored would find documents that the
caller excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from tetragraph.errors import InvalidInput
from tetragraph.model import Filters

OPPOSITES = {"eq": "ne", "ne": "eq", "in": "nin", "nin": "in"}
"""Operators that can be negated. A bound cannot: its negation holds for documents without the key, no bound does."""
EXCLUSIONS = ("ne", "nin")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one key of the metadata.

    Attributes:
        operator: ``eq``, ``ne``, ``gt``, ``gte``, ``lt``, ``lte``, ``in`` or ``nin``.
    """

    key: str
    operator: str
    value: Any


def refuse(what: str) -> NoReturn:
    """Raise because of something that a corpus cannot decide.

    Raises:
        InvalidInput: always.
    """
    rule = "filters of a corpus are conditions that all hold: a value, a list of values, bounds, or excluded values"
    raise InvalidInput(f"{rule}; got {what}: search once for each alternative, or filter the hits")


def refuse_form(rule: str, value: object) -> NoReturn:
    """Raise because of filters that do not have the form of their framework.

    Args:
        rule: The form that they must have.
        value: The part that breaks it.

    Raises:
        InvalidInput: always.
    """
    raise InvalidInput(f"{rule}, got {value!r:.200}")


def combine(conditions: Iterable[Condition]) -> Filters:
    """The conditions, which all must hold, as filters of a corpus.

    Raises:
        InvalidInput: a condition has no value, or two conditions on one key cannot be combined.

    >>> combine([Condition("year", "gte", 1990), Condition("year", "lt", 2000), Condition("tags", "in", ["sea"])])
    {'year': {'gte': 1990, 'lt': 2000}, 'tags': ['sea']}
    """
    by_key: dict[str, list[Condition]] = {}
    for condition in conditions:
        if not isinstance(condition.key, str):
            refuse_form("a filter must name a key of the metadata by a text such as 'year'", condition.key)
        if condition.value is None:
            refuse(f"{condition.key!r} compared with no value")
        if isinstance(condition.value, Mapping):
            refuse_form(f"{condition.key!r} must be compared with a value or a list of values", condition.value)
        found = by_key.setdefault(condition.key, [])
        if condition not in found:
            found.append(condition)
    return {key: _filter(found) for key, found in by_key.items()}


def any_of(groups: Sequence[Sequence[Condition]]) -> Condition:
    """Alternatives, each conditions that all hold, as one condition.

    Raises:
        InvalidInput: they are more than values of one key.

    >>> any_of([[Condition("lang", "eq", "en")], [Condition("lang", "in", ["de", "fr"])]])
    Condition(key='lang', operator='in', value=['en', 'de', 'fr'])
    """
    single = [group[0] for group in groups if len(group) == 1 and group[0].operator in {"eq", "in"}]
    if len(single) != len(groups) or len({condition.key for condition in single}) != 1:
        refuse("alternatives that are not values of one key")
    return Condition(single[0].key, "in", [value for condition in single for value in _values(condition)])


def negate(condition: Condition) -> Condition:
    """The opposite of a condition.

    Raises:
        InvalidInput: the condition is a bound.
    """
    if condition.operator not in OPPOSITES:
        refuse(f"the negation of a bound of {condition.key!r}")
    return replace(condition, operator=OPPOSITES[condition.operator])


def _filter(conditions: Sequence[Condition]) -> Any:
    """The filter of one key."""
    first = conditions[0]
    if first.operator in {"eq", "in"} and len(conditions) == 1:
        return first.value
    found: dict[str, Any] = {}
    for condition in conditions:
        if condition.operator in EXCLUSIONS:
            found["ne"] = [*found.get("ne", ()), *_values(condition)]
        elif condition.operator in found or condition.operator in {"eq", "in"}:
            refuse(f"{first.key!r} with {' and '.join(one.operator for one in conditions)}")
        else:
            found[condition.operator] = condition.value
    return found


def _values(condition: Condition) -> list[Any]:
    value = condition.value
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]
