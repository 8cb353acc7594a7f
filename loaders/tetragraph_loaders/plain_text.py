"""Plain text: one document, titled by its file name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tetragraph.model import Document, Unreadable
from tetragraph_loaders.reading import load_one, title_from


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the file as one document without headings."""
    return load_one(
        path,
        id_prefix,
        lambda text: Document(id_prefix, title_from(path), text, source=id_prefix, named_by_file=True),
    )
