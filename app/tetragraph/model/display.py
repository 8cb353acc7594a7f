"""Display of results: short texts for a prompt, tables for a notebook, and values of JSON."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

SHOWN = 60
"""Characters of a text in a short representation."""
SHOWN_IN_TABLE = 300
"""Characters of a text in a cell of a table."""
_OMITTED = "omitted_if_empty"
OMITTED_IF_EMPTY: Mapping[str, bool] = {_OMITTED: True}
"""Metadata of a field of a data class that :func:`to_plain` leaves out where it is empty."""


def first_of(names: Sequence[str], most: int) -> str:
    """The first names, and the number of the others, for a message.

    >>> first_of(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def to_plain(value: Any) -> Any:
    """A value as types of JSON: data classes and mappings become dictionaries, sequences lists, paths texts.

    JSON has no infinite numbers and no NaN: they become None.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {field.name: to_plain(one) for field, one in pairs if one or _OMITTED not in field.metadata}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [to_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def shorten(text: str, most: int = SHOWN) -> str:
    """A text in one line, cut after whole words.

    >>> shorten("one two three", 9)
    'one two …'
    """
    return textwrap.shorten(text, most, placeholder=" …")


def html_table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], below: Sequence[str] = ()
) -> str:
    """A table of a notebook; every text is escaped.

    Args:
        caption: Text above the table.
        columns: Names of the columns.
        rows: Cells, which are shown as text.
        below: Lines below the table, such as notes.
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    lines = "".join(f"<p>{escape(line)}</p>" for line in below)
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{lines}"
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return escape(shorten(str(value), SHOWN_IN_TABLE))
