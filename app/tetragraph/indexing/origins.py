"""Where documents of a corpus were read: which of two with one id is meant, and which files are gone."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from tetragraph.host.addresses import is_address
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.sources import File, Source, find_entries, find_places, read_documents, read_file
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.graph import Statement

_PAGE = 10_000
_FILES = 1_000
"""Number of files that are remembered, as many documents of a large one come one after another."""


class Placed(Protocol):
    """A document, or what is known of it, with its place."""

    @property
    def id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def origin(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Stored:
    id: str
    source: str
    origin: Path


def find_collision(document: Document, stored: Mapping[str, Any]) -> str:
    """Why a document may not replace the stored one with its id, in words; empty when it may.

    A file replaces what was read from the same path. Where either was stored or sent without a path, the same
    ``source`` decides. Documents of the caller replace by their ids alone.

    Args:
        document: The document that was read.
        stored: ``source`` and ``origin`` of the stored document with this id.
    """
    same_file = _file_of(stored["source"]) == _file_of(document.source)
    if document.from_file:
        return "" if same_file else _describe_upload(document, stored["source"])
    if not document.origin or stored["origin"] == document.origin or (not stored["origin"] and same_file):
        return ""
    before = stored["origin"] or stored["source"] or "a document of the caller"
    return (
        f"the corpus has {document.id!r} from {before}, and {document.place} would replace it: ingest with another "
        "--prefix to keep both, or with --moved if the files have moved"
    )


def _describe_upload(document: Document, stored: str) -> str:
    """Why an uploaded file may not replace a document; without paths of this machine, which the sender cannot know."""
    return (
        f"the corpus has {document.id!r} from {stored or 'a document of the caller'}, and {document.source} would "
        "replace it: give this one another id, or delete the other first"
    )


def is_elsewhere(document: Document, stored: Mapping[str, Any]) -> bool:
    """Whether an unchanged document is now in another line of its file, or in another file and that one is gone.

    Args:
        document: The document that was read.
        stored: ``source`` and ``origin`` of the stored document with this id.
    """
    if stored["origin"] == document.origin:
        return is_in_other_line(document, stored["source"])
    if not document.origin or is_address(stored["origin"]):
        return False
    return not stored["origin"] or is_gone(Path(stored["origin"]))


def is_in_other_line(document: Document, source: str) -> bool:
    """Whether a document was read from another line of the file that a stored ``source`` names."""
    return source != document.source and _file_of(source) == _file_of(document.source)


def write_places(stores: CorpusStores, lease: Lease, documents: Sequence[Placed], *, is_shown: bool) -> None:
    """Store where unchanged documents are read now.

    Args:
        stores: The stores of the corpus.
        lease: The exclusive right to change the corpus.
        documents: The documents with their present places.
        is_shown: Whether a ``source`` changes: hits show it, so the generation rises.
    """
    if not documents:
        return
    lease.hold()
    rows = [{"id": one.id, "origin": one.origin or None, "source": one.source} for one in documents]
    statements: list[Statement] = [("ingest/upsert_places", {"corpus": stores.name, "rows": rows})]
    if is_shown:
        statements.append(("ingest/upsert_generation", {"corpus": stores.name, "metadata_keys": []}))
    stores.graph.write_all(statements)


def find_gone(
    stores: CorpusStores,
    source: Source,
    loader: str | None = None,
    prefix: str | None = None,
    reading: ReadingOptions = DEFAULT_READING,
) -> list[str]:
    """Ids of documents that were read from the places of a source and are no longer there, in ascending order.

    These are documents whose file is gone, and rows that a file no longer has. A file that cannot be read keeps its
    documents.

    Raises:
        InvalidInput: the source is no path and no list of paths, or does not exist.
    """
    here = list(_find_below(stores, find_places(source)))
    gone = {one.id for one in here if is_gone(one.origin)}
    by_origin: dict[str, list[_Stored]] = {}
    for one in here:
        by_origin.setdefault(str(one.origin), []).append(one)
    for entry in find_entries(source, prefix):
        if isinstance(entry, File):
            gone |= _find_lost_rows(entry, by_origin.get(str(entry.path), ()), loader, reading)
    if gone:  # a row may have moved to another file
        present = read_documents(source, loader, prefix, reading)
        gone -= {item.id for item in present if isinstance(item, Document)}
    return sorted(gone)


def find_gone_files(stores: CorpusStores, source: Source) -> list[str]:
    """Ids of documents that were read from the places of a source and whose file is gone, in ascending order."""
    is_file_gone = lru_cache(_FILES)(is_gone)
    return [one.id for one in _find_below(stores, find_places(source)) if is_file_gone(one.origin)]


def _find_below(stores: CorpusStores, places: Sequence[Path]) -> Iterator[_Stored]:
    @lru_cache(_FILES)
    def path_below(origin: str) -> Path | None:
        path = Path(origin)
        return path if not is_address(origin) and any(path.is_relative_to(place) for place in places) else None

    for row in stores.graph.pages("ingest/find_origins", corpus=stores.name, limit=_PAGE):
        if path := path_below(row["origin"]):
            yield _Stored(row["id"], row["source"], path)


def is_gone(path: Path) -> bool:
    """Whether there is no such file, or a folder in its place; False where that cannot be known."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _find_lost_rows(file: File, stored: Sequence[_Stored], loader: str | None, reading: ReadingOptions) -> set[str]:
    """Ids of stored rows that a file no longer has, or of members that an archive no longer has."""
    rows = {one.id for one in stored if _is_inside(one.source, file.id) and one.source != file.id}
    if not rows:
        return set()
    found = list(read_file(file, loader, reading))
    if any(isinstance(item, Unreadable) for item in found):
        return set()
    return rows - {item.id for item in found if isinstance(item, Document)}


def _is_inside(source: str, file: str) -> bool:
    """Whether a source is a file, one of its rows, or a member of it as an archive."""
    return _file_of(source) == file or source.startswith(f"{file}/")


def _file_of(source: str) -> str:
    """The file of a source, without the line that formats of many documents add."""
    file, colon, line = source.rpartition(":")
    return file if colon and line.isdigit() else source
