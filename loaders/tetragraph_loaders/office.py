"""PDF and DOCX: one document for each file, with the text that kreuzberg extracts. Needs the extra ``docs``.

Pages of a PDF are found by marks that kreuzberg is asked to set between them and that are removed from the text. A DOCX
has no pages of its own: these depend on the program that prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph.errors import UnreadableDocument
from tetragraph.host.optional_imports import install_command
from tetragraph.model import Document, Heading, Page, Unreadable
from tetragraph_loaders.reading import cannot_open, title_from

if TYPE_CHECKING:
    from kreuzberg import ExtractionResult

_NO_PACKAGE = f"PDF and DOCX need the package kreuzberg, which is not installed; run: {install_command('docs')}"
_PAGE_MARK = "\n\n\ue000{page_num}\ue001\n\n"
"""Mark before each page; its characters are for private use, so that no text has them."""
_PAGE_MARKS = re.compile("\ue000([0-9]+)\ue001\n*")
_NO_TEXT = "a document must have text, this file has none; a scan must go through text recognition first"


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the file as one document with its headings, titled by its own title, otherwise the file name."""
    try:
        yield _to_document(_extract(path), path, id_prefix)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))


def _extract(path: Path) -> ExtractionResult:
    try:
        from kreuzberg import ExtractionConfig, KreuzbergError, PageConfig, extract_file_sync
    except ImportError as error:
        raise UnreadableDocument(_NO_PACKAGE) from error
    marks = PageConfig(insert_page_markers=True, marker_format=_PAGE_MARK) if path.suffix.lower() == ".pdf" else None
    config = ExtractionConfig(use_cache=False, include_document_structure=True, pages=marks)
    try:
        return extract_file_sync(path, config=config)
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    except (KreuzbergError, RuntimeError, ValueError) as error:
        raise UnreadableDocument(
            f"the file cannot be read: {error}; open and save it again, or leave it out"
        ) from error


def _to_document(result: ExtractionResult, path: Path, source: str) -> Document:
    text, pages = _split_pages(result.content.replace("\r\n", "\n").replace("\0", ""))
    if not text.strip():
        raise UnreadableDocument(_NO_TEXT)
    own_title = result.metadata.get("title")
    title = own_title.strip() if isinstance(own_title, str) else ""
    headings = tuple(_headings(result, text))
    return Document(
        source,
        title or title_from(path),
        text,
        source=source,
        headings=headings,
        pages=pages,
        named_by_file=not title,
    )


def _split_pages(marked: str) -> tuple[str, tuple[Page, ...]]:
    r"""Remove the marks of pages; returns the text, and the pages with their offsets in it.

    >>> _split_pages("\ue0001\ue001\n\nOne.\n\n\ue0002\ue001\n\nTwo.")
    ('One.\n\nTwo.', (Page(start=0, number=1), Page(start=6, number=2)))
    """
    parts = _PAGE_MARKS.split(marked)
    text, pages = parts[0], []
    for number, part in zip(parts[1::2], parts[2::2], strict=True):
        pages.append(Page(len(text), int(number)))
        text += part
    return text.rstrip("\n") if pages else text, tuple(pages)


def _headings(result: ExtractionResult, text: str) -> Iterator[Heading]:
    """Headings that the file marks, located in the text by block."""
    at = 0
    for node in result.document["nodes"] if result.document else []:
        content = node["content"]
        words = str(content.get("text", "")).strip()
        start = f"{text}\n".find(f"{words}\n", at) if words else -1
        if start >= 0:
            at = start + len(words)
            if content["node_type"] == "heading":
                yield Heading(start, content["level"], words)
