"""JSON: a list of objects is one document for each object, any other value is one document.

The list may be the whole file, or the longest list of objects under a key of it. Values inside objects get keys such as
``author.name``. The columns are chosen as for tables (:mod:`tetragraph_loaders.columns`). What is no list of objects
becomes a line ``key: value`` for each value. A file of JSON lines is read as such, and so is one of Docling
(:mod:`tetragraph_loaders.docling_document`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Scalar, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import jsonl
from tetragraph_loaders.columns import SAMPLE_ROWS, choose_columns
from tetragraph_loaders.docling_document import is_docling
from tetragraph_loaders.docling_document import to_document as to_docling_document
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, cannot_open, read_text, title_from
from tetragraph_loaders.records import Record, read_records
from tetragraph_loaders.rows import refuse_constant, to_document, with_note

Flat = Mapping[str, Scalar | list[str]]


def load(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, max_bytes: int = MAX_BYTES
) -> Iterator[Document | Unreadable]:
    """Yield the documents of the file, or the reason why it has none."""
    try:
        if path.stat().st_size > max_bytes:  # only a list can be read piece by piece
            yield from _read_rows(read_records(path, id_prefix, options), id_prefix, options, "")
        else:
            yield from _read(path, id_prefix, options, max_bytes)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))


def _read(path: Path, source: str, options: ReadingOptions, max_bytes: int) -> Iterator[Document | Unreadable]:
    found = read_text(path, options, max_bytes=max_bytes)
    if not found.text.strip():
        raise UnreadableDocument(NO_TEXT)
    try:
        value = json.loads(found.text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            where = f"line {error.lineno}, column {error.colno}"
            raise UnreadableDocument(f"the file must be JSON, got {error.msg} at {where}; mend it") from error
        yield from jsonl.load(path, id_prefix=source, options=options)
        return
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(f"the file must be JSON within Python's limits: {error}; mend it") from error
    if is_docling(value):
        yield with_note(to_docling_document(value, path, source), found.note)
    elif rows := _find_rows(value):
        records = (Record(number, f"{source}:{number}", row) for number, row in enumerate(rows, start=1))
        yield from _read_rows(records, source, options, found.note)
    else:
        text = "\n".join(f"{key}: {item}" if key else item for key, item in _lines("", value))
        document = Document(source, title_from(path), text, source=source, named_by_file=True)
        yield with_note(document, found.note) if text.strip() else Unreadable(source, NO_TEXT)


def _find_rows(value: object) -> Sequence[Mapping[str, object]]:
    """The rows of a list of objects, or of the longest such list under a key; empty if there is none."""
    lists = [value, *value.values()] if isinstance(value, dict) else [value]
    found = [one for one in lists if isinstance(one, list) and one and all(isinstance(row, dict) for row in one)]
    longest = max(found, key=len, default=[])
    return longest if longest is value or len(longest) > 1 else []


def _read_rows(
    records: Iterable[Record | Unreadable], source: str, options: ReadingOptions, note: str
) -> Iterator[Document | Unreadable]:
    rows = iter(records)
    sample = list(islice(rows, SAMPLE_ROWS))
    flat = [_flatten(record.values) for record in sample if isinstance(record, Record)]
    columns = choose_columns((key for row in flat for key in row), flat, options)
    for record in chain(sample, rows):
        if isinstance(record, Unreadable):
            yield record
            continue
        try:
            fallback = f"{source}#{record.number}"
            row = _flatten(record.values)
            yield with_note(to_document(row, source=record.where, fallback_id=fallback, columns=columns), note)
            note = ""
        except UnreadableDocument as error:
            yield Unreadable(record.where, str(error))


def _flatten(row: Mapping[str, object]) -> Flat:
    """Scalars and lists of scalars of a row by key; lists of objects are left out, as their keys have no number."""
    found: dict[str, Scalar | list[str]] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            found |= {f"{key}.{inner}": item for inner, item in _flatten(value).items()}
        elif isinstance(value, list):
            if not any(isinstance(item, dict | list) for item in value):
                found[key] = [_shown(item) for item in value]
        elif isinstance(value, str | int | float):
            found[key] = value
    return found


def _lines(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Every scalar of a value with its key; members of a list have the key of the list."""
    if isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _lines(f"{key}.{inner}" if key else str(inner), item)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(key, item)
    elif value is not None and value != "":
        yield key, _shown(value)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
