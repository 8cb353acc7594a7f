"""Values of JSON as rows, metadata and lines of text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tetragraph.model import Scalar
from tetragraph_loaders.rows import named

MOST_KEYS = 100
"""Largest number of keys of a row that are metadata."""
_LEAST_SHARE = 0.8
"""Least share of the characters of all values of a file that a list under a key has whose objects are documents."""
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class Flat:
    """The scalars and lists of scalars of an object, by keys such as ``author.name``.

    Attributes:
        values: Value of each key.
        left_out: Keys of all other values, each once: lists of objects or of lists, and what is below a UUID.
        characters: Number of characters of the values that are left out.
    """

    values: Mapping[str, Scalar | list[str]]
    left_out: Sequence[str]
    characters: int

    def metadata(self, own: Collection[str]) -> dict[str, Scalar | list[str]]:
        """The values of some keys, and the first ``MOST_KEYS`` of the others."""
        others = [key for key in self.values if key not in own]
        cut = set(others[MOST_KEYS:])
        return {key: value for key, value in self.values.items() if key not in cut}


def find_rows(value: object) -> tuple[Sequence[Mapping[str, object]], str]:
    """The rows of a value, and a note on what beside them is left out; no rows if there are none.

    Rows are the objects of a list. The list is the value, or under a key of it, if it has at least two objects and most
    of the characters of all values inside, and if no other key has a list of objects.
    """
    if _is_rows(value):
        return value, ""  # type: ignore[return-value]  # it is a list of objects
    lists = {key: one for key, one in value.items() if _is_rows(one)} if isinstance(value, Mapping) else {}
    if len(lists) != 1 or not isinstance(value, Mapping):
        return [], ""
    ((key, rows),) = lists.items()
    others = {name: one for name, one in value.items() if name != key}
    size, beside = _size(rows), _size(others)
    if len(rows) < 2 or size < _LEAST_SHARE * (size + beside):
        return [], ""
    return rows, f"each object under {key!r} is a document; left out: {named(others)}" if others else ""


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _size(value: object) -> int:
    return sum(len(item) for _, item in lines("", value))


def flatten(row: Mapping[str, object]) -> Flat:
    """The scalars and lists of scalars of an object, and the keys of what is neither."""
    values: dict[str, Scalar | list[str]] = {}
    left_out: dict[str, int] = {}
    for key, value, is_kept in _leaves("", row, is_kept=True):
        has_objects = isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
        if has_objects or not is_kept:
            if size := sum(len(item) for _, item in lines(key, value)):
                left_out[key] = left_out.get(key, 0) + size
        elif isinstance(value, list):
            values[key] = [_shown(item) for item in value]
        elif isinstance(value, str | int | float):
            values[key] = value
    return Flat(values, list(left_out), sum(left_out.values()))


def _leaves(key: str, value: object, *, is_kept: bool) -> Iterator[tuple[str, object, bool]]:
    """All values of an object that are no objects, with their keys, and whether they can be metadata."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _leaves(_join(key, inner), item, is_kept=is_kept and not _UUID.search(inner))
    elif (parts := _parts_of_text(key, value)) is not None:
        yield key, "".join(_text(part) for part in parts), is_kept
        for inner, item in _beside_text(parts):
            yield _join(key, inner), item, False
    else:
        yield key, value, is_kept


def lines(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Every scalar of a value with its key; members of a list have the key of the list."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from lines(_join(key, inner), item)
    elif (parts := _parts_of_text(key, value)) is not None:
        yield key, "".join(_text(part) for part in parts)
        for inner, item in _beside_text(parts):
            yield from lines(_join(key, inner), item)
    elif isinstance(value, list):
        for item in value:
            yield from lines(key, item)
    elif value is not None and not (isinstance(value, str) and not value.strip()):
        yield key, _shown(value)


def text_of(value: object, *, without: str = "") -> str:
    """The lines of a value, ``key: value`` for each scalar, without those of one key."""
    shown = (f"{key}: {item}" if key else item for key, item in lines("", value) if not without or key != without)
    return "\n".join(shown)


def _join(key: str, inner: str) -> str:
    """The key of a value inside of another; a UUID names nothing, so that a key that contains one is left out."""
    return ".".join(part for part in (key, "" if _UUID.search(inner) else inner) if part)


def _parts_of_text(key: str, value: object) -> list[object] | None:
    """The parts of a ``text`` that is a list of texts and of objects with ``text``, as in chats; otherwise None."""
    is_list = isinstance(value, list) and key.rpartition(".")[2] == "text"
    if not is_list or not isinstance(value, list) or not any(isinstance(part, Mapping) for part in value):
        return None
    return value if all(isinstance(_text_or_none(part), str) for part in value) else None


def _beside_text(parts: Iterable[object]) -> Iterator[tuple[str, object]]:
    """The keys and values of the objects among the parts of a text, but for their texts, such as addresses of links."""
    for part in parts:
        if isinstance(part, Mapping):
            yield from ((key, value) for key, value in part.items() if key != "text")


def _text_or_none(part: object) -> object:
    return part.get("text") if isinstance(part, Mapping) else part


def _text(part: object) -> str:
    return str(_text_or_none(part))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
