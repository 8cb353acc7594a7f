"""JSON lines, plain or gzipped: one document a line, ``{"id", "title", "text", … metadata}``.

A row keeps its own ``id`` exactly; one without gets the file's id with ``#n``, n being its row from 1, blank lines
not counted. A line that cannot be read costs that line only.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, Line, cannot_open, read_lines
from tetragraph_loaders.rows import to_document


def load(path: Path, *, id_prefix: str, max_bytes: int = MAX_BYTES) -> Iterator[Document | Unreadable]:
    """Every line as a document or as the reason why it is none, in order."""
    rows = 0
    line = Line(0, "")
    try:
        with _open(path) as file:
            for line in read_lines(file, max_bytes=max_bytes):
                if line.problem or line.text.strip():
                    rows += 1
                    yield _read_row(line, f"{id_prefix}:{line.number}", f"{id_prefix}#{rows}")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        yield Unreadable(id_prefix, f"the gzip data are damaged after line {line.number}: {error}; compress it again")
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))
    else:
        if not rows:
            yield Unreadable(id_prefix, NO_TEXT)


def _open(path: Path) -> BinaryIO:
    if path.suffix.lower() == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def _read_row(line: Line, source: str, fallback_id: str) -> Document | Unreadable:
    if line.problem:
        return Unreadable(source, line.problem)
    try:
        return to_document(_parse(line.text), source=source, fallback_id=fallback_id)
    except UnreadableDocument as error:
        return Unreadable(source, str(error))


def _parse(text: str) -> dict[str, object]:
    try:
        row = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise UnreadableDocument(f"a line must be JSON, got {error.msg} at column {error.colno}; mend it") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(f"a line must be JSON within Python's limits: {error}; mend it") from error
    if not isinstance(row, dict):
        raise UnreadableDocument(f"a line must be a JSON object, got {type(row).__name__}; write one document a line")
    return row


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON value")
