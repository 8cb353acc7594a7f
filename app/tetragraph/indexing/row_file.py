"""Rows of a small file that accompanies documents, such as their versions or a gazetteer: CSV or JSON Lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput

_LINES = frozenset({".jsonl", ".ndjson"})
SEPARATOR = "|"
"""Character between the values of a list in a cell of a table."""


def read_rows(path: str | Path, what: str, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a CSV file with a header, or of JSON Lines, each with its place for messages, ``file:line``.

    Empty cells and nulls are left out.

    Args:
        path: The file; UTF-8, by its suffix .csv, .jsonl or .ndjson.
        what: What the file is, for messages.
        columns: Names of the columns or keys that a row may have.

    Raises:
        InvalidInput: the file cannot be read, or a row has another column or is no row.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix != ".csv" and suffix not in _LINES:
        raise InvalidInput(f"{what} must be a file that ends in .csv, .jsonl or .ndjson, got {str(path)!r:.200}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"{what} must be a file that can be read, got {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{what} must be UTF-8, {str(path)!r} is not at byte {error.start}: convert it") from error
    rows = _read_lines(text, path) if suffix in _LINES else _read_table(text, path)
    for line, row in rows:
        if unknown := [name for name in row if name not in columns]:
            raise InvalidInput(
                f"{what} has the columns {', '.join(columns)}, got {unknown[0]!r} in {path.name}:{line}: remove it"
            )
        yield f"{path.name}:{line}", {name: value for name, value in row.items() if value not in (None, "", [])}


def listed(value: object) -> list[object]:
    """The values of a cell or key: those of a list, or the parts of a text between ``|``."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(SEPARATOR) if part.strip()]
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _read_table(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row:
                raise InvalidInput(
                    f"a row must have as many cells as the header, {path.name}:{reader.line_num} has more"
                )
            yield reader.line_num, {name.strip(): (value or "").strip() for name, value in row.items()}
    except csv.Error as error:
        raise InvalidInput(f"{path.name} must be CSV, line {reader.line_num} is not: {error}") from error


def _read_lines(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            row = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"each line must be a JSON object, {path.name}:{line} is not: {error}") from error
        if not isinstance(row, dict):
            raise InvalidInput(f"each line must be a JSON object, {path.name}:{line} is {type(row).__name__}")
        yield line, row
