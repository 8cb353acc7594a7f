"""Sitemaps (sitemaps.org): addresses of the pages of a site, or of further sitemaps; compressed or not."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from tetragraph.errors import UnreadableDocument

MOST_BYTES = 52_428_800
"""Largest size of a sitemap, uncompressed; the protocol has the same."""
_GZIP = b"\x1f\x8b"
_SNIFFED_BYTES = 4096
_KINDS = {"urlset": "url", "sitemapindex": "sitemap"}
"""Name of the entries by that of the outermost element."""


@dataclass(slots=True)
class Sitemap:
    """Addresses that a sitemap lists, in its order.

    Attributes:
        pages: Addresses of pages.
        sitemaps: Addresses of further sitemaps.
    """

    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)


def read_sitemap(path: Path) -> Sitemap | None:
    """The addresses of a sitemap; None where the file is none.

    Raises:
        UnreadableDocument: it is one that is damaged or too large, or it defines entities.
    """
    content = _read(path)
    if not any(f"<{name}".encode() in content[:_SNIFFED_BYTES] for name in _KINDS):
        return None
    reader = _Reader()
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        raise UnreadableDocument(f"a sitemap must be XML, this one is not: {error}") from error
    return reader.found if reader.kind else None


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        is_compressed = file.read(2) == _GZIP
    try:
        with gzip.open(path) if is_compressed else path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableDocument(f"it is compressed and damaged: {error}") from error
    if len(content) > MOST_BYTES:
        raise UnreadableDocument(f"a sitemap may have {MOST_BYTES:,} bytes, this one has more")
    return content


class _Reader:
    """Collects the addresses while a sitemap is parsed."""

    def __init__(self) -> None:
        self.found = Sitemap()
        self.kind = ""
        self._open: list[str] = []
        self._text: list[str] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, name: str, _: object) -> None:
        own = name.rpartition(" ")[2]
        if not self._open:
            self.kind = own if own in _KINDS else ""
        self._open.append(own)
        self._text.clear()

    def _end(self, _: str) -> None:
        if self._open[1:] == [_KINDS.get(self.kind), "loc"] and (address := "".join(self._text).strip()):
            (self.found.pages if self.kind == "urlset" else self.found.sitemaps).append(address)
        self._open.pop()
        self._text.clear()

    def _refuse(self, *_: object) -> None:
        raise UnreadableDocument("a sitemap must not define entities, this one does")
