"""Validity of documents that a file states in their place: a row for each, with the id of the document."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tetragraph.errors import InvalidInput
from tetragraph.indexing.row_file import listed, read_rows
from tetragraph.indexing.succession import find_cycle
from tetragraph.model import Document, Unreadable
from tetragraph.model.validity import SUPERSEDES, VERSION_KEYS, Validity

_WHAT = "a file of versions"


def read_versions(path: str | Path) -> Mapping[str, Mapping[str, Any]]:
    """Metadata of documents by id: ``valid_from``, ``valid_to`` and ``supersedes``, where the file has them.

    Raises:
        InvalidInput: the file cannot be read, a row has no id or that of another one, a day does not parse, a last day
            is before the first, or documents supersede one another in a cycle.
    """
    try:
        state = Path(path).stat()
    except OSError as error:
        raise InvalidInput(f"{_WHAT} must be there, got {str(path)!r}: {error.strerror}") from error
    return _read(_File(str(path), state.st_mtime_ns, state.st_size))


class _File(NamedTuple):
    """A file in one state: it is read again when it was changed."""

    path: str
    changed_ns: int
    size: int


@lru_cache(maxsize=4)
def _read(file: _File) -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for place, row in read_rows(file.path, _WHAT, ("id", *VERSION_KEYS)):
        document = row.pop("id", "")
        if not isinstance(document, str) or not document:
            raise InvalidInput(f"a row must have the id of a document as text, {place} has none: fill it in")
        if document in found:
            raise InvalidInput(f"a document must have one row, {place} repeats {document!r}: join the rows")
        if SUPERSEDES in row:
            row[SUPERSEDES] = listed(row[SUPERSEDES])
        try:
            stated = Validity.of(row)
        except InvalidInput as error:
            raise InvalidInput(f"{place}: {error}") from error
        found[document] = {**row, **({SUPERSEDES: list(stated.supersedes)} if stated.supersedes else {})}
    if cycle := find_cycle({one: row.get(SUPERSEDES, ()) for one, row in found.items()}):
        raise InvalidInput(f"documents must not supersede one another in a cycle, got {' → '.join(cycle)}: correct it")
    return found


def add_versions(
    documents: Iterable[Document | Unreadable], versions: Mapping[str, Mapping[str, Any]], *, all_read: bool
) -> Iterator[Document | Unreadable]:
    """Documents with the metadata of their rows.

    Args:
        documents: Documents of a source.
        versions: Metadata by id; they replace those of the same keys that a document has.
        all_read: Whether rows that are of none of the documents are reported, at the end.
    """
    left = dict(versions)
    for item in documents:
        if isinstance(item, Document) and item.id in versions:
            left.pop(item.id, None)
            yield replace(item, metadata={**item.metadata, **versions[item.id]})
        else:
            yield item
    if all_read:
        yield from find_unknown_rows(left, ())


def find_unknown_rows(versions: Iterable[str], known: Container[str]) -> Iterator[Unreadable]:
    """Rows of a file of versions, given by their ids, that are of none of the known documents of a source."""
    rule = "a row of the file of versions must be of a document of the source: check its id"
    yield from (Unreadable(document, rule) for document in versions if document not in known)
