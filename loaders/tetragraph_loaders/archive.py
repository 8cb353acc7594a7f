"""Archives (ZIP, TAR, compressed or not) and single files compressed by gzip: each member is read by its own loader.

The id of a member is that of the archive with the member's path: ``docs/a.zip/guide/intro.md``. Members are unpacked
one at a time, under a name of ours, into a temporary folder, within limits of number and size. Archives in an archive,
links and hidden files are left out.
"""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, TypeAlias, cast

from tetragraph.errors import UnreadableDocument
from tetragraph.indexing.alike_files import AlikeFiles
from tetragraph.indexing.archives import has_bounded_members, open_tape
from tetragraph.indexing.hidden_names import is_hidden
from tetragraph.indexing.sources import File, find_loader_name, is_plain_name, read_file
from tetragraph.model import Document, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.reading import NO_TEXT, cannot_open, title_from

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
"""Suffixes of archives."""
DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    EOFError,
    zlib.error,
    LZMAError,
    NotImplementedError,
)
"""Errors of packed data that are damaged, or packed in a way that nothing here unpacks."""
_NO_LOADER = "no loader reads it in an archive; unpack it, or leave it out"
_PIECE = 1 << 20
_MOST_NAME = 140
"""Bytes of the name of a file that all file systems take, encrypted ones among them."""
_NO_NAME = (
    "a file name must be one line of valid Unicode without control characters, this one is not; rename the file, and "
    "make the archive again"
)
_Entry: TypeAlias = tuple[str, IO[bytes] | None]
"""Name and content of an entry of an archive; without content for a folder, a link and what is left out."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of an archive, against files that expand without end.

    Attributes:
        members: Largest number of entries: files, folders, links and hidden ones.
        member_bytes: Largest size of a member, unpacked; of one that is a ZIP archive itself, as a DOCX is, of what is
            in it, too.
        bytes: Largest size of all members together, unpacked; of a TAR archive with names and headers.
    """

    members: int = 10_000
    member_bytes: int = 200_000_000
    bytes: int = 2_000_000_000


LIMITS = Limits()


def load(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, limits: Limits = LIMITS
) -> Iterator[Document | Unreadable]:
    """Yield the documents of every member, in the order of the archive."""
    try:
        with TemporaryDirectory() as folder:
            yield from _read_members(path, id_prefix, options, limits, Path(folder))
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))
    except DAMAGED as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # further lines name the ways in which it was tried
        yield Unreadable(id_prefix, f"the archive is damaged: {reason}; make it again, or leave it out")
    except RuntimeError as error:  # what zipfile raises for an encrypted member
        yield Unreadable(id_prefix, f"the archive cannot be read: {error}; unpack it, or leave it out")
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))


def load_gzip(
    path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING, limits: Limits = LIMITS
) -> Iterator[Document | Unreadable]:
    """Read a file compressed by gzip with the loader of the name before ``.gz``."""
    name = path.name[: -len(".gz")]
    try:
        with TemporaryDirectory() as folder, gzip.open(path) as stream:
            target = Path(folder, name)
            _unpack(cast("IO[bytes]", stream), target, limits.member_bytes, _refuse_one(limits))
            loader = find_loader_name(target)
            if loader is None:
                yield Unreadable(id_prefix, f"no loader reads {name!r}, which it contains; unpack it, or leave it out")
            else:
                if loader not in SUFFIXES:
                    _count_packed(target, limits.member_bytes, _refuse_one(limits))
                yield from _read_as(target, id_prefix, loader, options)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))
    except DAMAGED as error:
        yield Unreadable(id_prefix, f"the gzip data are damaged: {error}; compress it again")
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))


def _read_members(
    path: Path, source: str, options: ReadingOptions, limits: Limits, folder: Path
) -> Iterator[Document | Unreadable]:
    left, empty = limits.bytes, True
    unknown: list[str] = []
    alike = AlikeFiles()
    with _open_archive(path, limits) as members:
        for number, (name, stream) in enumerate(members, start=1):
            if number > limits.members:
                raise UnreadableDocument(
                    f"an archive may have {limits.members:,} files and folders, this one has more; unpack it"
                )
            if stream is None:
                continue
            if not is_plain_name(name):
                empty = False
                yield Unreadable(repr(f"{source}/{name}"), _NO_NAME)
                continue
            target = _find_place(folder / str(number), name)
            target.parent.mkdir()
            refusal = _refuse_all(limits) if left < limits.member_bytes else _refuse_one(limits)
            most = min(left, limits.member_bytes)
            size = _unpack(stream, target, most, refusal)
            loader = find_loader_name(target)
            if loader is None or loader in SUFFIXES:
                unknown.append(name)
            else:
                empty = False
                size = max(size, _count_packed(target, most, refusal))
                for item in alike.take(target.suffix.lower(), _read_as(target, f"{source}/{name}", loader, options)):
                    yield _with_whole_name(item, target, PurePosixPath(name).name)
            left -= size
            shutil.rmtree(target.parent)
    yield from alike.report()
    if unknown:
        others = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        yield Unreadable(f"{source}/{unknown[0]}{others}", _NO_LOADER)
    elif empty:
        yield Unreadable(source, NO_TEXT)


def _find_place(folder: Path, name: str) -> Path:
    """Where a member is unpacked: the end of its name, with its suffixes, in a folder of its own.

    The names of an archive may lead anywhere, so only the last part is used, and be longer than any file system takes.
    """
    return folder / PurePosixPath(name).name.encode()[-_MOST_NAME:].decode(errors="ignore")


def _read_as(target: Path, identity: str, loader: str, options: ReadingOptions) -> Iterator[Document | Unreadable]:
    for item in read_file(File(target, identity), loader, options):
        yield replace(item, origin="") if isinstance(item, Document) else item


def _with_whole_name(item: Document | Unreadable, target: Path, name: str) -> Document | Unreadable:
    """A document that is named by its file, with a title from the whole name of a member instead of a cut one."""
    whole, cut = (one[: -len(".gz")] if one.lower().endswith(".gz") else one for one in (name, target.name))
    if isinstance(item, Unreadable) or not item.named_by_file or whole == cut:
        return item
    title = whole if item.title == cut else title_from(Path(whole))
    return replace(item, title=title[:MAX_TITLE])


@contextmanager
def _open_archive(path: Path, limits: Limits) -> Iterator[Iterator[_Entry]]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if not has_bounded_members(archive):
                raise UnreadableDocument("a ZIP archive must be packed by deflate or not at all; unpack it")
            yield _zip_entries(archive)
    else:
        with (
            open_tape(path, limits.bytes, lambda: UnreadableDocument(_refuse_all(limits))) as stream,
            tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tape,
        ):
            yield _tar_entries(tape)


def _zip_entries(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    for info in archive.infolist():
        if not info.is_dir() and (name := _member_name(info.filename)):
            with archive.open(info) as stream:
                yield name, stream
        else:
            yield "", None


def _tar_entries(archive: tarfile.TarFile) -> Iterator[_Entry]:
    while (info := archive.next()) is not None:
        # It keeps every header, with names of any size.
        archive.members.clear()  # type: ignore[attr-defined]  # typeshed lacks it
        stream = archive.extractfile(info) if info.isreg() else None
        if stream is not None and (name := _member_name(info.name)):
            with stream:
                yield name, stream
        else:
            yield "", None


def _member_name(name: str) -> str:
    """The path of a member as part of an id; empty for a hidden one."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in {"/", ".", ".."}]
    return "" if any(map(is_hidden, parts)) else "/".join(parts)


def _refuse_one(limits: Limits) -> str:
    return f"a packed file may have {limits.member_bytes:,} bytes unpacked, this one has more; unpack it"


def _refuse_all(limits: Limits) -> str:
    return f"the files of an archive may have {limits.bytes:,} bytes unpacked, these have more; unpack it"


def _unpack(stream: IO[bytes], target: Path, limit: int, refusal: str) -> int:
    """Write what a stream unpacks to into a file; returns its size, which is refused above the limit."""
    size = 0
    with target.open("wb") as file:
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > limit:
                raise UnreadableDocument(refusal)
            file.write(piece)
    return size


def _count_packed(target: Path, limit: int, refusal: str) -> int:
    """Sum of the sizes that a file states if it is a ZIP archive itself, as a DOCX is; refused above the limit."""
    try:
        with zipfile.ZipFile(target) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError):  # none, or a damaged one, which its loader reports
        return 0
    if size > limit:
        raise UnreadableDocument(refusal)
    return size
