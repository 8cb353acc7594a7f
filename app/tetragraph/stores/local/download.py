"""Downloads the jars into the cache, in parallel, each verified before it gets its name."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import ssl
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler, OpenerDirector, build_opener

from tetragraph.errors import DownloadFailed, InvalidInput
from tetragraph.host import optional_imports
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import create_private
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings
from tetragraph.stores.local import disk_space
from tetragraph.stores.local.jars import Distribution, Jar, has_content

THREADS = 8
"""Number of parallel downloads, measured best: one takes twice as long, sixteen take a quarter longer."""
_PIECE_BYTES = 1 << 16
_TIMEOUT_S = 60.0
_FINAL_STATUS = frozenset({401, 403, 404, 407})
_FINAL_ERRNO = frozenset({errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EROFS})


@dataclass(frozen=True)
class Source:
    """Origin of the jars.

    Attributes:
        base: Address of a Maven repository: http, https or file.
        local: Folders in the layout of a Maven repository; tried first, and used where size and SHA-256 fit.
        pauses_s: Pauses in seconds between the attempts for one jar; there is one attempt more than pauses.
    """

    base: str
    local: tuple[Path, ...] = ()
    pauses_s: tuple[float, ...] = (1.0, 2.0, 4.0)

    def __post_init__(self) -> None:
        if urlsplit(self.base).scheme not in {"http", "https", "file"}:
            raise InvalidInput(f"TETRAGRAPH_MAVEN_URL must begin with https, http or file, got {self.base!r}")


def source(settings: Settings) -> Source:
    """The source of the settings; default: Maven Central.

    Raises:
        MissingDependency: no address is set and ``jgo``, which knows the default, is not installed.
    """
    base = settings.maven_url or optional_imports.load_local("jgo.constants").MAVEN_CENTRAL_URL
    # An empty setting switches the local repository off; as a path it reads ".".
    local = (settings.m2,) if settings.m2 is not None and settings.m2 != Path() else ()
    return Source(base.rstrip("/"), local)


def complete(
    distribution: Distribution, origin: Source, progress: Progress | None = None, *, check: bool = False
) -> None:
    """Fetch missing jars; returns at once if there are none. Safe to call from several processes: one of them fetches.

    With ``check`` the SHA-256 of every present jar is verified, otherwise only its size.

    Raises:
        DownloadFailed: a jar could not be fetched or verified; the others stay for the next call.
    """
    if not check and not distribution.missing():
        return
    progress = progress or NoProgress()
    try:
        for folder in ("lib", "plugins"):
            create_private(distribution.folder / folder)
        with exclusive(distribution.folder / ".lock"):
            wanted = distribution.damaged() if check else distribution.missing()
            for leftover in distribution.folder.glob("*/.*.part"):
                leftover.unlink()
            disk_space.require_disk_space(distribution.folder, sum(jar.size for jar in wanted), "the jars of Neo4j")
            if wanted:
                _Fetch(distribution, origin).run(wanted, progress)
    except OSError as error:
        raise DownloadFailed(
            f"cannot write to {distribution.folder}: {error}; mend the folder or set TETRAGRAPH_CACHE to another"
        ) from error


def _opener() -> OpenerDirector:
    """The opener of all jars: reading the system's certificates for each jar would take most of the time."""
    return build_opener(HTTPSHandler(context=ssl.create_default_context()))


@dataclass
class _Fetch:
    """One download of several jars; the first failure stops all threads."""

    distribution: Distribution
    origin: Source
    stopped: threading.Event = field(default_factory=threading.Event)
    opener: OpenerDirector = field(default_factory=_opener)

    def run(self, jars: Iterable[Jar], progress: Progress) -> None:
        ordered = sorted(jars, key=lambda jar: (-jar.size, jar.path))
        progress.start("jars", sum(jar.size for jar in ordered), "bytes")
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                for done in as_completed([pool.submit(self._one, jar) for jar in ordered]):
                    progress.advance("jars", done.result())
            except BaseException:  # also for Ctrl-C: do not wait for the other downloads
                self.stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        progress.finish("jars")

    def _one(self, jar: Jar) -> int:
        for candidate in self._candidates(jar):
            if has_content(candidate, jar):
                with candidate.open("rb") as stream, self._part(jar) as part:
                    shutil.copyfileobj(stream, part, _PIECE_BYTES)
                return jar.size
        for pause_s in (*self.origin.pauses_s, None):
            try:
                self._fetch(jar)
            except (OSError, _WrongContent) as error:
                if isinstance(error, HTTPError):
                    error.close()
                if pause_s is None or _is_final(error):
                    raise DownloadFailed(
                        f"cannot fetch {jar.path} from {self.origin.base}: {_reason(error)}; "
                        "check the network, or set TETRAGRAPH_MAVEN_URL to a mirror"
                    ) from error
                if self.stopped.wait(pause_s):
                    break
            else:
                return jar.size
        return 0

    def _candidates(self, jar: Jar) -> Iterator[Path]:
        yield from self.distribution.folder.parent.glob(f"*/{jar.folder}/{jar.name}")
        for repository in self.origin.local:
            yield repository / jar.path

    def _fetch(self, jar: Jar) -> None:
        digest = hashlib.sha256()
        size = 0
        address = f"{self.origin.base}/{jar.path}"
        with self.opener.open(address, timeout=_TIMEOUT_S) as stream, self._part(jar) as part:
            while size <= jar.size and not self.stopped.is_set() and (piece := stream.read(_PIECE_BYTES)):
                digest.update(piece)
                size += len(piece)
                part.write(piece)
            if size != jar.size or digest.hexdigest() != jar.sha256:
                raise _WrongContent(jar, size, digest.hexdigest())

    @contextmanager
    def _part(self, jar: Jar) -> Iterator[IO[bytes]]:
        """A file that is renamed to the jar when the block succeeds, and removed otherwise."""
        final = self.distribution.file(jar)
        part = final.with_name(f".{final.name}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            with part.open("wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(final)
        finally:
            part.unlink(missing_ok=True)


class _WrongContent(Exception):
    """A downloaded file differs from the lock file; never raised to callers."""

    def __init__(self, jar: Jar, size: int, sha256: str) -> None:
        more = "more than " if size > jar.size else ""
        super().__init__(
            f"expected {jar.size} bytes with SHA-256 {jar.sha256[:12]}…, "
            f"got {more}{min(size, jar.size)} with {sha256[:12]}…"
        )


def _is_final(error: Exception) -> bool:
    if isinstance(error, HTTPError):
        return error.code in _FINAL_STATUS
    cause = error.reason if isinstance(error, URLError) else error
    return isinstance(cause, OSError) and cause.errno in _FINAL_ERRNO


def _reason(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"HTTP {error.code} {error.reason}"
    return str(error.reason) if isinstance(error, URLError) else str(error) or type(error).__name__
