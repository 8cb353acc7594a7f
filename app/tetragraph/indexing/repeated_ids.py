"""Documents of one ingest with the same id: the first is read, the others are reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tetragraph.model import Document, Unreadable


def refuse_repeated(found: Iterable[Document | Unreadable], taken: dict[str, str]) -> Iterator[Document | Unreadable]:
    """Yield one document of each id, and report the others.

    Args:
        found: Documents of a source.
        taken: Places by id of documents that were found before, to which those of the yielded ones are added.
    """
    for item in found:
        if isinstance(item, Document):
            if item.id in taken:
                reason = f"ids must be unique, {item.id!r} of {item.place} is taken by {taken[item.id]}"
                ways = "change one of them, or ingest one of the two by itself with another --prefix"
                if _is_row_with_id(item):
                    ways += "; with --id-column none (id_key='none') rows have the id of their file and a number"
                yield Unreadable(item.source or item.place, f"{reason}; {ways}")
                continue
            taken[item.id] = item.place
        yield item


def _is_row_with_id(document: Document) -> bool:
    """Whether a document is a row of a file, and has an id of its own instead of one by its file."""
    file, _, line = document.source.rpartition(":")
    return line.isdigit() and not document.id.startswith(f"{file}#")
