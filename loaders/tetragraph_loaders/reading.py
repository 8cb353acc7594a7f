"""Decodes files and single lines to text, within limits of size."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable

MAX_BYTES = 50_000_000
"""Largest size of a text file, line or cell that is read into memory."""
NO_TEXT = "a document must have text, this file has none; remove it"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file.

    Attributes:
        number: Number of the line, from 1.
        text: Text without the line end; empty if there is a problem.
        problem: Reason why the line cannot be read; empty if it can.
    """

    number: int
    text: str
    problem: str = ""


def load_one(
    path: Path, source: str, parse: Callable[[str], Document], *, max_bytes: int = MAX_BYTES
) -> Iterator[Document | Unreadable]:
    """Yield the document of a text file, or the reason why it is not one."""
    try:
        document = parse(read_text(path, max_bytes=max_bytes))
    except UnreadableDocument as error:
        yield Unreadable(source, str(error))
    else:
        yield document if document.text.strip() else Unreadable(source, NO_TEXT)


def read_text(path: Path, *, max_bytes: int = MAX_BYTES) -> str:
    r"""Read a UTF-8 file, without a byte order mark and with ``\r\n`` replaced by ``\n``.

    Raises:
        UnreadableDocument: the file cannot be opened, is too long, not UTF-8, or binary.
    """
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    if len(data) > max_bytes:
        raise UnreadableDocument(f"a text file may have {max_bytes:,} bytes, this one has more; split it")
    return decode(data, offset=0).replace("\r\n", "\n")


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading; it is decompressed if its name ends in ``.gz``."""
    if path.suffix.lower() == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def read_lines(file: BinaryIO, *, max_bytes: int = MAX_BYTES) -> Iterator[Line]:
    r"""Yield lines that end with ``\n`` or ``\r\n``; lines above ``max_bytes`` are skipped without loading them."""
    offset = 0
    number = 0
    while data := file.readline(max_bytes + 1):
        number += 1
        start, offset = offset, offset + len(data)
        if len(data) > max_bytes:
            offset += _skip_line(file, data, max_bytes)
            yield Line(number, "", f"a line may have {max_bytes:,} bytes, this one has {offset - start:,}; split it")
            continue
        try:
            text = decode(data, offset=start)
        except UnreadableDocument as error:
            yield Line(number, "", str(error))
        else:
            yield Line(number, text.removesuffix("\n").removesuffix("\r"))


def _skip_line(file: BinaryIO, data: bytes, max_bytes: int) -> int:
    skipped = 0
    while data and not data.endswith(b"\n"):
        data = file.readline(min(max_bytes, 1 << 20))
        skipped += len(data)
    return skipped


def decode(data: bytes, *, offset: int) -> str:
    """Decode UTF-8.

    Args:
        data: Bytes of a file; a byte order mark at its very beginning is removed.
        offset: Offset of the bytes in the file, for the message.

    Raises:
        UnreadableDocument: the bytes are not UTF-8 or contain a NUL; the message has the byte offset.
    """
    lead = len(_BOM) if offset == 0 and data.startswith(_BOM) else 0
    try:
        text = data[lead:].decode()
    except UnicodeDecodeError as error:
        at = offset + lead + error.start
        reason = f"the text must be UTF-8, byte 0x{data[lead + error.start]:02x} at offset {at} is not"
        raise UnreadableDocument(f"{reason}; save the file as UTF-8") from error
    if (nul := data.find(0)) >= 0:
        raise UnreadableDocument(f"the file must be text, got a NUL byte at offset {offset + nul}; is it binary?")
    return text


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
