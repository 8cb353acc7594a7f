"""JSON: a list of objects is one document for each object, any other value is one document.

The list may be the whole file, or the one list of objects under a key of it, if it is most of the file. Values inside
objects get keys such as ``author.name`` (:mod:`tetragraph_loaders.json_values`). The columns are chosen as for tables
(:mod:`tetragraph_loaders.columns`). What is no list of objects becomes a line ``key: value`` for each value. A file of
JSON lines is read as such, and so is one of Docling (:mod:`tetragraph_loaders.docling_document`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import jsonl
from tetragraph_loaders.columns import SAMPLE_ROWS, Columns, choose_columns
from tetragraph_loaders.docling_document import is_docling
from tetragraph_loaders.docling_document import to_document as to_docling_document
from tetragraph_loaders.json_values import MOST_KEYS, find_rows, flatten, text_of
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, cannot_open, read_text, title_from
from tetragraph_loaders.records import Record, read_records
from tetragraph_loaders.rows import is_read_whole, named, refuse_constant, to_document, with_note

_LEFT_OUT = "lists of objects, and values under a UUID, are neither text nor metadata"
_TOO_MANY = f"of rows with more than {MOST_KEYS} keys, values inside of them counted, the first ones are metadata"


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
    except RecursionError:
        yield Unreadable(id_prefix, "the file must be JSON within Python's limits: it is nested too deeply; mend it")
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
        return
    rows, left_out = find_rows(value)
    if rows:
        records = (Record(number, f"{source}:{number}", row) for number, row in enumerate(rows, start=1))
        note = "; ".join(one for one in (found.note, left_out) if one)
        yield from _read_rows(records, source, options, note)
    else:
        text = text_of(value)
        document = Document(source, title_from(path), text, source=source, named_by_file=True)
        yield with_note(document, found.note) if text.strip() else Unreadable(source, NO_TEXT)


def _read_rows(
    records: Iterable[Record | Unreadable], source: str, options: ReadingOptions, note: str
) -> Iterator[Document | Unreadable]:
    rows = iter(records)
    sample = list(islice(rows, SAMPLE_ROWS))
    flat = [flatten(record.values) for record in sample if isinstance(record, Record)]
    names = (key for row in flat for key in row.values)
    beside = sum(row.characters for row in flat)
    columns = choose_columns(names, [row.values for row in flat], options, beside=beside)
    noted: set[str] = set()
    for record in chain(sample, rows):
        if isinstance(record, Unreadable):
            yield record
            continue
        try:
            document = _read_row(record, source, columns, noted)
            yield with_note(document, note)
            note = ""
        except UnreadableDocument as error:
            yield Unreadable(record.where, str(error))


def _read_row(record: Record, source: str, columns: Columns, noted: set[str]) -> Document:
    """The document of a row; what is left out of it is noted, each key once for a file."""
    row = flatten(record.values)
    kept = row.metadata(columns.own)
    whole = text_of(record.values, without=columns.id) if is_read_whole(kept, columns) else None
    fallback = f"{source}#{record.number}"
    document = to_document(kept, source=record.where, fallback_id=fallback, columns=columns, whole=whole)
    if whole is None and (keys := [key for key in row.left_out if key not in noted]):
        noted.update(keys)
        document = with_note(document, f"{_LEFT_OUT}: {named(keys)}")
    if len(kept) < len(row.values) and _TOO_MANY not in noted:
        noted.add(_TOO_MANY)
        document = with_note(document, _TOO_MANY)
    return document
