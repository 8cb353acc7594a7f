"""Reads documents from folders, patterns and files, each file with the loader of its suffix.

The id of a file is its path below the ingested folder, beginning with the name of that folder, with ``/`` on every
system: ``docs/guide/intro.md``. The folder of a pattern is the part before its first wildcard, that of a single file
its parent; an id therefore depends neither on the working directory nor on the form of the given path.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.model import Document, Unreadable

Source: TypeAlias = str | Path | Iterable[str | Path | Document]
"""A folder, a glob pattern, a file, or several of these; may include documents of the caller."""
_WILDCARDS = frozenset("*?[")


class Loader(Protocol):
    """Reads one file; `tetragraph_loaders` documents the contract."""

    def __call__(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]: ...


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    id: str


def read_documents(source: Source, loader: str | None = None) -> Iterator[Document | Unreadable]:
    """The documents of a source, and its unreadable files with the reasons.

    Within each folder or pattern, files are in order of id. Folders are read recursively; hidden files and folders are
    skipped, and links to folders are not followed. Files whose suffix no loader reads are reported once per suffix, at
    the end. A file that is given twice is read once; of two documents with one id the second is refused.

    Args:
        source: Source to read.
        loader: Name of the loader that reads every file; default: the loader of each file's suffix.

    Raises:
        InvalidInput: a path does not exist, a pattern matches no file, or there is no such loader. Unless the source
            is an iterator, a wrong path or pattern raises at the call, before anything is read.
    """
    if loader is not None and loader not in _loaders():
        raise InvalidInput(f"a loader must be one of {', '.join(sorted(_loaders()))}, got {loader!r}")
    entries = _entries(source)
    if isinstance(source, str | Path | Sequence):
        entries = iter(list(entries))
    return _refuse_repeated(_read_entries(entries, loader))


def count_documents(source: Source, loader: str | None = None) -> int | None:
    """Approximate number of documents that `read_documents` yields, for a progress bar.

    A file counts as one document, a JSON lines file as its number of line ends plus one. None for an iterator, and for
    a named loader, as only the loader knows the number of documents of a row.

    Raises:
        InvalidInput: see `read_documents`.
    """
    if loader or not isinstance(source, str | Path | Sequence):
        return None
    entries = list(_entries(source))
    files = {entry.path for entry in entries if isinstance(entry, _File) and _suffix(entry.path.name) in _loaders()}
    return sum(isinstance(entry, Document) for entry in entries) + sum(map(_count_documents, files))


def _count_documents(file: Path) -> int:
    suffix = _suffix(file.name)
    if not suffix.startswith(".jsonl"):
        return 1
    try:
        with gzip.open(file) if suffix.endswith(".gz") else file.open("rb") as stream:
            return 1 + sum(piece.count(b"\n") for piece in iter(lambda: stream.read(1 << 20), b""))
    except (OSError, EOFError, zlib.error):
        return 1


@cache
def _loaders() -> dict[str, EntryPoint]:
    """Entry point of each loader, by suffix in lower case or by name of a format."""
    return {entry.name.lower(): entry for entry in entry_points(group="tetragraph.loaders")}


def _suffixes() -> list[str]:
    return sorted(name for name in _loaders() if name.startswith("."))


def _suffix(name: str) -> str:
    """The longest suffix of the name that a loader reads, otherwise the last suffix, which may be empty."""
    known = [suffix for suffix in _suffixes() if name.lower().endswith(suffix) and len(name) > len(suffix)]
    return max(known, key=len, default=Path(name).suffix.lower())


def _entries(source: Source) -> Iterator[_File | Document | Unreadable]:
    for item in [source] if isinstance(source, str | Path) else source:
        if isinstance(item, Document):
            yield item
        elif isinstance(item, str | Path):
            yield from sorted(_find(item), key=lambda entry: entry.id if isinstance(entry, _File) else entry.source)
        else:
            rule = "a source must be a path, a pattern or a Document"
            raise InvalidInput(f"{rule}, got {type(item).__name__}; wrap texts in Document")


def _find(item: str | Path) -> Iterator[_File | Unreadable]:
    """The files of a folder, a file path or a pattern."""
    path = Path(item)
    try:
        if path.is_dir():
            return _find_below(path)
        if path.is_file() or path.is_symlink():
            return iter([_identify_file(path.parent, path)])
    except OSError as error:
        raise InvalidInput(
            f"a source must be a path that can be opened, got {str(item)[:200]!r}: {error.strerror}"
        ) from error
    if _WILDCARDS.isdisjoint(str(item)):
        raise InvalidInput(f"a source must be a folder, a file or a pattern that exists, got {str(item)!r}; check it")
    return _find_matching(path)


def _find_below(folder: Path) -> Iterator[_File | Unreadable]:
    closed: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield _identify_file(folder, Path(parent, name))
    for error in closed:
        yield Unreadable(_identify(folder, Path(error.filename)), f"the folder cannot be read: {error.strerror}")


def _find_matching(pattern: Path) -> Iterator[_File | Unreadable]:
    parts = pattern.parts
    first = next(i for i, part in enumerate(parts) if not _WILDCARDS.isdisjoint(part))
    folder = Path(*parts[:first])
    wildcards = "/".join(parts[first:] + (("*",) if parts[-1] == "**" else ()))
    try:
        found = [path for path in folder.glob(wildcards) if not path.is_dir()]
    except ValueError as error:
        raise InvalidInput(f"a pattern must have '**' only as a whole part, got {str(pattern)!r}: {error}") from error
    shown = [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not shown:
        raise InvalidInput(f"a pattern must match at least one file, got {str(pattern)!r}; check it")
    for path in shown:
        yield _identify_file(folder, path)


def _identify_file(folder: Path, path: Path) -> _File | Unreadable:
    identity = _identify(folder, path)
    try:
        identity.encode()
    except UnicodeEncodeError:
        shown = identity.encode(errors="backslashreplace").decode()
        return Unreadable(shown, "a file name must be valid Unicode, this one is not; rename the file")
    return _File(path.absolute(), identity)


def _identify(folder: Path, path: Path) -> str:
    own_name = folder.name if folder.name not in {"", ".."} else folder.resolve().name
    return "/".join(part for part in (own_name, *path.relative_to(folder).parts) if part)


def _read_entries(
    entries: Iterable[_File | Document | Unreadable], loader: str | None
) -> Iterator[Document | Unreadable]:
    seen: set[Path] = set()
    unknown: dict[str, list[str]] = {}
    for entry in entries:
        if not isinstance(entry, _File):
            yield entry
        elif entry.path not in seen:
            seen.add(entry.path)
            suffix = loader or _suffix(entry.path.name)
            if suffix in _loaders():
                yield from _read_file(entry, suffix)
            else:
                unknown.setdefault(suffix, []).append(entry.id)
    known = ", ".join(_suffixes())
    for suffix, ids in sorted(unknown.items()):
        others = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
        what = f"files that end in {suffix}" if suffix else "files without a suffix"
        yield Unreadable(ids[0] + others, f"no loader reads {what}; those that are read end in {known}")


def _read_file(file: _File, loader: str) -> Iterator[Document | Unreadable]:
    try:
        if file.path.is_file():
            load = cast("Loader", _loaders()[loader].load())
            yield from load(file.path, id_prefix=file.id)
        else:
            yield Unreadable(file.id, "a source must be a regular file, this is a broken link, a pipe or a device")
    except OSError as error:
        yield Unreadable(file.id, f"the file cannot be read: {error.strerror or error}")
    except UnreadableDocument as error:
        yield Unreadable(file.id, str(error))


def _refuse_repeated(found: Iterable[Document | Unreadable]) -> Iterator[Document | Unreadable]:
    """Yield one document of each id."""
    taken: dict[str, str] = {}
    for item in found:
        if isinstance(item, Document):
            source = item.source or "a document of the caller"
            if item.id in taken:
                reason = f"ids must be unique within one ingest, {item.id!r} of {source} is taken by {taken[item.id]}"
                yield Unreadable(source, f"{reason}; change one of them")
                continue
            taken[item.id] = source
        yield item
