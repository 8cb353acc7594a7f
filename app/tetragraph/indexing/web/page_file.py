"""Files that fetched pages are read from, with the suffix by which their loader is found."""

from __future__ import annotations

import mimetypes
from email.message import Message
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from tetragraph.host.web_encodings import find_web_encoding
from tetragraph.indexing.sources import known_suffixes

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/markdown": ".md",
    "text/x-rst": ".rst",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/gzip": ".gz",
    "application/x-gzip": ".gz",
    "text/xml": ".xml",
    "application/xml": ".xml",
}
_GENERAL = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
"""Types that servers give to files that they do not recognise; the suffix of the address decides then."""
_LONGEST_NAME = 80
_MOST_BYTES = 200
"""Largest size of a name without a further suffix; file systems take 255 bytes."""


def read_content_type(stated: str) -> tuple[str, str]:
    """The type of a content, and its encoding if it is stated, both in small letters.

    >>> read_content_type("text/html; charset=ISO-8859-1")
    ('text/html', 'iso-8859-1')
    """
    message = Message()
    message["content-type"] = stated or "application/octet-stream"
    return message.get_content_type() if stated else "", message.get_content_charset() or ""


def name_file(address: str, kind: str) -> str:
    """A name for the file of a page: the last part of its path, with a suffix that fits its type.

    >>> name_file("https://docs.example.org/guide/", "text/html"), name_file("http://a/x.md", "text/plain")
    ('guide.html', 'x.md')
    """
    last = PurePosixPath(unquote(urlsplit(address).path)).name
    last = "index" if last in {"", ".."} else last
    name = "".join(one if one.isprintable() and one not in '/\\:*?"<>|' else "-" for one in last)[:_LONGEST_NAME]
    name = name.encode()[:_MOST_BYTES].decode(errors="ignore")
    own = max(
        (one for one in known_suffixes() if name.lower().endswith(one) and len(name) > len(one)), key=len, default=""
    )
    suffix = _find_suffix(kind, own)
    stem = name if kind in _GENERAL else PurePosixPath(name).stem
    stem = name.removesuffix(name[len(name) - len(own) :]) if own else stem
    return f"{stem or 'index'}{suffix}"


def _find_suffix(kind: str, own: str) -> str:
    if kind in _GENERAL:
        return own or (".txt" if kind == "text/plain" else "")
    guessed = _SUFFIXES.get(kind) or mimetypes.guess_extension(kind) or ""
    if own and (mimetypes.guess_type(f"a{own}")[0] == kind or guessed not in known_suffixes()):
        return own
    return guessed or own


def write_utf8(file: Path, kind: str, charset: str) -> None:
    """Turn a text file into UTF-8 from the encoding that its server states; others stay as they are.

    A web page gets a byte order mark, so that an encoding that the page itself declares is not used.
    """
    name = find_web_encoding(charset) if kind.startswith("text/") else None
    is_page = kind == "text/html"
    if name is None or (name == "utf-8" and not is_page):
        return
    try:
        text = file.read_bytes().decode("utf-8-sig" if name == "utf-8" else name)
    except ValueError:  # stated wrongly: its loader finds the encoding
        return
    file.write_text(text, encoding="utf-8-sig" if is_page else "utf-8", newline="")
