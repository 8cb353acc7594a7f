"""Plain text, and source code: one document, titled by its file name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.reading import load_one, title_from


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document without headings."""
    return _load(path, id_prefix, title_from(path), options)


def load_code(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING
) -> Iterator[Document | Unreadable]:
    """Read a file of source code, whose title is its whole name."""
    return _load(path, id_prefix, path.name, options)


def _load(path: Path, source: str, title: str, options: ReadingOptions) -> Iterator[Document | Unreadable]:
    return load_one(
        path, source, lambda text: Document(source, title, text, source=source, named_by_file=True), options
    )
