"""Decodes files and single lines to text, within limits of size."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.encodings import (
    MARKING,
    SAMPLE_BYTES,
    Decoded,
    Encoding,
    decode,
    decode_part,
    find_declared,
    find_encoding,
    take_marked,
)

MAX_BYTES = 50_000_000
"""Largest size of a text file, line or cell that is read into memory."""
MAX_BLANK_LINES = 1_000_000
"""Largest number of blank lines of a file of rows; more are an archive that expands without end."""
NO_TEXT = "a document must have text, this file has none; remove it"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file.

    Attributes:
        number: Number of the line, from 1.
        text: Text without the line end; empty if there is a problem.
        problem: Reason why the line cannot be read; empty if it can.
        note: What reading the line has guessed or replaced, in words; empty if nothing.
    """

    number: int
    text: str
    problem: str = ""
    note: str = ""


def load_one(
    path: Path,
    source: str,
    parse: Callable[[str], Document],
    options: ReadingOptions = DEFAULT_READING,
    *,
    max_bytes: int = MAX_BYTES,
    is_web_page: bool = False,
) -> Iterator[Document | Unreadable]:
    """Yield the document of a text file, or the reason why it is not one."""
    try:
        found = read_text(path, options, max_bytes=max_bytes, is_web_page=is_web_page)
        document = parse(found.text)
    except UnreadableDocument as error:
        yield Unreadable(source, str(error))
        return
    if not document.text.strip():
        yield Unreadable(source, NO_TEXT)
    else:
        yield replace(document, notes=(*document.notes, found.note)) if found.note else document


def read_text(
    path: Path, options: ReadingOptions = DEFAULT_READING, *, max_bytes: int = MAX_BYTES, is_web_page: bool = False
) -> Decoded:
    r"""Read a text file, without a byte order mark and with ``\r\n`` replaced by ``\n``.

    A web page without a mark is read in the encoding that it declares, unless the options name one.

    Raises:
        UnreadableDocument: the file cannot be opened, is too long, or binary.
    """
    data = read_bytes(path, max_bytes=max_bytes)
    declared = find_declared(data) if is_web_page else None
    found = decode(data, options.encoding or declared)
    return Decoded(found.text.replace("\r\n", "\n"), found.note)


def read_bytes(path: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a whole file.

    Raises:
        UnreadableDocument: the file cannot be opened, or is too long.
    """
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    if len(data) > max_bytes:
        raise UnreadableDocument(f"a text file may have {max_bytes:,} bytes, this one has more; split it")
    return data


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading; it is decompressed if its name ends in ``.gz``."""
    if path.suffix.lower() == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def read_lines(
    file: BinaryIO, options: ReadingOptions = DEFAULT_READING, *, max_bytes: int = MAX_BYTES
) -> Iterator[Line]:
    r"""Yield lines that end with ``\n`` or ``\r\n``; lines above ``max_bytes`` are skipped without loading them.

    The encoding is found from the beginning of the file, which must be seekable.
    """
    found = find_encoding(file.read(SAMPLE_BYTES), options.encoding)
    file.seek(found.mark)
    if found.name == "utf-8":
        yield from _read_utf8_lines(file, found, max_bytes)
    else:
        yield from _read_coded_lines(file, found, max_bytes)


def _read_utf8_lines(file: BinaryIO, encoding: Encoding, max_bytes: int) -> Iterator[Line]:
    offset = encoding.mark
    number = 0
    while data := file.readline(max_bytes + 1):
        number += 1
        start, offset = offset, offset + len(data)
        if len(data) > max_bytes:
            offset += _skip_line(file, data, max_bytes)
            yield Line(number, "", f"a line may have {max_bytes:,} bytes, this one has {offset - start:,}; split it")
            continue
        try:
            text, note = decode_part(data, encoding.name, offset=start)
        except UnreadableDocument as error:
            yield Line(number, "", str(error))
        else:
            yield Line(number, text.removesuffix("\n").removesuffix("\r"), note=note)


def _read_coded_lines(file: BinaryIO, encoding: Encoding, max_bytes: int) -> Iterator[Line]:
    """The lines of a file in another encoding than UTF-8; the note of a guess is that of the first line."""
    number = 0
    with io.TextIOWrapper(file, encoding.name, errors=MARKING, newline="\n") as lines:
        while text := lines.readline(max_bytes + 1):
            number += 1
            problem = f"a line may have {max_bytes:,} characters, this one has more; split it"
            if len(text) <= max_bytes:
                problem = "the file must be text, got a NUL character; is it binary?" if "\0" in text else ""
            rest = text
            while len(text) > max_bytes and rest and not rest.endswith("\n"):
                rest = lines.readline(max_bytes)
            kept, replaced = take_marked("" if problem else text.removesuffix("\n").removesuffix("\r"), encoding.name)
            guess = encoding.note if number == 1 else ""
            yield Line(number, kept, problem, "; ".join(note for note in (guess, replaced) if note))


def _skip_line(file: BinaryIO, data: bytes, max_bytes: int) -> int:
    skipped = 0
    while data and not data.endswith(b"\n"):
        data = file.readline(min(max_bytes, 1 << 20))
        skipped += len(data)
    return skipped


def cannot_open(error: OSError) -> str:
    """The operating system's reason as a sentence."""
    return f"the file cannot be read: {error.strerror or error}"


def title_from(path: Path) -> str:
    """A file's name as a title: no suffix, ``_`` and ``-`` as spaces.

    >>> title_from(Path("notes/annual_report-2024.txt"))
    'annual report 2024'
    """
    words = path.stem.replace("_", " ").replace("-", " ").split()
    return " ".join(words) or path.stem
