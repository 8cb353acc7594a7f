"""Finds the encoding of text files: a byte order mark, the given or declared one, UTF-8, or a guess that is noted."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import cast

from tetragraph.errors import UnreadableDocument
from tetragraph.host.web_encodings import find_web_encoding

SAMPLE_BYTES = 1 << 18
"""Bytes of a file from which its encoding is found where rows are read one after the other."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED_BYTES = 1024
"""Bytes of a web page among which browsers look for a declaration of its encoding."""
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATION = re.compile(
    rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)|<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_GUESSED = ("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "shift_jis", "euc_jp", "gb18030")
_LEAST_UTF16 = 4
"""Least number of characters that are recognised as UTF-16 without a mark."""
_GUESSED_BYTES = 1 << 16
_MOST_NULS = 0.01
"""Share of NUL bytes of a file below which they are gaps of a text, such as a log has after a crash."""
_NULS = re.compile(rb"\0+")
_CONTROLS = bytes(byte for byte in range(1, 32) if byte not in b"\t\n\f\r\x1b")
"""Control characters of binary formats."""
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_MARK = "\udfff"
"""Stands for bytes that were not decoded; a half of a character, which no decoder yields."""
MARKING = "tetragraph.mark"
"""Error handler of decoders; unlike ``replace`` it tells what was replaced from U+FFFD of the file."""
codecs.register_error(MARKING, lambda error: (_MARK, cast("UnicodeDecodeError", error).end))


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of a file.

    Attributes:
        name: Python's name of it.
        mark: Number of bytes of the byte order mark; 0 without one.
        note: What was guessed, in words; empty if nothing was.
    """

    name: str = "utf-8"
    mark: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a file, and what reading it has changed or guessed in words; empty if nothing."""

    text: str
    note: str = ""


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode a whole file; bytes that its encoding does not have are replaced by U+FFFD, with a note.

    Each run of NUL bytes becomes a blank, with a note, if they are few and the file is otherwise text.

    Args:
        data: Content of the file.
        encoding: Encoding given by the user; a byte order mark precedes it.

    Raises:
        UnreadableDocument: the file is binary.
    """
    if encoding is None and _is_plain_utf8(data):
        return Decoded(*decode_part(data, "utf-8", offset=0))
    gaps = _count_gaps(data, encoding)
    if gaps:
        data = _NULS.sub(b" ", data)
    found = find_encoding(data, encoding)
    text, note = decode_part(data[found.mark :], found.name, offset=found.mark)
    gap_note = f"{gaps:,} runs of NUL bytes are read as blanks" if gaps > 1 else "NUL bytes are read as a blank"
    return Decoded(text, "; ".join(one for one in (found.note, note, gap_note if gaps else "") if one))


def _count_gaps(data: bytes, encoding: str | None) -> int:
    """Number of runs of NUL bytes that are gaps of a text; 0 for a binary file, and where NUL is part of characters."""
    count = data.count(0)
    if not 0 < count < _MOST_NULS * len(data) or len(data.translate(None, _CONTROLS)) < len(data):
        return 0
    found = find_encoding(data, encoding)
    is_single = b"\0" not in " ".encode(found.name)
    return len(_NULS.findall(data)) if is_single else 0


def decode_part(data: bytes, encoding: str, *, offset: int) -> tuple[str, str]:
    """Decode a part of a file; returns the text and a note on replaced bytes, which is empty if there are none.

    Args:
        data: Bytes of the part.
        encoding: Encoding of the file.
        offset: Offset of the part in the file, for messages.

    Raises:
        UnreadableDocument: the part has a NUL; the message has its offset.
    """
    note = ""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors="replace")
        note = note_replaced(max(text.count(_REPLACED), 1), encoding, f"the first at byte {offset + error.start}, ")
    if (nul := text.find("\0")) >= 0:
        at = offset + len(text[:nul].encode(encoding, errors="replace"))
        raise UnreadableDocument(f"the file must be text, got a NUL byte at offset {at}; is it binary?")
    return text, note


def note_replaced(count: int, encoding: str, place: str = "") -> str:
    """A note on characters that were replaced; empty for none.

    Args:
        count: Number of characters.
        encoding: Encoding of the file.
        place: Where they are, in words that end with a comma and a blank.
    """
    if not count:
        return ""
    what = f"{count:,} characters are" if count > 1 else "one character is"
    return f"{what} not {encoding}, {place}and replaced by {_REPLACED}"


def take_marked(text: str, encoding: str) -> tuple[str, str]:
    """A text that was decoded with the error handler ``MARKING``, and a note on its replaced characters."""
    return text.replace(_MARK, _REPLACED), note_replaced(text.count(_MARK), encoding)


def find_encoding(data: bytes, encoding: str | None = None) -> Encoding:
    """Find the encoding of a file by the bytes of its beginning; a character that they cut is no fault."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Encoding(name, len(mark))
    if encoding is not None:
        return Encoding(encoding)
    if 0 in data:
        return _find_utf16(data) or Encoding()
    valid = _count_valid(data)
    if valid == len(data) or _is_mostly_utf8(data):
        return Encoding()
    name = _guess(data, valid)
    return Encoding(name, note=f"not UTF-8, read as {name}, which was guessed: --encoding (encoding=…) names another")


def find_declared(data: bytes) -> str | None:
    """The encoding that a web page declares; None without one, and for UTF-8, which needs no declaration.

    >>> find_declared(b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">')
    'iso8859-2'
    """
    found = _DECLARATION.search(_COMMENT.sub(b"", data[:_DECLARED_BYTES]))
    name = find_web_encoding((found[1] or found[2]).decode()) if found else None
    return None if name == "utf-8" else name


def _is_plain_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 without a mark, as nearly all files are: the check that costs least."""
    if data.startswith(tuple(mark for mark, _ in _MARKS)) or 0 in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _count_valid(data: bytes) -> int:
    """Number of bytes before the first one that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(data)
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether a text has more characters that only UTF-8 writes so than bytes that are not UTF-8."""
    text = data.decode(errors="replace")
    broken = text.count(_REPLACED)
    return sum(not character.isascii() for character in text) > 2 * broken


def _find_utf16(data: bytes) -> Encoding | None:
    """UTF-16 without a mark: half of the bytes are zero in text of ASCII, all in even or all in odd places."""
    even, odd = data[0:2048:2], data[1:2048:2]
    if len(odd) < _LEAST_UTF16:
        return None
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros.count(0) > 0.7 * len(zeros) and not others.count(0):
            return Encoding(name, note=f"no byte order mark, read as {name}")
    return None


def _guess(data: bytes, valid: int) -> str:
    from charset_normalizer import from_bytes

    start = max(0, valid - _GUESSED_BYTES // 2)
    found = list(from_bytes(data[start : start + _GUESSED_BYTES], cp_isolation=list(_GUESSED)))
    names = {one.encoding for one in found} | {name for one in found[:1] for name in one.could_be_from_charset}
    # Western text mostly fits cp1250, too; text in cp1250 hardly ever looks right in cp1252.
    if not found or (found[0].encoding == "cp1250" and "cp1252" in names):
        return "cp1252"
    return found[0].encoding
