"""Reads documents from folders, patterns and files, each file with the loader of its suffix.

The id of a file is its path below the ingested folder, beginning with the name of that folder, with ``/`` on every
system: ``docs/guide/intro.md``. The folder of a pattern is the part before its first wildcard, that of a single file
its parent; an id therefore depends neither on the working directory nor on the form of the given path. A prefix
replaces the name of the folder, and precedes the ids that rows have of their own.
"""

from __future__ import annotations

import gzip
import inspect
import os
import re
import sys
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from lzma import LZMAError
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.indexing.alike_files import PICTURES, AlikeFiles
from tetragraph.indexing.hidden_names import is_hidden
from tetragraph.indexing.repeated_ids import refuse_repeated
from tetragraph.indexing.version_file import add_versions, read_versions
from tetragraph.model import Document, Unreadable
from tetragraph.model.characters import unify_document
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions

Source: TypeAlias = str | Path | Iterable[str | Path | Document]
"""A folder, a glob pattern, a file, a data set ``loader:name``, or several of these; may include documents of the
caller."""
_WILDCARDS = frozenset("*?[")


_TEXT = ".txt"
"""Loader of files without a suffix that are text."""
_SNIFFED_BYTES = 4096
_NO_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode categories that no name of a file needs: control characters, halves of surrogate pairs, and line ends."""
_LOADER_FAULTS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RuntimeError,
    ArithmeticError,
    EOFError,
    ImportError,
    zlib.error,
    LZMAError,
)
"""Errors of a loader for a file that its author did not think of; other files are still read."""


class Loader(Protocol):
    """Reads one file; `tetragraph_loaders` documents the contract, with the keyword ``options`` that it may have."""

    def __call__(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]: ...


MAX_COUNTED_BYTES = 1 << 28
"""Largest size in bytes of a file whose documents are counted before it is read."""
_JSON_LINES = re.compile(r"\.(?:jsonl|ndjson)(?:\.gz)?(?::\d+)?\Z", re.IGNORECASE)
"""End of the source of a row of JSON Lines, in an archive as well."""
_ROW_FORMATS = {".jsonl": 0, ".ndjson": 0, ".csv": 1, ".tsv": 1}
"""Beginnings of the suffixes of files with a document a line, or nearly, each with the number of header lines."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to read.

    Attributes:
        path: Absolute path.
        id: Id of the file's document, and first part of the ids of rows without one.
        prefix: First part of the ids that rows have of their own; empty without a prefix.
        address: Address that the file was fetched from; empty for a file of this machine.
    """

    path: Path
    id: str
    prefix: str = ""
    address: str = ""

    @property
    def origin(self) -> str:
        """Where the documents of the file come from, as it is stored with them: its address, otherwise its path."""
        return self.address or str(self.path)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set that a loader knows by its name: ``ir-datasets:beir/scifact``."""

    loader: str
    name: str


def read_documents(
    source: Source,
    loader: str | None = None,
    prefix: str | None = None,
    reading: ReadingOptions = DEFAULT_READING,
) -> Iterator[Document | Unreadable]:
    """The documents of a source, and its unreadable files with the reasons.

    Within each folder or pattern, files are in order of id. Folders are read recursively; hidden files and folders are
    skipped, as are locks of Office programs, and links to folders are not followed. Files whose suffix no loader reads
    are reported once per suffix, at the end, and so are pictures without text. A file that is given twice is read once;
    of two documents with one id the second is refused.

    Args:
        source: Source to read.
        loader: Name of the loader that reads every file; default: the loader of each file's suffix.
        prefix: First part of all ids, in place of the name of the folder.
        reading: Options of reading, for the loaders that have them.

    Raises:
        InvalidInput: a path does not exist, a pattern matches no file, there is no such loader, the prefix is empty, or
            the file of versions breaks a rule. Unless the source is an iterator, a wrong path or pattern raises at the
            call, before anything is read.
    """
    if loader is not None and loader not in _loaders():
        formats = ", ".join(sorted(_loaders().keys() - set(_suffixes())))
        raise InvalidInput(f"a loader must be one of {formats}, or a suffix that is read such as .txt, got {loader!r}")
    if prefix is not None and not prefix.strip("/ "):
        raise InvalidInput(f"a prefix must be a name such as 'handbook' or 'team/handbook', got {prefix!r}")
    versions = read_versions(reading.versions) if reading.versions else {}
    entries = find_entries(source, prefix)
    if isinstance(source, str | Path | Sequence) or not isinstance(source, Iterable):
        entries = iter(list(entries))
    found = refuse_repeated(_read_entries(entries, loader, reading), {})
    return add_versions(found, versions, all_read=True) if versions else found


def count_documents(source: Source, loader: str | None = None) -> int | None:
    """Approximate number of documents that `read_documents` yields, for a progress bar.

    A file counts as one document, a file of rows as its number of lines without the header. None for an iterator, for
    a named loader, as only the loader knows the number of documents of a row, and for files above
    ``MAX_COUNTED_BYTES``.

    Raises:
        InvalidInput: see `read_documents`.
    """
    if loader or not isinstance(source, str | Path | Sequence):
        return None
    entries = list(find_entries(source))
    if any(isinstance(entry, DataSet) for entry in entries):
        return None
    files = {entry.path for entry in entries if isinstance(entry, File) and find_loader_name(entry.path)}
    found = [_count_documents(file) for file in files]
    known = [count for count in found if count is not None]
    return sum(isinstance(entry, Document) for entry in entries) + sum(known) if len(known) == len(found) else None


def _count_documents(file: Path) -> int | None:
    suffix = _suffix(file.name)
    headers = next((count for beginning, count in _ROW_FORMATS.items() if suffix.startswith(beginning)), None)
    if headers is None:
        return 1
    lines, last = 0, b"\n"
    try:
        with gzip.open(file) if suffix.endswith(".gz") else file.open("rb") as stream:
            for piece in islice(iter(lambda: stream.read(1 << 20), b""), MAX_COUNTED_BYTES >> 20):
                lines, last = lines + piece.count(b"\n"), piece[-1:]
            is_all = not stream.read(1)
            return max(lines + (last != b"\n") - headers, 0) if is_all else None
    except (OSError, EOFError, zlib.error):
        return 1


@cache
def _loaders() -> dict[str, EntryPoint]:
    """Entry point of each loader, by suffix in lower case or by name of a format."""
    return {entry.name.lower(): entry for entry in entry_points(group="tetragraph.loaders")}


def _suffixes() -> list[str]:
    return sorted(name for name in _loaders() if name.startswith("."))


def known_suffixes() -> tuple[str, ...]:
    """Suffixes of files that a loader reads, in order."""
    return tuple(_suffixes())


def _suffix(name: str) -> str:
    """The longest suffix of the name that a loader reads, otherwise the last suffix, which may be empty."""
    known = [suffix for suffix in _suffixes() if name.lower().endswith(suffix) and len(name) > len(suffix)]
    return max(known, key=len, default=Path(name).suffix.lower())


def has_readable_name(name: str) -> bool:
    """Whether a loader reads files with a suffix like that of a name; those without one are read if they are text.

    >>> has_readable_name("guide.md"), has_readable_name("README"), has_readable_name("film.mkv")
    (True, True, False)
    """
    suffix = _suffix(name)
    return not suffix or suffix in _loaders()


def is_plain_name(name: str) -> bool:
    r"""Whether a name is one line of valid Unicode without control characters, so that it can be part of an id.

    Blanks and joiners that are not seen are plain: names have them in many languages, and those of screenshots.

    >>> is_plain_name("報告\u30002024.txt"), is_plain_name("a\tb.txt"), is_plain_name("\udcff.txt")
    (True, False, False)
    """
    return not any(unicodedata.category(character) in _NO_NAMES for character in name)


def find_loader_name(path: Path) -> str | None:
    """Name of the loader that reads a file: its suffix, or that of text for text without one; None without a loader."""
    suffix = _suffix(path.name)
    if suffix in _loaders():
        return suffix
    return _TEXT if not suffix and _is_text(path) else None


def _is_text(path: Path) -> bool:
    """Whether a file begins like text, without the control characters of binary formats."""
    try:
        if not path.is_file():
            return True  # reported as what it is when it is read
        with path.open("rb") as file:
            head = file.read(_SNIFFED_BYTES)
    except OSError:
        return True
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or not any(
        byte < 32 and byte not in b"\t\n\f\r\x1b" for byte in head
    )


def find_entries(source: Source, prefix: str | None = None) -> Iterator[File | DataSet | Document | Unreadable]:
    """Entries of a source, and what cannot be a file of it with the reason; see :func:`read_documents`."""
    if isinstance(source, Document):
        raise InvalidInput(f"a source must be a list of documents, got one document, {source.id!r}: write [document]")
    if not isinstance(source, Iterable | Path):
        raise InvalidInput(f"a source must be a path, a pattern or documents, got {type(source).__name__}")
    for item in [source] if isinstance(source, str | Path) else source:
        if isinstance(item, Document):
            yield item
        elif data_set := _data_set(item):
            yield data_set
        elif isinstance(item, str | Path):
            found = (_renamed(entry, prefix) for entry in _find(item))
            yield from sorted(found, key=lambda entry: entry.id if isinstance(entry, File) else entry.source)
        else:
            rule = "a source must be a path, a pattern or a Document"
            raise InvalidInput(f"{rule}, got {type(item).__name__}; wrap texts in Document")


def check_paths(source: Source) -> None:
    """Check that the paths of a source exist and its patterns match a file; nothing is read.

    Raises:
        InvalidInput: one does not.
    """
    for item in [source] if isinstance(source, str | Path) else source:
        if isinstance(item, str | Path) and not _data_set(item):
            next(iter(_find(item)), None)


def _data_set(item: object) -> DataSet | None:
    """The data set that a text names; None for a path that exists, and for a scheme that is no loader."""
    if not isinstance(item, str):
        return None
    loader, colon, name = item.partition(":")
    is_known = colon and loader in _loaders() and not loader.startswith(".")
    return DataSet(loader, name) if is_known and not Path(item).exists() else None


def find_places(source: Source) -> list[Path]:
    """The folders and files of a source, with links resolved; for a pattern the folder before its first wildcard.

    Raises:
        InvalidInput: the source is neither a path nor a list of paths.
    """
    items = [source] if isinstance(source, str | Path) else source
    if not isinstance(items, Sequence) or not all(isinstance(item, str | Path) for item in items):
        raise InvalidInput(f"a source that is pruned must be a path or a list of paths, got {type(source).__name__}")
    if named := next(filter(None, map(_data_set, items)), None):
        raise InvalidInput(f"a source that is pruned must be a path, got the data set '{named.loader}:{named.name}'")
    return [_place(Path(item)) for item in items if isinstance(item, str | Path)]


def _place(path: Path) -> Path:
    if path.is_dir():
        return path.resolve()
    if path.is_file() or path.is_symlink():
        return path.parent.resolve() / path.name
    return _split_pattern(path)[0].resolve()


def _renamed(entry: File | Unreadable, prefix: str | None) -> File | Unreadable:
    """The entry with a prefix in place of the name of its folder."""
    if prefix is None or isinstance(entry, Unreadable):
        return entry
    name = prefix.strip("/ ")
    return File(entry.path, f"{name}/{entry.id.partition('/')[2]}", name)


def _find(item: str | Path) -> Iterator[File | Unreadable]:
    """The files of a folder, a file path or a pattern."""
    if item == "":
        raise InvalidInput(
            "a source must be a folder, a file or a pattern, got an empty text: '.' is the working folder"
        )
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


def _find_below(folder: Path) -> Iterator[File | Unreadable]:
    closed: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if not is_hidden(name)]
        for name in files:
            if not is_hidden(name):
                yield _identify_inside(folder, Path(parent, name))
    for error in closed:
        yield Unreadable(_identify(folder, Path(error.filename)), f"the folder cannot be read: {error.strerror}")


def _split_pattern(pattern: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder before the first part with a wildcard, and the parts from there on."""
    parts = pattern.parts
    first = next((i for i, part in enumerate(parts) if not _WILDCARDS.isdisjoint(part)), len(parts))
    return Path(*parts[:first]), parts[first:]


def _find_matching(pattern: Path) -> Iterator[File | Unreadable]:
    folder, parts = _split_pattern(pattern)
    wildcards = "/".join(parts + (("*",) if parts[-1] == "**" else ()))
    try:
        found = [path for path in folder.glob(wildcards) if not path.is_dir()]
    except ValueError as error:
        raise InvalidInput(f"a pattern must have '**' only as a whole part, got {str(pattern)!r}: {error}") from error
    shown = [path for path in found if not any(map(is_hidden, path.relative_to(folder).parts))]
    if not shown:
        raise InvalidInput(f"a pattern must match at least one file, got {str(pattern)!r}; check it")
    for path in shown:
        yield _identify_inside(folder, path)


def _identify_inside(folder: Path, path: Path) -> File | Unreadable:
    """A file of a folder; a link out of it is refused, as a folder of others could bring in any file of the user."""
    target = os.path.realpath(path)
    if os.path.commonpath((target, os.path.realpath(folder))) == os.path.realpath(folder):
        return _identify_file(folder, path)
    reason = f"a link must stay inside the folder, this one leads to {target}: ingest that file by its own path"
    return Unreadable(_identify(folder, path), reason)


def _identify_file(folder: Path, path: Path) -> File | Unreadable:
    identity = _identify(folder, path)
    try:
        identity.encode()
    except UnicodeEncodeError:
        shown = identity.encode(errors="backslashreplace").decode()
        return Unreadable(shown, f"a file name must be valid Unicode, this one is not; {_remedy_for_names()}")
    if len(identity.splitlines()) > 1:
        return Unreadable(repr(identity), "a file name must be one line, this one has a line end; rename the file")
    return File(folder.resolve() / path.relative_to(folder), identity)


def _remedy_for_names() -> str:
    """The remedy for a file name that cannot be read: in the locale C no name beyond ASCII can, however valid."""
    encoding = sys.getfilesystemencoding()
    if encoding == "utf-8":
        return "rename the file"
    return f"this process reads names as {encoding}: set a UTF-8 locale, such as LC_ALL=C.UTF-8, or rename the file"


def _identify(folder: Path, path: Path) -> str:
    own_name = folder.name if folder.name not in {"", ".."} else folder.resolve().name
    return "/".join(part for part in (own_name, *path.relative_to(folder).parts) if part)


def read_entries(
    entries: Iterable[File | DataSet | Document | Unreadable], loader: str | None, reading: ReadingOptions
) -> Iterator[Document | Unreadable]:
    """The documents of files, each read once; at the end come files that no loader reads and pictures without text.

    Of these, one stands for all with the same suffix and reason.

    Raises:
        InvalidInput: the file of versions breaks a rule.
    """
    found = _read_entries(entries, loader, reading)
    return add_versions(found, read_versions(reading.versions), all_read=False) if reading.versions else found


def _read_entries(
    entries: Iterable[File | DataSet | Document | Unreadable], loader: str | None, reading: ReadingOptions
) -> Iterator[Document | Unreadable]:
    seen: set[Path] = set()
    alike = AlikeFiles()
    for entry in entries:
        if isinstance(entry, DataSet):
            load = cast("Loader", _loaders()[entry.loader].load())
            yield from load(Path(entry.name), id_prefix=f"{entry.loader}:{entry.name}")
        elif not isinstance(entry, File):
            yield entry
        elif entry.path not in seen:
            seen.add(entry.path)
            suffix = _suffix(entry.path.name)
            if name := loader or find_loader_name(entry.path):
                yield from alike.take(suffix, read_file(entry, name, reading))
            else:
                alike.add(suffix, Unreadable(entry.id, _describe_unknown(suffix)))
    yield from alike.report()


def _describe_unknown(suffix: str) -> str:
    """Why files with a suffix are not read, and what to do about it."""
    if suffix in PICTURES:
        return f"files that end in {suffix} have no text; read the words of a picture by text recognition first"
    if not suffix:
        return "a file without a suffix must be text, this one is binary; name it by its format, or leave it out"
    remedy = f"if they are text, ingest them with --loader {_TEXT}; otherwise convert them or leave them out"
    return f"no loader reads files that end in {suffix}: {remedy}"


def read_file(
    file: File, loader: str | None = None, reading: ReadingOptions = DEFAULT_READING
) -> Iterator[Document | Unreadable]:
    """The documents of one file that a loader reads, and what could not be read with its reason.

    The characters of a file that is read by its suffix are unified, except those of JSON Lines. A named format decides
    itself. So published data sets keep their words.
    """
    try:
        if file.path.is_file():
            name = loader or find_loader_name(file.path) or ""
            load = cast("Loader", _loaders()[name].load())
            for item in load(file.path, id_prefix=file.id, **_accepted(load, reading)):
                yield (
                    _with_origin(item, file, is_named=not name.startswith(".")) if isinstance(item, Document) else item
                )
        else:
            yield Unreadable(file.id, "a source must be a regular file, this is a broken link, a pipe or a device")
    except OSError as error:
        yield Unreadable(file.id, f"the file cannot be read: {error.strerror or error}")
    except (UnreadableDocument, InvalidInput) as error:
        yield Unreadable(file.id, str(error))
    except _LOADER_FAULTS as error:
        reason = f"its loader failed with {type(error).__name__}: {error}"
        yield Unreadable(file.id, f"{reason}; leave the file out, or report it to the author of the loader")


def _accepted(load: Loader, reading: ReadingOptions) -> dict[str, Any]:
    """The options of reading as an argument for a loader that has it."""
    return {"options": reading} if "options" in inspect.signature(load).parameters else {}


def _with_origin(document: Document, file: File, *, is_named: bool) -> Document:
    is_named_by_file = document.id == file.id or document.id.startswith((f"{file.id}#", f"{file.id}/"))
    own_id = f"{file.prefix}/{document.id}" if file.prefix and not is_named_by_file else document.id
    found = replace(document, id=own_id, origin=file.origin)
    return found if is_named or _JSON_LINES.search(document.source) else unify_document(found)
