"""Composes the text of a document from its parts, with the offsets of headings and pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tetragraph.model import Document, Heading, Page
from tetragraph.model.documents import MAX_TITLE, Metadata
from tetragraph_loaders.tables import render_groups


class Composer:
    """Collects paragraphs, headings, tables and pages; paragraphs are separated by a blank line.

    Attributes:
        headings: Headings so far, in order.
        pages: Pages so far, in order.
    """

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self.pages: list[Page] = []
        self._parts: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        """The text so far."""
        return "\n\n".join(self._parts)

    @property
    def is_at_page_start(self) -> bool:
        """Whether nothing was added since the last page began."""
        return bool(self.pages) and self.pages[-1].start == self._next_start()

    def add(self, words: str) -> int | None:
        """Add a paragraph without the line ends around it; returns its offset, or None for a blank one."""
        words = words.replace("\r\n", "\n").replace("\0", "").strip("\n").rstrip()
        if not words.strip():
            return None
        start = self._next_start()
        self._parts.append(words)
        self._length = start + len(words)
        return start

    def add_heading(self, level: int, words: str) -> None:
        """Add a heading; one longer than a heading may be is a paragraph."""
        title = " ".join(words.split())
        start = self.add(title)
        if start is not None and len(title) <= MAX_TITLE:
            self.headings.append(Heading(start, min(max(level, 1), 6), title))

    def add_part(self, words: str, headings: Sequence[Heading]) -> None:
        """Add a text that begins with its first word, and its headings, whose offsets are those in it."""
        start = self.add(words)
        if start is not None:
            self.headings.extend(replace(one, start=start + one.start) for one in headings)

    def begin_page(self, number: int, label: str = "") -> None:
        """Begin a page with the next paragraph; a page without text has none."""
        if self.is_at_page_start:
            self.pages.pop()
        self.pages.append(Page(self._next_start(), number, label))

    def add_table(
        self,
        rows: Sequence[Sequence[str]],
        caption: str = "",
        sheet: tuple[int, str] | None = None,
        *,
        first: int = 1,
    ) -> None:
        """Add a table as groups of rows, each with the caption and the header, so that a chunk has its columns.

        Args:
            rows: Cells; the first row is the header.
            caption: Words above each group.
            sheet: Number and name of the sheet that the table is; each group then is a page of its own, with the
                number of its first row.
            first: Number of the first row in the sheet.
        """
        for number, group in render_groups(rows, caption):
            if sheet is not None:
                self.begin_page(sheet[0], f"sheet {sheet[1]}, row {first + number - 1}")
            self.add(group)

    def document(self, source: str, title: str, file_title: str, metadata: Metadata | None = None) -> Document:
        """The document; without a title of its own it has that of its file."""
        text = self.text
        return Document(
            source,
            title or file_title,
            text,
            source=source,
            metadata=metadata or {},
            headings=tuple(self.headings),
            pages=tuple(page for page in self.pages if page.start < len(text)),
            named_by_file=not title,
        )

    def _next_start(self) -> int:
        return self._length + 2 if self._parts else 0
