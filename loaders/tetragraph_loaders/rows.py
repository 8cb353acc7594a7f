"""Converts a row of a table or of JSON to a document, by the rules for its id, title and text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NoReturn

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Scalar
from tetragraph.model.display import first_of
from tetragraph_loaders.columns import DEFAULT_COLUMNS, Columns

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][+-]?[0-9]+)?")
_INTEGER_LIMIT = 2**63
_BOOLEANS = frozenset({"true", "false"})
_MOST_NAMED = 8


def to_document(
    row: Mapping[str, object],
    *,
    source: str,
    fallback_id: str,
    columns: Columns = DEFAULT_COLUMNS,
    whole: str | None = None,
) -> Document:
    """Check a row and convert it to a document.

    Args:
        row: The key of the text is required unless it was guessed, those of id and title are optional; every other key
            is metadata; nulls are left out.
        source: Place of the row, ``path:line``.
        fallback_id: Id of a row without one.
        columns: Keys of text, title and id.
        whole: Text of a row that is read whole; None if it is a line ``key: value`` for each value.

    Raises:
        UnreadableDocument: a value breaks a rule; the message names the key.
    """
    text = _text(row, columns, whole)
    if not text.strip():
        raise UnreadableDocument(f"{columns.text or 'a row'!r} must hold text, got none; fill it in or remove the row")
    own = columns.own
    identity = row.get(columns.id)
    if isinstance(identity, int) and not isinstance(identity, bool):
        identity = str(identity)
    return Document(
        id=fallback_id if identity is None or not str(identity).strip() else _one_line(columns.id, identity),
        title=_title(row, columns),
        text=text.replace("\r\n", "\n"),
        source=source,
        metadata={_key(k): _value(k, v) for k, v in row.items() if k not in own and v is not None},
        notes=(columns.note,) if columns.note else (),
    )


def with_note(document: Document, note: str) -> Document:
    """The document with one more note, if there is one."""
    return replace(document, notes=(*document.notes, note)) if note else document


def is_read_whole(row: Mapping[str, object], columns: Columns) -> bool:
    """Whether all of a row is its text: no column is the text, or a guessed one holds none."""
    value = row.get(columns.text) if columns.text else None
    holds_text = isinstance(value, str) and bool(value.strip())
    return columns.text is None or (columns.is_guess and not holds_text)


def _text(row: Mapping[str, object], columns: Columns, whole: str | None) -> str:
    if columns.text is None or is_read_whole(row, columns):
        return _whole_row(row, columns) if whole is None else _clean("row", whole)
    return string_of(row, columns.text)


def _title(row: Mapping[str, object], columns: Columns) -> str:
    title = row.get(columns.title)
    if title is None:
        return ""
    if columns is not DEFAULT_COLUMNS and isinstance(title, int | float):
        return str(title)
    return string_of(row, columns.title)


def _whole_row(row: Mapping[str, object], columns: Columns) -> str:
    """All values of a row with their keys, a line each."""
    lines = []
    for key, value in row.items():
        if key == columns.id or value in (None, "", []):
            continue
        shown = _shown(value)
        if shown.strip():
            lines.append(f"{_clean('key', key)}: {_clean(key, shown)}")
    return "\n".join(lines)


def _shown(value: object) -> str:
    """A value in the text of a row; booleans as JSON has them."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return json.dumps(value) if isinstance(value, bool) else str(value)


def parse_object(text: str) -> dict[str, object]:
    """Parse a line that contains a JSON object.

    Raises:
        UnreadableDocument: the line is not JSON, or not an object.
    """
    try:
        row = json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise UnreadableDocument(f"a line must be JSON, got {error.msg} at column {error.colno}; mend it") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(f"a line must be JSON within Python's limits: {error}; mend it") from error
    if not isinstance(row, dict):
        raise UnreadableDocument(f"a line must be a JSON object, got {type(row).__name__}; write one row a line")
    return row


def refuse_constant(constant: str) -> NoReturn:
    """Reject NaN and Infinity, which Python's reader accepts and JSON does not have."""
    raise ValueError(f"{constant} is no JSON value")


def string_of(row: Mapping[str, object], key: str) -> str:
    """The text under a key.

    Raises:
        UnreadableDocument: the row lacks the key, or its value is not a text that the stores can hold.
    """
    if key not in row:
        raise UnreadableDocument(f"a row must have {key!r}, this one has {_listed(row)}; name the field {key!r}")
    return _clean(key, row[key])


def _clean(key: str, value: object) -> str:
    """A string that UTF-8 and the stores can hold."""
    if not isinstance(value, str):
        raise UnreadableDocument(f"{key!r} must be a string, got {kind_of(value)}; convert it")
    if "\0" in value:
        raise UnreadableDocument(f"{key!r} must be text, got a NUL at character {value.index(chr(0))}; remove it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        reason = f"{key!r} must be valid Unicode, got half a surrogate pair at character {error.start}"
        raise UnreadableDocument(f"{reason}; write the file again from its source") from error
    return value


def _one_line(key: str, value: object) -> str:
    text = _clean(key, value)
    if len(text.splitlines()) != 1 or text != text.strip("\r\n"):
        raise UnreadableDocument(f"{key!r} must be one line, got {text!r:.100}; remove the line ends")
    return text


def _key(key: str) -> str:
    if not key.strip():
        raise UnreadableDocument("a metadata key must have a name, got an empty one; name it")
    return _clean("key", key)


def _value(key: str, value: object) -> Scalar | list[str]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [_clean(key, item) for item in value]
    return _scalar(key, value)


def _scalar(key: str, value: object) -> Scalar:
    if isinstance(value, str):
        return _clean(key, value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    rule = "metadata must be strings, finite numbers of 64 bits, booleans or lists of strings"
    raise UnreadableDocument(f"{rule}, got {kind_of(value)} for {key!r}; flatten it or leave it out")


def kind_of(value: object) -> str:
    """The name of the type of a JSON value."""
    names = {dict: "an object", list: "a list", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else type(value).__name__)


def _listed(row: Mapping[str, object]) -> str:
    keys = [repr(key) for key in row]
    return ", ".join(keys[:8]) + (" …" if len(keys) > 8 else "") if keys else "no field"


def named(keys: Iterable[str]) -> str:
    """The first of some keys, for a note."""
    return first_of([repr(key) for key in keys], _MOST_NAMED)


def scalar_of(text: str) -> int | float | bool | str:
    """Convert a text to a number or a boolean if all of it is one; ``true`` and ``false`` are booleans in any case.

    >>> scalar_of("1912"), scalar_of("TRUE"), scalar_of("yes")
    (1912, True, 'yes')
    """
    return text.lower() == "true" if text.lower() in _BOOLEANS else number_or_text(text)


def number_or_text(value: str) -> int | float | str:
    """Convert a text to a number if all of it is one; ``007``, ``1e5`` and ``1,5`` stay text.

    >>> number_or_text("1912"), number_or_text("-0.5"), number_or_text("007")
    (1912, -0.5, '007')
    """
    if _INTEGER.fullmatch(value) and -_INTEGER_LIMIT <= int(value) < _INTEGER_LIMIT:
        return int(value)
    if _DECIMAL.fullmatch(value) and math.isfinite(float(value)):
        return float(value)
    return value
