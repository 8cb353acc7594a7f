"""The filters of LlamaIndex, neo4j-graphrag and Haystack as filters of a corpus; no framework is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tetragraph.model import Filters
from tetragraph_adapters.conditions import Condition, any_of, combine, negate, refuse, refuse_form

LLAMA_INDEX = {
    "==": "eq",
    "!=": "ne",
    ">": "gt",
    ">=": "gte",
    "<": "lt",
    "<=": "lte",
    "in": "in",
    "nin": "nin",
    "any": "in",
    "contains": "eq",
}
NEO4J_GRAPHRAG = {f"${name}": name for name in ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin")}
HAYSTACK = {"==": "eq", "!=": "ne", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "in": "in", "not in": "nin"}
"""Operators of each framework and those of :class:`~tetragraph_adapters.conditions.Condition`. A list of texts equals
each of its members, so that "contains" is equality, and "any" is a list of values."""
_COMPARISON, _COMBINATION = {"field", "operator", "value"}, {"operator", "conditions"}
"""Keys of the two forms of a filter of Haystack."""


def from_llama_index(filters: Mapping[str, Any]) -> Filters:
    """Translate ``MetadataFilters.model_dump()``.

    Raises:
        InvalidInput: an operator, or a combination of conditions, is none that a corpus can decide.
    """
    return combine(_of_llama_index(filters))


def _of_llama_index(filters: Mapping[str, Any]) -> list[Condition]:
    if "filters" not in filters:
        return [_condition(LLAMA_INDEX, filters["key"], str(filters["operator"]), filters["value"])]
    groups = [_of_llama_index(one) for one in filters["filters"]]
    condition = str(filters.get("condition") or "and")
    if condition == "or":
        return [any_of(groups)]
    conditions = [one for group in groups for one in group]
    return [negate(_only(group)) for group in groups] if condition == "not" else conditions


def from_neo4j_graphrag(filters: Mapping[str, Any]) -> Filters:
    """Translate the filters of a retriever of neo4j-graphrag, such as ``{"year": {"$gte": 1990}}``.

    Raises:
        InvalidInput: an operator, or a combination of conditions, is none that a corpus can decide, or the filters do
            not have the form of neo4j-graphrag.
    """
    return combine(_of_neo4j_graphrag(filters))


def _of_neo4j_graphrag(filters: Mapping[str, Any]) -> Iterator[Condition]:
    if not isinstance(filters, Mapping):
        refuse_form("a filter of neo4j-graphrag must be a dict such as {'year': {'$gte': 1990}}", filters)
    for key, value in filters.items():
        name = str(key).lower()
        if name == "$and":
            for one in _listed(name, value):
                yield from _of_neo4j_graphrag(one)
        elif name == "$or":
            yield any_of([list(_of_neo4j_graphrag(one)) for one in _listed(name, value)])
        elif name.startswith("$"):
            refuse(f"the operator {key!r}")
        elif not isinstance(value, Mapping):
            yield Condition(key, "in" if isinstance(value, list) else "eq", value)
        elif not value:
            refuse_form(f"a filter on {key!r} must have a value, or an operator as in {{'$gte': 1990}}", value)
        else:
            for operator, operand in value.items():
                yield from _comparison(key, str(operator).lower(), operand)


def _listed(name: str, value: Any) -> Sequence[Any]:
    """The filters of a combination."""
    if not isinstance(value, list | tuple):
        refuse_form(f"{name!r} must have a list of filters", value)
    return value


def _comparison(key: str, operator: str, value: Any) -> Iterator[Condition]:
    if operator == "$between":
        if not isinstance(value, list | tuple) or len(value) != 2:
            refuse_form(f"'$between' must have a list of the lowest and the highest value of {key!r}", value)
        lowest, highest = value
        yield Condition(key, "gte", lowest)
        yield Condition(key, "lte", highest)
    else:
        yield _condition(NEO4J_GRAPHRAG, key, operator, value)


def from_haystack(filters: Mapping[str, Any]) -> Filters:
    """Translate the filters of Haystack; a field is a key of the metadata, with or without ``meta.`` before it.

    An empty dict is no filter, as for the document stores of Haystack.

    Raises:
        InvalidInput: an operator, or a combination of conditions, is none that a corpus can decide, or the filters do
            not have the form of Haystack.
    """
    return combine(_of_haystack(filters)) if filters != {} else {}


def _of_haystack(filters: Mapping[str, Any]) -> list[Condition]:
    if not isinstance(filters, Mapping):
        form = "{'field': 'meta.year', 'operator': '>=', 'value': 1990}"
        refuse_form(f"a filter of Haystack must be a dict such as {form}", filters)
    keys = _COMPARISON if "field" in filters else _COMBINATION
    if missing := keys - filters.keys():
        refuse(f"a filter without {' and '.join(sorted(missing))}")
    if others := filters.keys() - keys:
        refuse_form(
            f"a filter of Haystack must have the keys {', '.join(sorted(keys))} alone", sorted(map(str, others))
        )
    operator = str(filters["operator"])
    if "field" in filters:
        if not isinstance(filters["field"], str):
            refuse_form("the field of a filter must be a text such as 'meta.year'", filters["field"])
        return [_condition(HAYSTACK, filters["field"].removeprefix("meta."), operator, filters["value"])]
    groups = [_of_haystack(one) for one in _listed("conditions", filters["conditions"])]
    conditions = [one for group in groups for one in group]
    if operator.upper() == "AND":
        return conditions
    if operator.upper() not in {"OR", "NOT"}:
        refuse(f"the operator {operator!r}")
    return [any_of(groups) if operator.upper() == "OR" else negate(_only(conditions))]


def _condition(operators: Mapping[str, str], key: str, operator: str, value: Any) -> Condition:
    if operator not in operators:
        refuse(f"the operator {operator!r}")
    return Condition(key, operators[operator], value)


def _only(conditions: Sequence[Condition]) -> Condition:
    if len(conditions) != 1:
        refuse("the negation of several conditions together" if conditions else "the negation of no condition")
    return conditions[0]
