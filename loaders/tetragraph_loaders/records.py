"""Rows of the file of a data set, one at a time: JSON lines, one JSON array, CSV or TSV, plain or gzipped.

Files that end in ``.csv`` and ``.tsv`` are tables with a header; in all others the first character distinguishes an
array from lines, because both are published as ``.json``. Files of any size can be read: one row is in memory at a
time.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.encodings import find_encoding
from tetragraph_loaders.reading import MAX_BYTES, cannot_open, open_bytes, read_lines
from tetragraph_loaders.rows import kind_of, parse_object, refuse_constant, string_of

_PIECE = 1 << 20
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """One row.

    Attributes:
        number: Number of the row from 1, including broken rows.
        where: ``file:line``, for an array with the number of the row, as many arrays are a single line.
    """

    number: int
    where: str
    values: Mapping[str, object]

    def text(self, key: str) -> str:
        """The text of a key, which must not be blank.

        Raises:
            UnreadableDocument: the key is missing, or has another value.
        """
        text = string_of(self.values, key)
        if not text.strip():
            raise UnreadableDocument(f"{key!r} must hold text, got none; fill it in or remove the row")
        return text

    def identity(self, key: str) -> str:
        """The id of a key; numbers are converted to text."""
        value = self.values.get(key)
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else self.text(key)

    def optional_text(self, key: str) -> str | None:
        """The text of a key; None if the key is missing, null or blank."""
        return self.text(key) if self.values.get(key) not in (None, "") else None

    def items(self, key: str) -> list[object]:
        """The list of a key; empty if the key is missing or null."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise UnreadableDocument(f"{key!r} must be a list, got {kind_of(value)}; write [ ] around it")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts of a key, in order and without duplicates."""
        found = self.items(key)
        for value in found:
            if not isinstance(value, str):
                raise UnreadableDocument(f"{key!r} must be a list of texts, got {kind_of(value)} in it; convert it")
        return tuple(dict.fromkeys(str(value) for value in found))

    def records(self, key: str) -> list[Record]:
        """The list of objects of a key."""
        found = []
        for number, value in enumerate(self.items(key), start=1):
            if not isinstance(value, dict):
                raise UnreadableDocument(f"{key!r} must be a list of objects, got {kind_of(value)} in it; mend the row")
            found.append(Record(number, self.where, value))
        return found


def read_records(path: Path, source: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Record | Unreadable]:
    """Yield the rows of a file in order, or ``Unreadable`` in place of a row that cannot be read.

    Args:
        path: Path of the file.
        source: Name of the file in messages.
        options: Their encoding is that of the file; without one a table or an array must be UTF-8.
    """
    names = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    try:
        with open_bytes(path) as file:
            if names[-1:] in ([".csv"], [".tsv"]):
                with io.TextIOWrapper(file, encoding=_find_encoding(file, options), newline="") as text:
                    yield from _table(text, "\t" if names[-1] == ".tsv" else ",", source)
            else:
                yield from _json(file, source, options)
    except UnicodeDecodeError as error:
        rule = f"the text must be {options.encoding or 'UTF-8'}"
        yield Unreadable(source, f"{rule}, byte 0x{error.object[error.start]:02x} is not; convert it")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        yield Unreadable(source, f"the gzip data are damaged: {error}; compress the file again")
    except OSError as error:
        yield Unreadable(source, cannot_open(error))


def _find_encoding(file: BinaryIO, options: ReadingOptions) -> str:
    """The encoding of a file, which is left at the beginning of its text; a byte order mark precedes the given one."""
    if options.encoding is None:
        return "utf-8-sig"
    found = find_encoding(file.read(4), options.encoding)
    file.seek(found.mark)
    return found.name


def _json(file: BinaryIO, source: str, options: ReadingOptions) -> Iterator[Record | Unreadable]:
    encoding = _find_encoding(file, options)
    begin = file.tell()
    first = file.read(1024).decode(encoding, errors="ignore").lstrip()[:1]
    file.seek(begin)
    if first == "[":
        with io.TextIOWrapper(file, encoding=encoding) as text:
            yield from _Array(text, source)
    else:
        file.seek(0)
        yield from _lines(file, source, options)


def _lines(file: BinaryIO, source: str, options: ReadingOptions) -> Iterator[Record | Unreadable]:
    number = 0
    for line in read_lines(file, options):
        if not line.problem and not line.text.strip():
            continue
        number += 1
        where = f"{source}:{line.number}"
        try:
            yield Unreadable(where, line.problem) if line.problem else Record(number, where, parse_object(line.text))
        except UnreadableDocument as error:
            yield Unreadable(where, str(error))


def _table(file: TextIO, delimiter: str, source: str) -> Iterator[Record | Unreadable]:
    # The limit of the csv module applies to the whole process; its default rejects cells above 131,072 characters.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_BYTES))
    rows = csv.DictReader(file, delimiter=delimiter, strict=True)
    try:
        for number, row in enumerate(rows, start=1):
            where = f"{source}:{rows.line_num}"
            if None in row or None in row.values():  # the key of further cells, and the value of missing ones
                yield Unreadable(where, f"a row must have the header's {len(rows.fieldnames or ())} cells; mend it")
            else:
                yield Record(number, where, row)
    except csv.Error as error:
        yield Unreadable(f"{source}:{rows.line_num}", f"a row must be well-formed, got {error}; mend its quotes")


class _Array:
    """The objects of one JSON array, decoded one after the other from a window of the text."""

    def __init__(self, file: TextIO, source: str) -> None:
        self._file = file
        self._source = source
        self._decoder = json.JSONDecoder(parse_constant=refuse_constant)
        self._window = ""
        self._at = 0
        self._line = 1

    def __iter__(self) -> Iterator[Record | Unreadable]:
        number = 0
        try:
            self._take("[")
            while self._next() != "]":
                if number:
                    self._take(",")
                    self._next()
                number += 1
                yield self._row(number, f"{self._source}:{self._line} (row {number})")
            self._take("]")
            self._take("")
        except UnreadableDocument as error:
            yield Unreadable(f"{self._source}:{self._line} (row {number})", str(error))

    def _row(self, number: int, where: str) -> Record | Unreadable:
        value = self._decode()
        if isinstance(value, dict):
            return Record(number, where, value)
        return Unreadable(where, f"a row must be a JSON object, got {kind_of(value)}; mend it")

    def _take(self, wanted: str) -> None:
        """Consume one expected character; the empty text stands for the end of the file."""
        if (found := self._next()) != wanted:
            rule, got = (repr(one) if one else "the end of the file" for one in (wanted, found))
            raise UnreadableDocument(f"a file of one JSON array must have {rule} here, got {got}; mend it")
        self._at += 1

    def _next(self) -> str:
        """The next character that is not a blank, without consuming it; empty at the end of the file."""
        while True:
            while self._at < len(self._window):
                character = self._window[self._at]
                if character not in _BLANKS:
                    return character
                self._line += character == "\n"
                self._at += 1
            if not self._grow():
                return ""

    def _decode(self) -> object:
        while True:
            try:
                value, end = self._decoder.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                if len(self._window) - self._at > MAX_BYTES or not self._grow():
                    raise UnreadableDocument(f"a row must be JSON, got {error.msg}; mend the file") from error
            except (ValueError, RecursionError) as error:
                raise UnreadableDocument(f"a row must be JSON within Python's limits: {error}; mend it") from error
            else:
                self._line += self._window.count("\n", self._at, end)
                self._at = end
                return value

    def _grow(self) -> bool:
        """Read more of the file and drop the decoded part of the window."""
        piece = self._file.read(_PIECE)
        self._window = self._window[self._at :] + piece
        self._at = 0
        return bool(piece)
