"""PDF and DOCX: one document for each file, with the text that kreuzberg extracts. Needs the extra ``docs``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Heading, Unreadable
from tetragraph_loaders.reading import cannot_open, title_from

if TYPE_CHECKING:
    from kreuzberg import ExtractionResult

_NO_PACKAGE = "PDF and DOCX need the package kreuzberg, which is not installed; run: pip install 'tetragraph[docs]'"
_NO_TEXT = "a document must have text, this file has none; a scan must go through text recognition first"


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the file as one document with its headings, titled by its own title, otherwise the file name."""
    try:
        yield _to_document(_extract(path), path, id_prefix)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))


def _extract(path: Path) -> ExtractionResult:
    try:
        from kreuzberg import ExtractionConfig, KreuzbergError, extract_file_sync
    except ImportError as error:
        raise UnreadableDocument(_NO_PACKAGE) from error
    try:
        return extract_file_sync(path, config=ExtractionConfig(use_cache=False, include_document_structure=True))
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    except (KreuzbergError, RuntimeError, ValueError) as error:
        raise UnreadableDocument(
            f"the file cannot be read: {error}; open and save it again, or leave it out"
        ) from error


def _to_document(result: ExtractionResult, path: Path, source: str) -> Document:
    text = result.content.replace("\r\n", "\n").replace("\0", "")
    if not text.strip():
        raise UnreadableDocument(_NO_TEXT)
    own_title = result.metadata.get("title")
    title = own_title.strip() if isinstance(own_title, str) else ""
    return Document(source, title or title_from(path), text, source=source, headings=tuple(_headings(result, text)))


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
