"""Documents of jobs on disk, from the request until the job has ended; checked before the job exists."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from tetragraph.client.remote.requests import DocumentForm
from tetragraph.client.remote.values import decode
from tetragraph.errors import InvalidInput, ServiceError
from tetragraph.host.private_files import create_private
from tetragraph.host.process_names import is_dead, is_of_this_machine, new_process_name
from tetragraph.indexing.sources import File, has_readable_name, is_plain_name, read_entries
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING
from tetragraph.service.jobs.unpacked import check_unpacked

MOST_FILES: Final = 1_000
MOST_NAME: Final = 500
_MOST_PART = 255
"""Bytes of one part of a name, which file systems take."""
_FOLDER = re.compile(r"([0-9a-f]{16})-([0-9a-f]{64})")
_PART = re.compile(r"[0-9a-f]{16}\.(\S+ pid \d+ \S+)\.part")
_PART_S: Final = 86_400.0
"""Age in seconds from which a part is a leftover, where nothing shows whether its server has ended."""
_DOCUMENTS = "documents.json"
_FILES = "files"


class Spool:
    """A folder with the documents of each job that waits or runs.

    Documents belong to the id of their job and the hash of their content: a request whose idempotency key was used with
    other documents replaces nothing.

    Args:
        folder: Folder of the spool; it belongs to one server.
        unpacked_bytes: Largest sum of the sizes of the files packed in one file.

    Attributes:
        folder: Absolute path of the folder.
        server: Name of this server, as :class:`~tetragraph.indexing.lease.Holder` has it.
    """

    def __init__(self, folder: Path, unpacked_bytes: int) -> None:
        self.folder = folder.absolute()
        self.server = new_process_name()
        self._most = unpacked_bytes

    def has(self, job: str, content: str) -> bool:
        """Whether the documents of a job with this hash of their content are here."""
        return self._path(job, content).is_dir()

    def has_lost(self, job: str, content: str, *, receiver: str, spool: str) -> bool:
        """Whether the documents of a job are gone from the spool of the server that received them.

        Of servers of other machines and containers that cannot be told: it is False.

        Args:
            job: Id of the job.
            content: Hash of the content of its documents.
            receiver: Server that received them.
            spool: Folder of its spool.
        """
        if not is_of_this_machine(receiver):
            return False
        try:
            return not stat.S_ISDIR((Path(spool) / f"{job}-{content}").stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False

    def add_documents(self, job: str, documents: Sequence[DocumentForm]) -> str:
        """Store documents for a job; returns the hash of their content."""
        # the encoder of forms writes null for NaN, which no reader takes: the ingest is to skip that document
        text = json.dumps([form.model_dump() for form in documents]).encode()
        with self._new(job) as folder:
            content = _write(folder / _DOCUMENTS, [text])
            self._keep(folder, job, content)
        return content

    def add_files(self, job: str, files: Sequence[tuple[str, Iterator[bytes]]]) -> str:
        """Store uploaded files for a job; returns the hash of names and contents.

        Of files that no loader reads the names are stored, so that the job reports them.

        Raises:
            InvalidInput: a name is no relative path of plain names or is given twice, or no loader reads any file.
            RequestTooLarge: a packed file would be too large when unpacked.
        """
        names = [check_name(name) for name, _ in files]
        folded = {name.casefold() for name in names}
        if len(folded) < len(names):
            raise InvalidInput("the files of a request must have different names, got one twice: rename one of them")
        if inside := sorted(folder for name in folded for folder in _folders(name) if folder in folded):
            raise InvalidInput(
                f"a name is of a file or of a folder, got {inside[0]!r:.200} as both: rename one of them"
            )
        if not any(map(has_readable_name, names)):
            raise InvalidInput(
                f"at least one file must have a suffix that is read, got {names[0]!r:.200}: docs/sources.md lists them"
            )
        found = hashlib.sha256()
        with self._new(job) as folder:
            for name, (_, content) in zip(names, files, strict=True):
                file = folder / _FILES / name
                file.parent.mkdir(parents=True, exist_ok=True)
                found.update(f"{name}\n{_write(file, content if has_readable_name(name) else ())}\n".encode())
                check_unpacked(file, self._most)
            self._keep(folder, job, found.hexdigest())
        return found.hexdigest()

    def read(self, job: str, content: str, unreadable: list[Unreadable]) -> Iterator[Document]:
        """The documents of a job; what cannot be read is appended to a list. Ids are the names of the files.

        Raises:
            ServiceError: the documents are not here any more.
        """
        if not self.has(job, content):
            raise ServiceError(
                f"the documents of a job must stay in {self.folder} until it has ended, those of this one are gone: "
                "send them again, with a new Idempotency-Key if one was used"
            )
        return self._read(self._path(job, content), unreadable)

    def _read(self, folder: Path, unreadable: list[Unreadable]) -> Iterator[Document]:
        if (folder / _DOCUMENTS).is_file():
            forms = decode(tuple[DocumentForm, ...], (folder / _DOCUMENTS).read_bytes())
            yield from (form.document() for form in forms)
        base = folder / _FILES
        stored = sorted(one for one in base.rglob("*") if one.is_file())
        files = [File(file, file.relative_to(base).as_posix()) for file in stored]
        for item in read_entries(files, None, DEFAULT_READING):
            if isinstance(item, Document):
                yield replace(item, origin="", from_file=True)
            else:
                unreadable.append(item)

    def remove(self, job: str, content: str) -> None:
        """Delete the documents of a job; nothing if none are here."""
        if _FOLDER.fullmatch(f"{job}-{content}"):
            shutil.rmtree(self._path(job, content), ignore_errors=True)

    def jobs(self) -> list[tuple[str, str]]:
        """Ids of the jobs whose documents are here, with the hash of these; leftovers of requests are deleted.

        A leftover is what a process of this machine that has ended was storing, and what one of another machine was
        storing a day ago.
        """
        found = []
        for entry in sorted(self.folder.glob("*")):
            if match := _FOLDER.fullmatch(entry.name):
                found.append((match[1], match[2]))
            elif entry.suffix == ".part" and (_is_left(entry.name) or _age_s(entry) > _PART_S):
                shutil.rmtree(entry, ignore_errors=True)
        return found

    def age_s(self, job: str, content: str) -> float:
        """Seconds since the documents of a job were stored, also by a repeated request; 0 if none are here."""
        return _age_s(self._path(job, content))

    def _path(self, job: str, content: str) -> Path:
        return self.folder / f"{job}-{content}"

    @contextmanager
    def _new(self, job: str) -> Iterator[Path]:
        """A folder for the documents of a job, deleted at the end unless it is kept."""
        part = self.folder / f"{job}.{new_process_name()}.part"
        create_private(self.folder)
        part.mkdir(mode=0o700)
        try:
            yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _keep(self, part: Path, job: str, content: str) -> None:
        """Let a complete folder appear under the name of its job, unless the same documents are there."""
        target = self._path(job, content)
        try:
            part.rename(target)
        except OSError:  # the folder exists, as the request was sent twice
            if not target.is_dir():
                raise
        os.utime(target)


def _is_left(part: str) -> bool:
    """Whether the process of this machine that was storing a part has ended."""
    found = _PART.fullmatch(part)
    return found is not None and is_dead(found[1])


def _age_s(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:  # removed meanwhile
        return 0.0


def check_name(name: str) -> str:
    """Check the name of an uploaded file, which becomes the id of its document.

    Raises:
        InvalidInput: it is no relative path of plain names.

    >>> check_name("guide/intro.md")
    'guide/intro.md'
    """
    parts = PurePosixPath(name).parts
    is_plain = all(
        not part.startswith(".") and part.strip() == part and len(part.encode(errors="replace")) <= _MOST_PART
        for part in parts
    )
    is_path = (
        0 < len(name) <= MOST_NAME and name == "/".join(parts) and is_plain_name(name) and not set(name) & set("\\:")
    )
    if not (is_path and is_plain):
        raise InvalidInput(
            "the name of a file must be a relative path such as 'guide/intro.md', without '..', hidden names, "
            f"parts of more than {_MOST_PART} bytes, backslashes, colons and control characters, got {name!r:.200}"
        )
    return name


def _folders(name: str) -> list[str]:
    """The folders in which a file of this name lies."""
    return [str(folder) for folder in PurePosixPath(name).parents if folder.name]


def _write(file: Path, blocks: Iterator[bytes] | Sequence[bytes]) -> str:
    """Write a file to the disk, and return the hash of its content."""
    found = hashlib.sha256()
    with file.open("wb") as stream:
        for block in blocks:
            stream.write(block)
            found.update(block)
        stream.flush()
        os.fsync(stream.fileno())
    return found.hexdigest()
