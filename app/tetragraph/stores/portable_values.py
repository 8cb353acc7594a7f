"""Property values of the graph as JSON, without loss: bytes, times and numbers that JSON lacks keep their types."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from neo4j import time

from tetragraph.errors import StoreError

_KEY = "$"
"""First character of the only key of an object that stands for a value; properties of nodes hold no objects."""
_TIMES: Mapping[str, Any] = {
    "$datetime": time.DateTime,
    "$date": time.Date,
    "$time": time.Time,
    "$duration": time.Duration,
}
_READERS: Mapping[str, Callable[[str], Any]] = {
    "$bytes": base64.b64decode,
    "$float": float,
    **{key: kind.from_iso_format for key, kind in _TIMES.items()},
}


def to_json(properties: Mapping[str, Any]) -> str:
    """Properties as one line of JSON, with keys in order; the same properties give the same line.

    >>> to_json({"name": "Halvik", "facts": b"ab", "gain": float("inf")})
    '{"facts":{"$bytes":"YWI="},"gain":{"$float":"inf"},"name":"Halvik"}'

    Raises:
        StoreError: a value is of a type that tetragraph does not write, such as a point in space.
    """
    try:
        return _ENCODER.encode(properties)
    except ValueError:  # a number that JSON lacks; rare, so looked for only then
        return _ENCODER.encode({name: _to_plain(value) for name, value in properties.items()})


def from_json(line: str) -> dict[str, Any]:
    """The properties of a line of :func:`to_json`.

    >>> from_json('{"facts":{"$bytes":"YWI="},"size":2,"volume":2.0}')
    {'facts': b'ab', 'size': 2, 'volume': 2.0}

    Raises:
        ValueError: it is no such line.
    """
    properties: dict[str, Any] = (_DECODER if f'"{_KEY}' in line else _PLAIN_DECODER).decode(line)
    if not isinstance(properties, dict):
        raise ValueError(f"properties must be an object, got {line[:80]!r}")  # noqa: TRY004 - as of bad JSON
    return properties


def _to_plain(value: Any) -> Any:
    """A value with numbers that JSON lacks as objects."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    if isinstance(value, list | tuple):
        return [_to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _to_plain(item) for name, item in value.items()}
    return value


def _to_object(value: Any) -> Any:
    """The object that stands for a value of a type that JSON lacks."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(value).decode()}
    for key, kind in _TIMES.items():
        if isinstance(value, kind):
            return {key: value.iso_format()}
    raise StoreError(
        f"a property must be a number, a text, bytes, a time or a list of them, got {type(value).__name__}"
    )


def _read_object(found: dict[str, Any]) -> Any:
    if len(found) != 1:
        return found
    key, value = next(iter(found.items()))
    return _READERS[key](value) if key.startswith(_KEY) and key in _READERS else found


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_to_object
)
_DECODER = json.JSONDecoder(object_hook=_read_object)
_PLAIN_DECODER = json.JSONDecoder()
