"""JSON lines, plain or gzipped: one document for each line, ``{"id", "title", "text", … metadata}``.

A row keeps its ``id`` unchanged; the id of a row without one is the file's id with ``#n``, where n is the number of the
row from 1, without blank lines. Reading continues after a line that cannot be read.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph_loaders.reading import MAX_BYTES, NO_TEXT, Line, cannot_open, open_bytes, read_lines
from tetragraph_loaders.rows import parse_object, to_document


def load(path: Path, *, id_prefix: str, max_bytes: int = MAX_BYTES) -> Iterator[Document | Unreadable]:
    """Yield every line as a document, or the reason why it is not one, in order."""
    rows = 0
    line = Line(0, "")
    try:
        with open_bytes(path) as file:
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


def _read_row(line: Line, source: str, fallback_id: str) -> Document | Unreadable:
    if line.problem:
        return Unreadable(source, line.problem)
    try:
        return to_document(parse_object(line.text), source=source, fallback_id=fallback_id)
    except UnreadableDocument as error:
        return Unreadable(source, str(error))
